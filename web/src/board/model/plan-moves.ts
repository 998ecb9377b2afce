import type { TileMove } from "../../api/tiles/tiles.ts";
import type { DropTarget } from "../board-context.ts";
import { comparePositions, planPositions } from "./order.ts";
import { type BoardColumn, type BoardTile, toColumnId, toZoneId } from "./tile.ts";

/** The writes that move `moved` to `target` in `column`; none if they are already there. There is no column for tiles outside zones before the first one. */
export function planMoves(
  column: BoardColumn | undefined,
  moved: readonly BoardTile[],
  target: DropTarget,
  isManualOrder: boolean,
): readonly TileMove[] {
  const zoneId = toZoneId(target.columnId);
  if (!isManualOrder) return moved.flatMap((tile) => (toColumnId(tile) === target.columnId ? [] : [{ tileId: tile.id, zoneId }]));
  const ids = new Set(moved.map(({ id }) => id));
  const tiles = [...(column?.loadedTiles ?? [])].sort(comparePositions);
  const siblings = tiles.filter(({ id }) => !ids.has(id));
  const found = siblings.findIndex(({ id }) => id === target.beforeId);
  const index = target.beforeId === null || found < 0 ? siblings.length : found;
  const wanted = [...siblings.slice(0, index), ...moved, ...siblings.slice(index)];
  if (wanted.length === tiles.length && wanted.every(({ id }, at) => tiles[at]?.id === id)) return [];
  return [...planPositions(siblings, moved, index, column?.loaded === "part")].map(([tileId, sortOrder]) => ({
    tileId,
    zoneId,
    sortOrder,
  }));
}
