import type { SearchFilter } from "@tessera/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { tessera } from "./client/client.ts";

/** Tiles that match, best first; the last results stay while the next are looked for. Give it words that have come to rest. */
export const useSearch = (boardId: string, words: string, filter: SearchFilter = {}) =>
  useQuery({
    queryKey: ["search", boardId, words, filter],
    queryFn: ({ signal }) => tessera.search(boardId, words, { ...filter, signal }),
    enabled: words.trim() !== "",
    placeholderData: keepPreviousData,
  });
