import { useCallback } from "react";
import { type TaggedTiles, useTagTiles } from "../../api/tiles/tag-tiles.ts";
import { showToast } from "../../ui/toasts.ts";
import { foldTag, isTagChanged, type TagChange } from "../../ui/tags/tags.ts";
import type { BoardSnapshot, TileOperations } from "../board-context.ts";
import { formatTiles } from "../model/format.ts";
import { isPlaceholder } from "../model/tile.ts";
import type { Undo } from "./use-undo.ts";

type Tagged = { readonly id: string; readonly title: string; readonly tags: readonly string[] };
type TagTiles = (change: TaggedTiles) => Promise<unknown>;

/** Adds a tag to tiles or removes it, as a step of the board's history. Returns whether any tile is changed. */
export function applyTag(undo: Undo, tagTiles: TagTiles, tiles: readonly Tagged[], change: TagChange): boolean {
  const changed = tiles.filter(({ tags }) => isTagChanged(tags, change));
  const [first] = changed;
  if (first === undefined) return false;
  // What is removed comes back in the spelling of the first tile.
  const tag = first.tags.find((one) => foldTag(one) === foldTag(change.tag)) ?? change.tag;
  const tileIds = changed.map(({ id }) => id);
  const isAdded = change.kind === "add";
  undo.run({
    text: isAdded ? `Tagged ${formatTiles(changed)} “${tag}”.` : `Removed the tag “${tag}” from ${formatTiles(changed)}.`,
    place: { tileId: first.id },
    undo: () => tagTiles({ tileIds, tag, kind: isAdded ? "remove" : "add" }),
    redo: () => tagTiles({ tileIds, tag, kind: change.kind }),
  });
  return true;
}

/** Adds a tag to tiles of the board, or removes it. */
export function useTagAction(boardId: string, tiles: BoardSnapshot["tiles"], undo: Undo): TileOperations["tag"] {
  const { mutateAsync: tagTiles } = useTagTiles(boardId);
  return useCallback(
    (ids, change) => {
      const chosen = new Set(ids);
      const found = tiles().filter(({ id }) => chosen.has(id) && !isPlaceholder(id));
      if (!applyTag(undo, tagTiles, found, change)) showToast({ text: `All of them have the tag “${change.tag}” already.` });
    },
    [tagTiles, tiles, undo],
  );
}
