import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { boardMutationKey } from "../query-keys.ts";

/**
 * Refetches queries of a board after a write, unless another write to the board is pending: the response would not contain that write,
 * and would briefly show the old state. The last write refetches. Not awaited, because the next write does not depend on it.
 */
export function refetchAfterLastWrite(client: QueryClient, boardId: string, queryKeys: readonly QueryKey[]): void {
  // The write that is ending still counts as pending.
  if (client.isMutating({ mutationKey: boardMutationKey(boardId) }) > 1) return;
  for (const queryKey of queryKeys) void client.invalidateQueries({ queryKey });
}
