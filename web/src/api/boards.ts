import type { Board } from "@tessera-board/sdk";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey, tessera } from "./client/client.ts";
import { BOARDS_KEY } from "./query-keys.ts";

export const BOARDS_QUERY = queryOptions({
  queryKey: BOARDS_KEY,
  queryFn: ({ signal }) => tessera.boards.list({ signal }),
  staleTime: 30_000,
});

/** All boards; the default board comes first. */
export const useBoards = () => useQuery(BOARDS_QUERY);

/** The name of the board that something is limited to, after "Only"; null for all boards. `boards` are undefined while they load. */
export function getBoardName(boards: readonly Board[] | undefined, boardId: string | null): string | null {
  if (boardId === null) return null;
  return boards === undefined ? "one board" : (boards.find(({ id }) => id === boardId)?.name ?? "a deleted board");
}

/** Errors are shown by the form. */
export function useCreateBoard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, idempotencyKey = newIdempotencyKey() }: { readonly name: string; readonly idempotencyKey?: string }) =>
      tessera.boards.create({ name }, { idempotencyKey }),
    meta: { isQuiet: true },
    onSuccess: (board) => {
      client.setQueryData<readonly Board[]>(BOARDS_KEY, (boards) => boards && [...boards, board]);
      return client.invalidateQueries({ queryKey: BOARDS_KEY });
    },
  });
}

/** Renames a board or makes it the default. Errors are shown by the form. */
export function useUpdateBoard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ boardId, ...patch }: { readonly boardId: string; readonly name?: string; readonly isDefault?: true }) =>
      tessera.boards.update(boardId, patch),
    meta: { isQuiet: true },
    onSettled: () => client.invalidateQueries({ queryKey: BOARDS_KEY }),
  });
}

export function useDeleteBoard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (boardId: string) => tessera.boards.delete(boardId),
    onSuccess: (_, boardId) => {
      client.setQueryData<readonly Board[]>(BOARDS_KEY, (boards) => boards?.filter(({ id }) => id !== boardId));
    },
    onSettled: () =>
      Promise.all([client.invalidateQueries({ queryKey: BOARDS_KEY }), client.invalidateQueries({ queryKey: ["settings"] })]),
  });
}

export function useRestoreBoard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (boardId: string) => tessera.boards.restore(boardId),
    onSettled: () =>
      Promise.all([client.invalidateQueries({ queryKey: BOARDS_KEY }), client.invalidateQueries({ queryKey: ["settings"] })]),
  });
}
