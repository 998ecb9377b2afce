import { useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { useBoards } from "../api/boards.ts";
import { useSearch } from "../api/search.ts";
import type { Quote } from "../text/quote.ts";
import { actionItems, isNamed, type Item } from "./items.ts";
import { growing } from "./snippet.ts";

/** How long words must rest before the server is asked, in milliseconds. */
const REST_MS = 140;
/** Boards shown while nothing is typed. */
const FEW_BOARDS = 6;

/** What can be chosen for these words: tiles that hold them, boards and actions named so. */
export function useItems(boardId: string, words: string, openTile: (tileId: string, quote?: Quote) => void) {
  const [, goTo] = useLocation();
  const typed = words.trim();
  const rested = useRested(typed);
  const { data: boards } = useBoards();
  const { data: results, isFetching, error } = useSearch(boardId, growing(rested), { limit: 12 });

  const items = useMemo((): readonly Item[] => {
    const found = typed === "" || rested === "" ? [] : (results ?? []);
    const tiles = found.map((result): Item => {
      const { tileId, title, quote, start, end } = result;
      // A tile that was found by its title alone has no words to show.
      const place = quote === "" ? undefined : { quote, start, end };
      return { id: tileId, section: "Tiles", name: title, result, run: () => openTile(tileId, place) };
    });
    const others = (boards ?? [])
      .filter(({ id, name }) => id !== boardId && (typed === "" || isNamed(name, typed)))
      .slice(0, typed === "" ? FEW_BOARDS : 50)
      .map(({ id, name }): Item => ({ id, section: "Boards", name, run: () => goTo(`/b/${id}`) }));
    const actions = actionItems(typed, goTo);
    return typed === "" ? [...actions, ...others] : [...tiles, ...others, ...actions];
  }, [typed, rested, results, boards, boardId, goTo, openTile]);

  return { items, isLooking: typed !== "" && (isFetching || rested !== typed), error };
}

function useRested(words: string): string {
  const [rested, setRested] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setRested(words), REST_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return rested;
}
