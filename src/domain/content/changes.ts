import type { Authorized } from "../core/access.ts";
import type { Board } from "../core/board.ts";
import type { NewJob } from "./job.ts";
import type { TileStatus, TileType } from "./tile.ts";

/**
 * The state of a board that a reader knows: every change up to the board's `revision`, and every tile whose `sequence` is lower than
 * this one. What was read later than that is new to the reader.
 */
export type KnownState = { readonly revision: number; readonly sequence: number };

/** Which tiles of a board a bulk change is for; a tile has to meet everything that is given. */
export type BulkFilter = {
  readonly tileIds?: readonly string[];
  readonly zoneId?: string;
  readonly status?: TileStatus;
  readonly type?: TileType;
  /** Milliseconds. */
  readonly createdBefore?: number;
  /** Milliseconds. */
  readonly updatedBefore?: number;
};

/** The actions of a bulk change as callers name them; exactly one goes with each call. */
export const BULK_ACTIONS = ["move_to", "delete", "restore", "retry"] as const;

export type BulkAction =
  | {
      readonly kind: "move";
      readonly zoneId: string | null;
      /** The position of each tile by its id; tiles that are not named keep theirs. */
      readonly sortOrders?: ReadonlyMap<string, number>;
    }
  | { readonly kind: "delete" }
  | { readonly kind: "restore" }
  | { readonly kind: "retry" };

/** One step of a bulk change: at most `limit` tiles that match, in the order of their creation. */
export type BulkSelection = {
  readonly filter: BulkFilter;
  readonly action: BulkAction;
  /** The sequence of the last tile of the step before; 0 for the first step. */
  readonly after: number;
  readonly limit: number;
  /** Milliseconds; a deleted tile can be restored only if it was deleted after this time. */
  readonly deletedAfter: number;
};

export type BulkStep = {
  /** The tiles of this step that match. */
  readonly matched: readonly string[];
  /** How many of them the action changed. */
  readonly changed: number;
  /** What the next step is asked with as `after`; null when no more tiles match. */
  readonly next: number | null;
};

/** The part of the store of tiles that changes many at once and tells what is gone. */
export interface TileChangeStore {
  /**
   * Applies one step of a bulk change in one transaction; null for `newJob` changes nothing. Tiles that the action does not fit (nothing
   * to retry, a zone that is deleted, already there) match and stay as they are. `newJob` makes the job of a link, or of an upload (null).
   */
  changeMany(
    scope: Authorized<Board, "write">,
    selection: BulkSelection,
    newJob: ((url: string | null) => NewJob) | null,
    now: number,
  ): Promise<BulkStep>;
  /** The ids of tiles that were deleted since this revision of the board, and still are. */
  deletedSince(scope: Authorized<Board, "read">, revision: number): Promise<string[]>;
}
