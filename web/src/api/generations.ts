import type { GenerateInput, IdeaInput } from "@tessera-board/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey, tessera } from "./client/client.ts";
import { generationKey, generationsKey, tilesKey } from "./query-keys.ts";

/** Drafts and ideas generated from a board, newest first. */
export const useGenerations = (boardId: string) =>
  useQuery({
    queryKey: generationsKey(boardId),
    queryFn: async ({ signal }) => (await tessera.generations.list({ boardId, limit: 50, signal })).generations,
  });

/** One generation, polled while it is processing. */
export const useGeneration = (generationId: string | null) =>
  useQuery({
    queryKey: generationKey(generationId ?? ""),
    queryFn: ({ signal }) => tessera.generations.get(generationId ?? "", { signal }),
    enabled: generationId !== null,
    refetchInterval: ({ state }) => (state.data?.status === "processing" ? 1_000 : false),
  });

/** Starts generating a draft and returns immediately; follow it with `useGeneration`. Errors are shown by the form. */
export const useGenerate = () =>
  useStartGeneration((input: GenerateInput) => tessera.generate(input, { async: true, idempotencyKey: newIdempotencyKey() }));

/** Starts generating ideas and returns immediately; follow them with `useGeneration`. Errors are shown by the form. */
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
