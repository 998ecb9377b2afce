import type { Board } from "../core/board.ts";

/** Identifies a board. A board itself fits as well. */
type BoardKey = Pick<Board, "businessId" | "id">;

/** A board whose rebuild has begun. `isEmptied` means that nothing of its previous index is left, such as after damage. */
export type RebuiltBoard = BoardKey & { readonly isEmptied: boolean };

/** A damaged search index that was replaced by an empty one. */
export type IndexRepair = { readonly tables: readonly string[] };

/**
 * Builds the search index of boards anew. It is derived from the tiles, so nothing is lost with it: tiles are marked as not indexed in
 * small units of work, searches read those as any other waiting tile, and the indexer indexes them.
 */
export interface IndexRebuildStore {
  /** Begins to rebuild a board, or continues a rebuild that was interrupted. Returns how many tiles are still to be marked. */
  begin(board: BoardKey): Promise<number>;
  /** Marks the next tiles. Returns how many; null when all tiles are marked and what was left of the previous index is erased. */
  step(board: BoardKey): Promise<number | null>;
  /** Lists boards whose rebuild has begun and not ended. */
  unfinished(): Promise<RebuiltBoard[]>;
  /** Counts the tiles of a board that wait for the indexer. */
  countWaiting(board: BoardKey): Promise<number>;
  /** Calls `listener` after a damaged index was replaced. Returns the function that unsubscribes. */
  onRepair(listener: (repair: IndexRepair) => void): () => void;
}
