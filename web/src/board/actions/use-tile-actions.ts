import { useMemo } from "react";
import { type TileMove, useDeleteTiles, useMoveTiles, useRestoreTiles, useRetryTiles } from "../../api/tiles/tiles.ts";
import { showToast } from "../../ui/toasts.ts";
import type { DropTarget, TileActions } from "../board-context.ts";
import { comparePositions, planPositions } from "../model/order.ts";
import { NO_SELECTION, type Selection } from "../model/selection.ts";
import type { Store } from "../model/store.ts";
import { type BoardColumn, type BoardTile, toColumnId, isPlaceholder, toZoneId } from "../model/tile.ts";
import { formatCount } from "../../text/plural.ts";
import { truncate } from "../model/format.ts";
import { type PendingStores, useAddTiles } from "./use-add-tiles.ts";
import type { Undo } from "./use-undo.ts";

export type BoardSnapshot = {
  readonly tiles: () => readonly BoardTile[];
  readonly columns: () => readonly BoardColumn[];
  readonly isManualOrder: () => boolean;
};

/** The actions on tiles: applied optimistically, reported in a notification, and undoable where they are destructive. */
export function useTileActions(
  boardId: string,
  { tiles, columns, isManualOrder }: BoardSnapshot,
  selection: Store<Selection>,
  stores: PendingStores,
  undo: Undo,
): TileActions {
  const add = useAddTiles(boardId, tiles, stores);
  const { mutate: moveTiles } = useMoveTiles(boardId);
  const { mutate: deleteTiles } = useDeleteTiles(boardId);
  const { mutate: restoreTiles } = useRestoreTiles(boardId);
  const { mutate: retryTiles } = useRetryTiles(boardId);

  return useMemo(() => {
    const findTiles = (ids: readonly string[]): readonly BoardTile[] => {
      const byId = new Map(tiles().map((tile) => [tile.id, tile]));
      return ids.flatMap((id) => (isPlaceholder(id) ? [] : (byId.get(id) ?? [])));
    };
    const formatTiles = (some: readonly BoardTile[]): string => {
      const [first] = some;
      return some.length === 1 && first !== undefined ? `“${truncate(first.title, 40)}”` : formatCount(some.length, "tile");
    };

    return {
      add,

      move(ids, target) {
        const moved = findTiles(ids);
        const moves = planMoves(tiles(), moved, target, isManualOrder());
        if (moves.length === 0) return;
        const before = findTiles(moves.map(({ tileId }) => tileId)).map(({ id, zoneId, sortOrder }) => ({ tileId: id, zoneId, sortOrder }));
        const isSameColumn = moved.every((tile) => toColumnId(tile) === target.columnId);
        const name = columns().find(({ id }) => id === target.columnId)?.name ?? "No zone";
        selection.set(NO_SELECTION);
        const text = isSameColumn ? `Moved ${formatTiles(moved)}.` : `Moved ${formatTiles(moved)} to ${name}.`;
        moveTiles(moves, { onError: undo.offer(text, () => moveTiles(before)) });
      },

      remove(ids) {
        const deletedTiles = findTiles(ids);
        if (deletedTiles.length === 0) return;
        selection.set(NO_SELECTION);
        const deletedIds = deletedTiles.map(({ id }) => id);
        deleteTiles(deletedIds, { onError: undo.offer(`Deleted ${formatTiles(deletedTiles)}.`, () => restoreTiles(deletedIds)) });
      },

      retry(ids) {
        const retriable = findTiles(ids).filter(({ status, type }) => status !== "processing" && type !== "TEXT");
        if (retriable.length === 0) {
          showToast({ text: "Nothing to refresh: the tile is a note or is still processing." });
          return;
        }
        retryTiles(retriable.map(({ id }) => id));
        if (retriable.length > 1) showToast({ text: `Refreshing ${formatCount(retriable.length, "tile")}.` });
      },
    };
  }, [add, columns, deleteTiles, isManualOrder, moveTiles, restoreTiles, retryTiles, selection, tiles, undo]);
}

/** The writes that move `moved` to `target`; none if they are already there. */
function planMoves(
  all: readonly BoardTile[],
  moved: readonly BoardTile[],
  target: DropTarget,
  isManualOrder: boolean,
): readonly TileMove[] {
  const zoneId = toZoneId(target.columnId);
  if (!isManualOrder) return moved.flatMap((tile) => (toColumnId(tile) === target.columnId ? [] : [{ tileId: tile.id, zoneId }]));
  const ids = new Set(moved.map(({ id }) => id));
  const column = all.filter((tile) => toColumnId(tile) === target.columnId).sort(comparePositions);
  const siblings = column.filter(({ id }) => !ids.has(id));
  const found = siblings.findIndex(({ id }) => id === target.beforeId);
  const index = target.beforeId === null || found < 0 ? siblings.length : found;
  const wanted = [...siblings.slice(0, index), ...moved, ...siblings.slice(index)];
  if (wanted.length === column.length && wanted.every(({ id }, at) => column[at]?.id === id)) return [];
  return [...planPositions(siblings, moved, index)].map(([tileId, sortOrder]) => ({ tileId, zoneId, sortOrder }));
}
