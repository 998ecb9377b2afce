import type { Tile, Versioned } from "@tessera-board/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { hasStatus, tessera } from "../../api/client/client.ts";
import { boardMutation } from "../../api/query-keys.ts";
import { cacheTile } from "../../api/tiles/tile-cache.ts";
import type { TileField, TileHistory } from "../../api/tiles/tile-history.ts";
import { useTagTiles } from "../../api/tiles/tag-tiles.ts";
import { useDeleteTiles, useRestoreTiles } from "../../api/tiles/tiles.ts";
import { formatTiles } from "../model/format.ts";
import { applyTags } from "./use-tag-action.ts";
import type { Undo } from "./use-undo.ts";

/** Keeps what the reader changes as steps of the board's history. */
export function useTileHistory(boardId: string, undo: Undo): TileHistory {
  const writeBack = useWriteBack(boardId);
  const { mutateAsync: deleteTiles } = useDeleteTiles(boardId);
  const { mutateAsync: restoreTiles } = useRestoreTiles(boardId);
  const { mutateAsync: tagTiles } = useTagTiles(boardId);
  return useMemo(
    () => ({
      tag(tile, change) {
        applyTags(undo, tagTiles, [tile], change);
      },
      keepEdit(field, before, tile, saved) {
        const after = tile[field];
        // An empty text can't be written back: the tile had failed.
        if (before === after || before === "") return;
        const edit = { field, latest: saved };
        const step = {
          text: describeEdit(field, before, tile),
          place: { tileId: tile.id },
          undo: () => writeBack({ edit, value: before }),
          redo: () => writeBack({ edit, value: after }),
        };
        undo.add(step, saved);
      },
      remove(tile) {
        const ids = [tile.id];
        undo.run({
          text: `Deleted ${formatTiles([tile])}.`,
          place: { tileId: tile.id },
          undo: () => restoreTiles(ids),
          redo: () => deleteTiles(ids),
        });
      },
    }),
    [deleteTiles, restoreTiles, tagTiles, undo, writeBack],
  );
}

/** An edited field, and the tile as this page last wrote it, or is writing it. */
type Edit = { readonly field: TileField; latest: Versioned<Tile> | Promise<Versioned<Tile>> };
type WriteBack = { readonly edit: Edit; readonly value: Tile[TileField] };

/** Writes an earlier or later value of a field. Rejects with a sentence if somebody else changed the field since. */
function useWriteBack(boardId: string): (input: WriteBack) => Promise<unknown> {
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    ...boardMutation(boardId),
    mutationFn: async ({ edit, value }: WriteBack) => {
      const { field } = edit;
      const latest = await edit.latest;
      const now = await tessera.tiles.get(latest.id);
      const refusal = new Error(`${formatTiles([now])} was changed by somebody else since.`);
      if (now[field] !== latest[field]) throw refusal;
      const patch = { [field === "extractedText" ? "content" : field]: value };
      edit.latest = await tessera.tiles.update(latest.id, patch, { ifMatch: now.etag }).catch((error: unknown) => {
        throw hasStatus(error, 412) ? refusal : error;
      });
      return edit.latest;
    },
    onSuccess: (tile) => cacheTile(client, tile),
  });
  return mutateAsync;
}

function describeEdit(field: TileField, before: Tile[TileField], after: Tile): string {
  const name = formatTiles([after]);
  if (field === "title") return `Renamed ${formatTiles([{ title: String(before) }])} to ${name}.`;
  if (field === "extractedText") return `Edited the text of ${name}.`;
  return after.connectedToChat === false ? `Left ${name} out of answers.` : `Used ${name} in answers.`;
}
