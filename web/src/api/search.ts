import type { SearchFilter } from "@tessera-board/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { tessera } from "./client/client.ts";

/**
 * Searches all tiles of a board, including those not connected to chat, best match first. Previous results stay visible while new ones
 * load. Pass a debounced query.
 */
export const useSearch = (boardId: string, query: string, filter: SearchFilter = {}) =>
  useQuery({
    queryKey: ["search", boardId, query, filter],
    queryFn: ({ signal }) => tessera.search(boardId, query, { scope: "all", ...filter, signal }),
    // The connected state of a result may have changed since.
    staleTime: 0,
    enabled: query.trim() !== "",
    placeholderData: keepPreviousData,
  });
