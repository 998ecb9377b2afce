import { setImmediate } from "node:timers/promises";
import { hasTerm, iterateTerms } from "#domain/answers/analysis.ts";
import type { AnalysedTile, SearchStore } from "#domain/answers/search.ts";
import { PREFIX_MARK } from "../text/prefixes.ts";
import { createTurnCounter } from "./turn-counter.ts";
import { LOOKUPS_PER_TURN } from "./pending.ts";

/** The index terms of a board, including those of tiles that are not indexed yet. */
export type Vocabulary = {
  /** Returns those of the terms that the board contains. */
  filterKnown(terms: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns at most `limit` terms with this prefix. */
  listWithPrefix(prefix: string, limit: number): Promise<readonly string[]>;
};

/** Opens the vocabulary for one question. `loadPending` returns the tiles that are not indexed yet; it is called once. */
export function openVocabulary(
  search: Pick<SearchStore, "postings" | "terms">,
  businessId: string,
  boardId: string,
  loadPending: () => Promise<readonly AnalysedTile[]>,
): Vocabulary {
  let loading: Promise<readonly AnalysedTile[]> | undefined;
  const load = (): Promise<readonly AnalysedTile[]> => (loading ??= loadPending());
  const isTurnOver = createTurnCounter(LOOKUPS_PER_TURN);
  const isPending = async (tiles: readonly AnalysedTile[], term: string): Promise<boolean> => {
    for (const { parts } of tiles) {
      for (const part of parts) {
        if (isTurnOver()) await setImmediate();
        if (hasTerm(part.terms, term)) return true;
      }
    }
    return false;
  };
  const lists = new Map<string, Promise<readonly string[]>>();
  const read = async (prefix: string, limit: number): Promise<readonly string[]> => {
    const [stored, pending] = await Promise.all([search.terms(businessId, boardId, prefix, limit), load()]);
    const found = await listPending(pending, prefix, limit, isTurnOver);
    for (const term of stored) if (found.size < limit) found.add(term);
    return [...found];
  };
  return {
    async filterKnown(terms) {
      const [stored, pending] = await Promise.all([search.postings(businessId, boardId, terms), load()]);
      const known = new Set<string>();
      for (const term of terms) if (stored.has(term) || (await isPending(pending, term))) known.add(term);
      return known;
    },
    listWithPrefix(prefix, limit) {
      // Misspelt words of one question often begin with the same letter.
      const key = `${limit} ${prefix}`;
      const list = lists.get(key) ?? read(prefix, limit);
      lists.set(key, list);
      return list;
    },
  };
}

/** Returns the words of pending tiles with this prefix, without the terms that stand for prefixes. */
async function listPending(tiles: readonly AnalysedTile[], prefix: string, limit: number, isTurnOver: () => boolean): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { parts } of tiles) {
    for (const part of parts) {
      if (isTurnOver()) await setImmediate();
      for (const term of iterateTerms(part.terms, prefix)) {
        if (found.size >= limit) return found;
        if (!term.startsWith(PREFIX_MARK)) found.add(term);
      }
    }
  }
  return found;
}
