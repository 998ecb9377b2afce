import type { Analyser, SearchStore } from "#domain/answers/search.ts";
import { PREFIX_MARK } from "../text/prefixes.ts";

/** The index terms of a board, including those of tiles that are not indexed yet. */
export type Vocabulary = {
  /** Returns those of the terms that the board contains. */
  filterKnown(terms: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns at most `limit` terms with this prefix. */
  listWithPrefix(prefix: string, limit: number): Promise<readonly string[]>;
};

/** Characters of pending tiles whose terms are collected; the terms take about 4 MB. */
const MAX_PENDING_CHARACTERS = 200_000;

export function openVocabulary(
  { search, analyse }: { readonly search: SearchStore; readonly analyse: Analyser["analyse"] },
  businessId: string,
  boardId: string,
): Vocabulary {
  let loading: Promise<ReadonlySet<string>> | undefined;
  /** Analyses pending tiles once, and only if a term is looked up. */
  const loadPendingTerms = (): Promise<ReadonlySet<string>> => {
    loading ??= (async () => {
      const tiles = await search.pendingConnected(businessId, boardId, MAX_PENDING_CHARACTERS);
      const analyses = tiles.length === 0 ? [] : await analyse(tiles);
      return new Set(analyses.flatMap(({ terms }) => [...terms.keys()]));
    })();
    return loading;
  };
  return {
    async filterKnown(terms) {
      const [stored, pending] = await Promise.all([search.postings(businessId, boardId, terms), loadPendingTerms()]);
      return new Set(terms.filter((term) => stored.has(term) || pending.has(term)));
    },
    async listWithPrefix(prefix, limit) {
      const [stored, pending] = await Promise.all([search.terms(businessId, boardId, prefix, limit), loadPendingTerms()]);
      const pendingMatches = [...pending].filter((term) => term.startsWith(prefix) && !term.startsWith(PREFIX_MARK));
      return [...new Set([...pendingMatches, ...stored])].slice(0, limit);
    },
  };
}
