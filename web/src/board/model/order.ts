/** The fields that determine the order of tiles in a column: the position, then the age. */
export type Positioned = { readonly id: string; readonly sortOrder: number; readonly createdAt: string };

export const comparePositions = (a: Positioned, b: Positioned): number =>
  a.sortOrder - b.sortOrder || compareText(a.createdAt, b.createdAt);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The positions to write so that `moved` come in their order before `siblings[index]`. Siblings are sorted and do not contain the moved
 * tiles. Tiles created in sequence have positions one apart, so equal positions are used where age gives the right order. Neighbours are
 * shifted only where that fails, on the shorter side. `hasMore` says that further tiles follow the siblings.
 */
export function planPositions(
  siblings: readonly Positioned[],
  moved: readonly Positioned[],
  index: number,
  hasMore = false,
): Map<string, number> {
  const writes = new Map<string, number>();
  const column = [...siblings];
  moved.forEach((tile, step) => {
    const at = index + step;
    const position = findPositionBetween(column[at - 1], column[at], tile);
    const changes = position === null ? shiftNeighbours(column, at, tile, hasMore) : new Map([[tile.id, position]]);
    for (const [id, sortOrder] of changes) writes.set(id, sortOrder);
    column.splice(at, 0, { ...tile, sortOrder: changes.get(tile.id) ?? tile.sortOrder });
    if (changes.size === 1) return;
    for (const [neighbourAt, neighbour] of column.entries()) {
      const sortOrder = changes.get(neighbour.id);
      if (sortOrder !== undefined) column[neighbourAt] = { ...neighbour, sortOrder };
    }
  });
  return writes;
}

function findPositionBetween(before: Positioned | undefined, after: Positioned | undefined, tile: Positioned): number | null {
  if (before === undefined) return after === undefined ? tile.sortOrder : after.sortOrder - 1;
  if (after === undefined) return before.sortOrder + 1;
  if (after.sortOrder - before.sortOrder > 1) return Math.floor((before.sortOrder + after.sortOrder) / 2);
  const sortOrder = [before.sortOrder, after.sortOrder].find((value) => {
    const candidate = { ...tile, sortOrder: value };
    return comparePositions(before, candidate) < 0 && comparePositions(candidate, after) < 0;
  });
  return sortOrder ?? null;
}

/** Shifts the neighbours by one, upwards or downwards, whichever needs fewer writes. */
function shiftNeighbours(column: readonly Positioned[], at: number, tile: Positioned, hasMore: boolean): Map<string, number> {
  const up = shiftInDirection(column.slice(at), (column[at - 1] as Positioned).sortOrder + 1, tile, 1);
  const down = shiftInDirection(column.slice(0, at).reverse(), (column[at] as Positioned).sortOrder - 1, tile, -1);
  // A shift of all that follow could collide with the tiles after them.
  const isUpUnsafe = hasMore && up.size > column.length - at;
  return up.size <= down.size && !isUpUnsafe ? up : down;
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
