import type { SearchFilter } from "@tessera/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { tessera } from "./client/client.ts";

/**
 * Searches all tiles of a board, including those not connected to chat, best match first. Previous results stay visible while new ones
 * load. Pass a debounced query.
 */
export const useSearch = (boardId: string, words: string, filter: SearchFilter = {}) =>
  useQuery({
    queryKey: ["search", boardId, words, filter],
    queryFn: ({ signal }) => tessera.search(boardId, words, { scope: "all", ...filter, signal }),
    // The connected state of a result may have changed since.
    staleTime: 0,
    enabled: words.trim() !== "",
    placeholderData: keepPreviousData,
  });
