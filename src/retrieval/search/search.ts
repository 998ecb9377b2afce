import { readExcerpt } from "../passage.ts";
import type { SearchScope, SearchFilter } from "#domain/answers/search.ts";
import type { TileType } from "#domain/content/tile.ts";
import { parseQuestion } from "../lexical/query.ts";
import { chooseQuote, fitQuote } from "../answer/quote/quote.ts";
import type { RetrievalDeps } from "../candidates.ts";
import { computeBestScore } from "../rerank/rerank.ts";
import { retrieve } from "../retrieve.ts";
import type { Span } from "../text/spans.ts";
import { foldWord, splitWords } from "../text/tokenise.ts";
import { addPrefixes } from "./expand.ts";
import { findHighlights } from "./highlight.ts";
import { containsPhrase, parseSearch } from "./parse.ts";
import { loadPending } from "../lexical/pending.ts";
import { correctSpelling } from "../lexical/spelling.ts";
import { openVocabulary } from "../lexical/vocabulary.ts";
import { type TileState, openWholeBoard } from "./whole-board.ts";

export type SearchResult = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  /** Share of the best possible match, 0 to 1. */
  readonly score: number;
  /** `extractedText.slice(start, end)` of the tile; UTF-16 code units. */
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  /** The words of the search in `quote`. */
  readonly highlights: readonly Span[];
  /** Only in searches of the whole board. */
  readonly state?: TileState;
};

export type SearchOptions = {
  readonly limit: number;
  readonly filter?: SearchFilter;
  /** `connected` by default; `all` also finds disconnected tiles, and processing or failed ones by title and address. */
  readonly scope?: SearchScope;
  /** Results with a lower score are left out. */
  readonly minScore?: number;
};

/**
 * Returns the tiles that match best, each with its best passage, with decreasing scores. `"words"` must follow each other, `prefix*`
 * matches every word with that prefix, and words that the board does not contain are corrected.
 */
export async function searchBoard(
  given: RetrievalDeps,
  businessId: string,
  boardId: string,
  query: string,
  { limit, filter, scope = "connected", minScore = 0 }: SearchOptions,
): Promise<SearchResult[]> {
  const parsed = parseSearch(query);
  const whole = scope === "all" ? await openWholeBoard(given.search, businessId, boardId, parsed, filter) : null;
  const deps = whole === null ? given : { ...given, search: whole.search };
  const vocabulary = openVocabulary(deps.search, businessId, boardId, () => loadPending(deps, businessId, boardId));
  const read = parseQuestion(parsed.text);
  const known = await vocabulary.filterKnown(read.words.flatMap(({ forms }) => forms));
  const question = await addPrefixes(vocabulary, await correctSpelling(vocabulary, read, (term) => known.has(term)), parsed.prefixes);
  const found = await retrieve(deps, businessId, boardId, parsed.text, {
    limit,
    perTile: 1,
    question,
    ...(filter === undefined ? {} : { filter }),
    ...(parsed.phrases.length === 0 ? {} : { accept: (text: string) => containsAllPhrases(text, parsed.phrases) }),
  });
  const hasVectors = found.passages.some(({ parts }) => parts.semantic !== null);
  const bestScore = computeBestScore(found.question, hasVectors);
  const results = found.passages.map((passage): SearchResult => {
    const { tileId, title, type, around } = passage;
    const score = Math.min(1, Math.max(0, passage.score / bestScore));
    const state = whole?.getState(tileId);
    // A tile has no text to quote before it is ready.
    const { start, end } =
      state === undefined || state.status === "ready" ? fitQuote(passage, chooseQuote(passage, found.question)) : EMPTY_SPAN;
    const quote = readExcerpt(around, { start, end });
    const highlights = findHighlights(quote, found.question, parsed, passage.match.language);
    return { tileId, title, type, score, quote, start, end, highlights, ...(state === undefined ? {} : { state }) };
  });
  return results.filter(({ score }) => score >= minScore);
}

const EMPTY_SPAN: Span = { start: 0, end: 0 };

function containsAllPhrases(text: string, phrases: readonly (readonly string[])[]): boolean {
  const words = splitWords(text).map(foldWord);
  return phrases.every((phrase) => containsPhrase(words, phrase));
}
