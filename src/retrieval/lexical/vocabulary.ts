import type { Analyser, SearchStore } from "#domain/answers/search.ts";
import { PREFIX_MARK } from "../text/tokenise.ts";

/** The index terms of a board, of tiles that are not indexed yet as well. */
export type Vocabulary = {
  /** Those of these terms that the board has. */
  filterKnown(terms: readonly string[]): Promise<ReadonlySet<string>>;
  /** Terms that begin so, at most `limit`. */
  listWithPrefix(prefix: string, limit: number): Promise<readonly string[]>;
};

/** Characters of waiting tiles whose terms are gathered, some 4 MB of them. */
const MAX_PENDING_TERMS = 200_000;

export function openVocabulary(
  { search, analyse }: { readonly search: SearchStore; readonly analyse: Analyser["analyse"] },
  businessId: string,
  boardId: string,
): Vocabulary {
  let loading: Promise<ReadonlySet<string>> | undefined;
  /** Analysed once, and only when a word is looked up. */
  const loadPendingTerms = (): Promise<ReadonlySet<string>> => {
    loading ??= (async () => {
      const tiles = await search.pendingConnected(businessId, boardId, MAX_PENDING_TERMS);
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
