import { useMemo } from "react";
import { useDeleteTiles, useMoveTiles, useRestoreTiles, useRetryTiles } from "../../api/tiles/tiles.ts";
import { showToast } from "../../ui/toasts.ts";
import { type BoardSnapshot, showLoadError, type TileOperations } from "../board-context.ts";
import { planMoves } from "../model/plan-moves.ts";
import { NO_SELECTION, type Selection } from "../model/selection.ts";
import type { ValueStore } from "../model/store.ts";
import { type BoardTile, isPlaceholder, toColumnId } from "../model/tile.ts";
import { formatCount } from "../../text/plural.ts";
import { formatTiles } from "../model/format.ts";
import { useAddTiles } from "./creation/use-add-tiles.ts";
import { dropPlaceholders, type PendingStores } from "./creation/use-begin-batch.ts";
import { useTagAction } from "./use-tag-action.ts";
import type { Undo } from "./use-undo.ts";

/** The actions on tiles: applied optimistically, reported in a notification, and undoable where they are destructive. */
export function useTileActions(
  boardId: string,
  { tiles, columns, isManualOrder, load }: BoardSnapshot,
  selection: ValueStore<Selection>,
  stores: PendingStores,
  undo: Undo,
): TileOperations {
  const add = useAddTiles(boardId, { tiles, columns, load }, stores, undo);
  const { mutateAsync: moveTiles } = useMoveTiles(boardId);
  const { mutateAsync: deleteTiles } = useDeleteTiles(boardId);
  const { mutateAsync: restoreTiles } = useRestoreTiles(boardId);
  const tag = useTagAction(boardId, tiles, undo);
  const { mutate: retryTiles } = useRetryTiles(boardId);

  return useMemo(() => {
    const findTiles = (ids: readonly string[]): readonly BoardTile[] => {
      const byId = new Map(tiles().map((tile) => [tile.id, tile]));
      return ids.flatMap((id) => (isPlaceholder(id) ? [] : (byId.get(id) ?? [])));
    };
    const moveLoaded: TileOperations["move"] = (ids, target) => {
      const moved = findTiles(ids);
      const column = columns().find(({ id }) => id === target.columnId);
      const moves = planMoves(column, moved, target, isManualOrder());
      const [first] = moved;
      if (moves.length === 0 || first === undefined) return;
      const before = findTiles(moves.map(({ tileId }) => tileId)).map(({ id, zoneId, sortOrder }) => ({ tileId: id, zoneId, sortOrder }));
      const isSameColumn = moved.every((tile) => toColumnId(tile) === target.columnId);
      selection.set(NO_SELECTION);
      const text = isSameColumn ? `Moved ${formatTiles(moved)}.` : `Moved ${formatTiles(moved)} to ${column?.name ?? "No zone"}.`;
      undo.run({ text, place: { tileId: first.id }, undo: () => moveTiles(before), redo: () => moveTiles(moves) });
    };

    return {
      add,
      tag,

      move(ids, target) {
        const column = columns().find(({ id }) => id === target.columnId);
        const isEnd = target.beforeId === null && isManualOrder();
        if (!isEnd || column === undefined || column.loaded === "all") return moveLoaded(ids, target);
        // The end of a column is known when all of it is loaded.
        load(target.columnId, "all").then(() => moveLoaded(ids, target), showLoadError);
      },

      remove(ids) {
        const found = findTiles(ids);
        const [first] = found;
        if (first === undefined) return;
        selection.set(NO_SELECTION);
        const gone = found.map(({ id }) => id);
        const text = `Deleted ${formatTiles(found)}.`;
        dropPlaceholders(stores.pending, gone);
        undo.run({ text, place: { tileId: first.id }, undo: () => restoreTiles(gone), redo: () => deleteTiles(gone) });
      },

      retry(ids) {
        const retriable = findTiles(ids).filter(({ status, type }) => status !== "processing" && type !== "TEXT");
        if (retriable.length === 0) return void showToast({ text: "Nothing to refresh: the tile is a note or is still processing." });
        retryTiles(retriable.map(({ id }) => id));
        if (retriable.length > 1) showToast({ text: `Refreshing ${formatCount(retriable.length, "tile")}.` });
      },
    };
  }, [add, columns, deleteTiles, isManualOrder, load, moveTiles, restoreTiles, retryTiles, selection, stores, tag, tiles, undo]);
}
