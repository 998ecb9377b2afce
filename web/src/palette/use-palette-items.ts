import { useMemo } from "react";
import { useLocation } from "wouter";
import { useBoards } from "../api/boards.ts";
import { useSearch } from "../api/search.ts";
import type { Quote } from "../text/quote.ts";
import { useDebounced } from "../ui/hooks/use-debounced.ts";
import { type PaletteItem, findActions } from "./actions.ts";
import { hasWords, matchesName } from "./names.ts";
import { toPrefixQuery } from "./prefix-query.ts";

/** Delay between typing and the search request, in milliseconds. */
const DEBOUNCE_MS = 140;
/** Boards suggested for an empty query. */
const MAX_SUGGESTED_BOARDS = 6;

/** The entries for a query: matching tiles, boards and actions. */
export function usePaletteItems(boardId: string, query: string, openTile: (tileId: string, quote?: Quote) => void) {
  const [, goTo] = useLocation();
  const typed = query.trim();
  const debounced = useDebounced(typed, DEBOUNCE_MS);
  const { data: boards } = useBoards();
  const { data: results, isFetching, error } = useSearch(boardId, toPrefixQuery(debounced), { limit: 12 });

  const items = useMemo((): readonly PaletteItem[] => {
    const found = typed === "" || debounced === "" ? [] : (results ?? []);
    const tiles = found.map((result): PaletteItem => {
      const { tileId, title, quote, start, end, highlights } = result;
      // A tile that was found only by its title has no quote.
      const span = quote === "" ? undefined : { quote, start, end, highlights };
      return { id: tileId, section: "Tiles", name: title, result, run: () => openTile(tileId, span) };
    });
    const others = (boards ?? [])
      .filter(({ id, name }) => id !== boardId && (typed === "" || matchesName(name, typed)))
      .slice(0, typed === "" ? MAX_SUGGESTED_BOARDS : 50)
      .map(({ id, name }): PaletteItem => ({ id, section: "Boards", name, run: () => goTo(`/b/${id}`) }));
    const actions = findActions(typed, goTo);
    if (typed === "") return [...actions, ...others];
    // Whoever types the name of an action or a board means it: it comes first, so that Enter runs it.
    const meantActions = actions.filter(({ name }) => hasWords(name, typed));
    const meantBoards = others.filter(({ name }) => hasWords(name, typed) && hasWords(typed, name));
    const first = [
      ...(meantActions.length > 0 ? [...meantActions, ...actions] : []),
      ...(meantBoards.length > 0 ? [...meantBoards, ...others] : []),
    ];
    return [...new Set([...first, ...tiles, ...others, ...actions])];
  }, [typed, debounced, results, boards, boardId, goTo, openTile]);

  return { items, isSearching: typed !== "" && (isFetching || debounced !== typed), error };
}
