import { useCallback } from "react";
import type { TaggedTiles } from "../../api/tiles/bulk.ts";
import { useTagTiles } from "../../api/tiles/tag-tiles.ts";
import { showToast } from "../../ui/toasts.ts";
import { foldTag, formatTags, hasTag, type TagChange } from "../../ui/tags/tags.ts";
import type { BoardSnapshot, TileOperations } from "../board-context.ts";
import { formatTiles } from "../model/format.ts";
import { isPlaceholder } from "../model/tile.ts";
import type { Undo } from "./use-undo.ts";

type Tagged = { readonly id: string; readonly title: string; readonly tags: readonly string[] };
type TagTiles = (change: TaggedTiles) => Promise<unknown>;

/** Adds tags to tiles or removes them, as one step of the board's history. Returns whether any tile is changed. */
export function applyTags(undo: Undo, tagTiles: TagTiles, tiles: readonly Tagged[], { kind, tags }: TagChange): boolean {
  const edits = groupEdits(tags.map((tag) => toEdit(tiles, kind, tag)).filter(({ tileIds }) => tileIds.length > 0));
  const ids = new Set(edits.flatMap(({ tileIds }) => tileIds));
  const changed = tiles.filter(({ id }) => ids.has(id));
  const [first] = changed;
  if (first === undefined) return false;
  const names = formatTags(edits.flatMap((edit) => edit.tags));
  const run = (how: TagChange["kind"]) => Promise.all(edits.map((edit) => tagTiles({ ...edit, kind: how })));
  undo.run({
    text: kind === "add" ? `Tagged ${formatTiles(changed)} ${names}.` : `Removed the tag ${names} from ${formatTiles(changed)}.`,
    place: { tileId: first.id },
    undo: () => run(kind === "add" ? "remove" : "add"),
    redo: () => run(kind),
  });
  return true;
}

/** The tiles that a change of one tag has an effect on. */
function toEdit(tiles: readonly Tagged[], kind: TagChange["kind"], wanted: string) {
  const changed = tiles.filter(({ tags }) => hasTag(tags, wanted) !== (kind === "add"));
  // What is removed comes back in the spelling of the first tile.
  const tag = changed[0]?.tags.find((one) => foldTag(one) === foldTag(wanted)) ?? wanted;
  return { tag, tileIds: changed.map(({ id }) => id) };
}

/** Joins tags that have an effect on the same tiles: one request changes all of them. */
function groupEdits(edits: readonly ReturnType<typeof toEdit>[]) {
  const groups = new Map<string, { readonly tags: string[]; readonly tileIds: readonly string[] }>();
  for (const { tag, tileIds } of edits) {
    const group = groups.get(tileIds.join(" ")) ?? { tags: [], tileIds };
    groups.set(tileIds.join(" "), group);
    group.tags.push(tag);
  }
  return [...groups.values()];
}

/** Adds tags to tiles of the board, or removes them. */
export function useTagAction(boardId: string, tiles: BoardSnapshot["tiles"], undo: Undo): TileOperations["tag"] {
  const { mutateAsync: tagTiles } = useTagTiles(boardId);
  return useCallback(
    (ids, change) => {
      const chosen = new Set(ids);
      const found = tiles().filter(({ id }) => chosen.has(id) && !isPlaceholder(id));
      if (!applyTags(undo, tagTiles, found, change)) showToast({ text: `All of them are tagged ${formatTags(change.tags)} already.` });
    },
    [tagTiles, tiles, undo],
  );
}
