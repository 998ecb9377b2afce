import { useMutation, useQueryClient } from "@tanstack/react-query";
import { boardMutation, tileKey, tilesKey } from "../query-keys.ts";
import { type TaggedTiles, tagTiles } from "./bulk.ts";

/** Adds tags to tiles, or removes them. Tags that others change at the same time stay as they are. */
export function useTagTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...boardMutation(boardId),
    mutationFn: (change: TaggedTiles) => tagTiles(boardId, change),
    onSettled: (_done, _error, { tileIds }) => {
      for (const tileId of tileIds) void client.invalidateQueries({ queryKey: tileKey(tileId) });
      return client.invalidateQueries({ queryKey: tilesKey(boardId) });
    },
  });
}
