import type { TileType } from "#domain/content/tile.ts";
import type { PassageMatch } from "./rerank/match-passage.ts";
import type { WeightedQuestion } from "./lexical/weight-question.ts";

/** A passage found for a question, of a tile that is connected. */
export type Passage = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  readonly sourceUrl: string | null;
  /** `tileText.slice(start, end)`. */
  readonly text: string;
  /** UTF-16 code units into the tile's `extractedText`. */
  readonly start: number;
  readonly end: number;
  /** What it is ranked by: the second look and, in talk, the stretch it stands in. Never rises from one passage to the next. */
  readonly score: number;
  /** What the score is made of: words, meaning (a cosine, null without vectors), and the second look (null where it was not taken). */
  readonly parts: { readonly lexical: number; readonly semantic: number | null; readonly rerank: number | null };
  /** Share of the question's idf mass that the passage holds (title included), 0 to 1. */
  readonly coverage: number;
  /** Sentence by sentence, how it meets the question; offsets are into `text`. */
  readonly match: PassageMatch;
  /** The whole `extractedText`, by reference, for what lies around the passage. */
  readonly tileText: string;
};

/** What a passage is worth by what it holds itself: by which answers are chosen and believed, whatever stands around it. */
export const getOwnScore = ({ parts, score }: Passage): number => parts.rerank ?? score;

/** What a question found: passages best first, and how much each of its terms tells on this board. */
export type Retrieval = {
  readonly passages: readonly Passage[];
  readonly question: WeightedQuestion;
  /** Passages that were looked at and came after the last of these, best first. */
  readonly others: readonly Passage[];
  /** Passages on the board that were ranked against, pending ones included. */
  readonly documents: number;
};
