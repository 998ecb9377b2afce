import type { Authorized } from "../core/access.ts";
import type { Board } from "../core/board.ts";
import type { NewJob } from "./job.ts";
import type { LabelAction } from "../labels/label-action.ts";
import type { TileFilter } from "./tile.ts";

/**
 * The state of a board that a client already has: every change up to `revision`, and every tile with a lower `sequence`.
 */
export type KnownState = { readonly revision: number; readonly sequence: number };

/** Selects the tiles of a bulk change. A tile has to match every given field. */
export type BulkFilter = TileFilter & {
  readonly tileIds?: readonly string[];
  readonly externalIds?: readonly string[];
  /** Milliseconds. */
  readonly createdBefore?: number;
  /** Milliseconds. */
  readonly updatedBefore?: number;
};

/** The actions of a bulk change in the API; each call has exactly one. */
export const BULK_ACTIONS = [
  ...(["move_to", "add_tags", "remove_tags", "set_properties"] as const),
  ...(["delete", "restore", "retry", "connected_to_chat"] as const),
] as const;

export type BulkAction =
  | {
      readonly kind: "move";
      readonly zoneId: string | null;
      /** New positions by tile id; other tiles keep theirs. */
      readonly sortOrders?: ReadonlyMap<string, number>;
    }
  | { readonly kind: "delete" }
  | { readonly kind: "restore" }
  | { readonly kind: "retry" }
  /** Null: the tiles follow their zones. */
  | { readonly kind: "connect"; readonly connectedToChat: boolean | null }
  | LabelAction;

/** Where one step of a change to many tiles ends: at this number of tiles, or once their texts reach this number of bytes. */
export type StepLimit = { readonly tiles: number; readonly bytes: number };

/** A step holds the writer, so that nobody else can write: about 30 ms for this many tiles, and 15 ms for this much text. */
export const STEP_LIMIT: StepLimit = { tiles: 500, bytes: 1_048_576 };

/** One step of a bulk change: the first tiles that match, in the order of their creation. */
export type BulkSelection = {
  readonly filter: BulkFilter;
  readonly action: BulkAction;
  /** The sequence of the last tile of the previous step; 0 for the first step. */
  readonly after: number;
  readonly limit: StepLimit;
  /** Only tiles deleted after this time, in milliseconds, can be restored. */
  readonly deletedAfter: number;
};

/** A tile that was restored without its external id, because another tile has it by now. */
export type LostExternalId = { readonly tileId: string; readonly externalId: string };

export type BulkStep = {
  /** The ids of the matching tiles of this step. */
  readonly matched: readonly string[];
  /** How many of them the action changed. */
  readonly changed: number;
  readonly lostExternalIds: readonly LostExternalId[];
  /** Tiles that are not changed because their tags or properties would exceed the limits. */
  readonly overLimit: readonly string[];
  /** The `after` of the next step; null when no more tiles match. */
  readonly next: number | null;
};

/** The part of the tile store for bulk changes and for listing deletions. */
export interface TileChangeStore {
  /**
   * Applies one step of a bulk change in one transaction. Tiles that the action does not apply to (nothing to retry, a deleted zone,
   * already moved, too many tags) match but do not change. `newJob` creates the job of a link, or of an upload (null url); a null `newJob` makes it a
   * dry run.
   */
  changeMany(
    scope: Authorized<Board, "write">,
    selection: BulkSelection,
    newJob: ((url: string | null) => NewJob) | null,
    now: number,
  ): Promise<BulkStep>;
  /** Returns the ids of at most `limit` tiles that were deleted after this revision of the board and not restored, oldest first. */
  deletedSince(scope: Authorized<Board, "read">, revision: number, limit: number): Promise<string[]>;
}
