import type { SearchFilter } from "@tessera/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { tessera } from "./client/client.ts";

/** Tiles of the whole board that match, also those that do not feed the chat, best first; the last results stay while the next are looked for. Give it words that have come to rest. */
export const useSearch = (boardId: string, words: string, filter: SearchFilter = {}) =>
  useQuery({
    queryKey: ["search", boardId, words, filter],
    queryFn: ({ signal }) => tessera.search(boardId, words, { scope: "all", ...filter, signal }),
    // A switch turned since changes what is told of a result.
    staleTime: 0,
    enabled: words.trim() !== "",
    placeholderData: keepPreviousData,
  });
