import type { GenerateInput, IdeaInput } from "@tessera/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey, tessera } from "./client/client.ts";
import { generationKey, generationsKey, tilesKey } from "./query-keys.ts";

/** What was made of a board, the newest first. */
export const useGenerations = (boardId: string) =>
  useQuery({
    queryKey: generationsKey(boardId),
    queryFn: async ({ signal }) => (await tessera.generations.list({ boardId, limit: 50, signal })).generations,
  });

/** One generation; read again while it is made. */
export const useGeneration = (generationId: string | null) =>
  useQuery({
    queryKey: generationKey(generationId ?? ""),
    queryFn: ({ signal }) => tessera.generations.get(generationId ?? "", { signal }),
    enabled: generationId !== null,
    refetchInterval: ({ state }) => (state.data?.status === "processing" ? 1_000 : false),
  });

/** Begins a piece and answers at once; follow it with `useGeneration`. The form shows what is refused. */
export const useGenerate = () =>
  useStartGeneration((input: GenerateInput) => tessera.generate(input, { async: true, idempotencyKey: newIdempotencyKey() }));

/** Begins ideas and answers at once; follow them with `useGeneration`. The form shows what is refused. */
export const useIdeas = () =>
  useStartGeneration((input: IdeaInput) => tessera.idea(input, { async: true, idempotencyKey: newIdempotencyKey() }));

function useStartGeneration<Input extends { readonly boardId: string }, Result>(start: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: start,
    meta: { isQuiet: true },
    onSettled: (_result, _error, { boardId }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: generationsKey(boardId) }),
        client.invalidateQueries({ queryKey: tilesKey(boardId) }),
      ]),
  });
}

export function useCancelGeneration() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (generationId: string) => tessera.generations.cancel(generationId),
    onSuccess: (generation) => client.setQueryData(generationKey(generation.id), generation),
    onSettled: (generation) => generation && client.invalidateQueries({ queryKey: generationsKey(generation.boardId) }),
  });
}
