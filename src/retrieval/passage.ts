import type { TileType } from "#domain/content/tile.ts";
import type { WeightedQuestion } from "./lexical/weight-question.ts";
import type { PassageMatch } from "./rerank/match-passage.ts";
import { alignToCodePoint } from "./text/characters.ts";
import type { Span } from "./text/spans.ts";

/** A part of a tile's text: `text` is `extractedText.slice(start, start + text.length)`. Offsets are UTF-16 code units. */
export type Excerpt = { readonly text: string; readonly start: number };

/** Texts of at most this length are kept whole. Of a longer one, this much on each side of the passage is kept. */
const MAX_WHOLE_LENGTH = 100_000;
const CONTEXT_LENGTH = 25_000;

/** Returns a passage's text with what surrounds it, without a reference to the whole text, of which a question may read many. */
export function cutExcerpt(text: string, { start, end }: Span): Excerpt {
  if (text.length <= MAX_WHOLE_LENGTH) return { text, start: 0 };
  const from = alignToCodePoint(text, Math.max(0, start - CONTEXT_LENGTH));
  const to = alignToCodePoint(text, Math.min(text.length, end + CONTEXT_LENGTH));
  // A slice would keep the whole text in memory.
  return { text: Buffer.from(text.slice(from, to), "utf16le").toString("utf16le"), start: from };
}

/** Returns the range of the tile's text. */
export const readExcerpt = ({ text, start }: Excerpt, range: Span): string => text.slice(range.start - start, range.end - start);

/** Converts a range of the tile's text to one of the excerpt. */
export const toExcerptSpan = ({ start }: Excerpt, range: Span): Span => ({ start: range.start - start, end: range.end - start });

/** Converts a range of the excerpt to one of the tile's text. */
export const toTileSpan = ({ start }: Excerpt, range: Span): Span => ({ start: range.start + start, end: range.end + start });

/** A passage found for a question, of a connected tile. */
export type Passage = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  readonly sourceUrl: string | null;
  /** `extractedText.slice(start, end)` of the tile. */
  readonly text: string;
  /** UTF-16 code units into the tile's `extractedText`. */
  readonly start: number;
  readonly end: number;
  /** The score by which it is ranked: the reranker's and, in conversations, that of the passages around it. Never increases along a ranking. */
  readonly score: number;
  /** Parts of the score: BM25, cosine to the question (null without vectors), and the reranker's own score (null if it was not reranked). */
  readonly parts: { readonly lexical: number; readonly semantic: number | null; readonly rerank: number | null };
  /** Share of the question's idf sum that the passage and its title contain, 0 to 1. */
  readonly coverage: number;
  /** How each sentence matches the question; offsets are into `text`. */
  readonly match: PassageMatch;
  /** The text of the tile around the passage. */
  readonly around: Excerpt;
};

/** Returns the score by the passage's own content, without the passages around it. Answers are chosen by this score. */
export const getOwnScore = ({ parts, score }: Passage): number => parts.rerank ?? score;

/** The result of retrieval for a question. */
export type Retrieval = {
  /** Best first. */
  readonly passages: readonly Passage[];
  /** The question with the idf of its words on this board. */
  readonly question: WeightedQuestion;
  /** Reranked passages beyond the limits of `passages`, best first. */
  readonly others: readonly Passage[];
  /** Passages that nearly repeat one of another tile among `passages` or `others`. */
  readonly duplicates: readonly Passage[];
  /** Passages on the board, pending ones included. */
  readonly documents: number;
};
