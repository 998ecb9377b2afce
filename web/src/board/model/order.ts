/** What places a tile in its column: its position, and for equal positions its age. */
export type Placed = { readonly id: string; readonly sortOrder: number; readonly createdAt: string };

export const byPlace = (a: Placed, b: Placed): number => a.sortOrder - b.sortOrder || compareText(a.createdAt, b.createdAt);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The positions to write so that `moved` stand in their order before `siblings[index]`; siblings are in order and hold none of the
 * moved. Tiles made one after the other have positions one apart, so a place between two of them is found by equal positions where
 * age settles it, and others are pushed aside only where that fails, on the shorter side.
 */
export function planPlaces(siblings: readonly Placed[], moved: readonly Placed[], index: number): Map<string, number> {
  const writes = new Map<string, number>();
  const line = [...siblings];
  moved.forEach((tile, step) => {
    const at = index + step;
    const place = placeBetween(line[at - 1], line[at], tile);
    const pushed = place === null ? pushAside(line, at, tile) : new Map([[tile.id, place]]);
    for (const [id, sortOrder] of pushed) writes.set(id, sortOrder);
    line.splice(at, 0, { ...tile, sortOrder: pushed.get(tile.id) ?? tile.sortOrder });
    if (pushed.size === 1) return;
    for (const [position, one] of line.entries()) {
      const sortOrder = pushed.get(one.id);
      if (sortOrder !== undefined) line[position] = { ...one, sortOrder };
    }
  });
  return writes;
}

function placeBetween(before: Placed | undefined, after: Placed | undefined, tile: Placed): number | null {
  if (before === undefined) return after === undefined ? tile.sortOrder : after.sortOrder - 1;
  if (after === undefined) return before.sortOrder + 1;
  if (after.sortOrder - before.sortOrder > 1) return Math.floor((before.sortOrder + after.sortOrder) / 2);
  const found = [before.sortOrder, after.sortOrder].find((sortOrder) => {
    const placed = { ...tile, sortOrder };
    return byPlace(before, placed) < 0 && byPlace(placed, after) < 0;
  });
  return found ?? null;
}

/** Moves whatever is in the way by one, upwards or downwards. */
function pushAside(line: readonly Placed[], at: number, tile: Placed): Map<string, number> {
  const up = pushed(line.slice(at), (line[at - 1] as Placed).sortOrder + 1, tile, 1);
  const down = pushed(line.slice(0, at).reverse(), (line[at] as Placed).sortOrder - 1, tile, -1);
  return up.size <= down.size ? up : down;
}

function pushed(others: readonly Placed[], start: number, tile: Placed, step: 1 | -1): Map<string, number> {
  const writes = new Map([[tile.id, start]]);
  let last = start;
  for (const one of others) {
    if ((one.sortOrder - last) * step > 0) break;
    last += step;
    writes.set(one.id, last);
  }
  return writes;
}
