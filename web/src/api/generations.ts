import type { GenerateInput, IdeaInput } from "@tessera/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { newOnce, tessera } from "./client/client.ts";
import { generationOf, generationsOf, tilesOf } from "./keys.ts";

/** What was made of a board, the newest first. */
export const useGenerations = (boardId: string) =>
  useQuery({
    queryKey: generationsOf(boardId),
    queryFn: async ({ signal }) => (await tessera.generations.list({ boardId, limit: 50, signal })).generations,
  });

/** One generation; read again while it is made. */
export const useGeneration = (generationId: string | null) =>
  useQuery({
    queryKey: generationOf(generationId ?? ""),
    queryFn: ({ signal }) => tessera.generations.get(generationId ?? "", { signal }),
    enabled: generationId !== null,
    refetchInterval: ({ state }) => (state.data?.status === "processing" ? 1_000 : false),
  });

/** Begins a piece and answers at once; follow it with `useGeneration`. The form shows what is refused. */
export const useGenerate = () => useMaking((input: GenerateInput) => tessera.generate(input, { async: true, idempotencyKey: newOnce() }));

/** Begins ideas and answers at once; follow them with `useGeneration`. The form shows what is refused. */
export const useIdeas = () => useMaking((input: IdeaInput) => tessera.idea(input, { async: true, idempotencyKey: newOnce() }));

function useMaking<Input extends { readonly boardId: string }, Result>(make: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: make,
    meta: { isQuiet: true },
    onSettled: (_result, _error, { boardId }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: generationsOf(boardId) }),
        client.invalidateQueries({ queryKey: tilesOf(boardId) }),
      ]),
  });
}

export function useCancelGeneration() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (generationId: string) => tessera.generations.cancel(generationId),
    onSuccess: (generation) => client.setQueryData(generationOf(generation.id), generation),
    onSettled: (generation) => generation && client.invalidateQueries({ queryKey: generationsOf(generation.boardId) }),
  });
}
