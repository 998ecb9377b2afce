/** What determines the place of a tile in its column: its position, then its age. */
export type Positioned = { readonly id: string; readonly sortOrder: number; readonly createdAt: string };

export const comparePositions = (a: Positioned, b: Positioned): number =>
  a.sortOrder - b.sortOrder || compareText(a.createdAt, b.createdAt);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The positions to write so that `moved` come in their order before `siblings[index]`. Siblings are sorted and do not contain the moved
 * tiles. Tiles created in sequence have positions one apart, so equal positions are used where age gives the right order. Neighbours are
 * shifted only where that fails, on the shorter side.
 */
export function planPositions(siblings: readonly Positioned[], moved: readonly Positioned[], index: number): Map<string, number> {
  const writes = new Map<string, number>();
  const line = [...siblings];
  moved.forEach((tile, step) => {
    const at = index + step;
    const place = findPositionBetween(line[at - 1], line[at], tile);
    const shiftInDirection = place === null ? shiftNeighbours(line, at, tile) : new Map([[tile.id, place]]);
    for (const [id, sortOrder] of shiftInDirection) writes.set(id, sortOrder);
    line.splice(at, 0, { ...tile, sortOrder: shiftInDirection.get(tile.id) ?? tile.sortOrder });
    if (shiftInDirection.size === 1) return;
    for (const [position, one] of line.entries()) {
      const sortOrder = shiftInDirection.get(one.id);
      if (sortOrder !== undefined) line[position] = { ...one, sortOrder };
    }
  });
  return writes;
}

function findPositionBetween(before: Positioned | undefined, after: Positioned | undefined, tile: Positioned): number | null {
  if (before === undefined) return after === undefined ? tile.sortOrder : after.sortOrder - 1;
  if (after === undefined) return before.sortOrder + 1;
  if (after.sortOrder - before.sortOrder > 1) return Math.floor((before.sortOrder + after.sortOrder) / 2);
  const found = [before.sortOrder, after.sortOrder].find((sortOrder) => {
    const toPositioned = { ...tile, sortOrder };
    return comparePositions(before, toPositioned) < 0 && comparePositions(toPositioned, after) < 0;
  });
  return found ?? null;
}

/** Shifts the neighbours by one, upwards or downwards, whichever needs fewer writes. */
function shiftNeighbours(line: readonly Positioned[], at: number, tile: Positioned): Map<string, number> {
  const up = shiftInDirection(line.slice(at), (line[at - 1] as Positioned).sortOrder + 1, tile, 1);
  const down = shiftInDirection(line.slice(0, at).reverse(), (line[at] as Positioned).sortOrder - 1, tile, -1);
  return up.size <= down.size ? up : down;
}

function shiftInDirection(others: readonly Positioned[], start: number, tile: Positioned, step: 1 | -1): Map<string, number> {
  const writes = new Map([[tile.id, start]]);
  let last = start;
  for (const one of others) {
    if ((one.sortOrder - last) * step > 0) break;
    last += step;
    writes.set(one.id, last);
  }
  return writes;
}
