import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { TagChange } from "../../ui/tags/tags.ts";
import { boardMutation, tileKey, tilesKey } from "../query-keys.ts";
import { tagTiles } from "./bulk.ts";

export type TaggedTiles = TagChange & { readonly tileIds: readonly string[] };

/** Adds a tag to tiles, or removes it. Tags that others change at the same time stay as they are. */
export function useTagTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...boardMutation(boardId),
    mutationFn: ({ tileIds, ...change }: TaggedTiles) => tagTiles(boardId, tileIds, change),
    onSettled: (_done, _error, { tileIds }) => {
      for (const tileId of tileIds) void client.invalidateQueries({ queryKey: tileKey(tileId) });
      return client.invalidateQueries({ queryKey: tilesKey(boardId) });
    },
  });
}
