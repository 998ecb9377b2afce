import type { TileType } from "#domain/tile.ts";

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
  readonly score: number;
  /** Share of the question's idf mass that the passage holds (title included), 0 to 1. */
  readonly coverage: number;
  /** The whole `extractedText`, by reference, for what lies around the passage. */
  readonly tileText: string;
};

/** What a question found: passages best first, and how much each of its terms tells on this board. */
export type Retrieval = {
  readonly passages: readonly Passage[];
  /** Idf of each distinct term of the question times its occurrences there, in its order. */
  readonly weights: ReadonlyMap<string, number>;
  /** Passages on the board that were ranked against, pending ones included. */
  readonly documents: number;
};
