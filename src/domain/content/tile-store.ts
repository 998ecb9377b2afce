import type { Authorized } from "../core/access.ts";
import type { Board } from "../core/board.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "../core/idempotency.ts";
import type { KnownState, StepLimit, TileChangeStore } from "./changes.ts";
import type { UploadedFile } from "./file.ts";
import type { NewJob } from "./job.ts";
import type { Segment, Tile, TileError, TileFilter, TileHead, TileMetadata, TileSummary, TileType, TileWarning } from "./tile.ts";
import type { GivenTileOptions } from "./tile-options.ts";

/** What a creation does if the board has the same tile already: by default it makes another one. */
export const DUPLICATE_ACTIONS = ["create", "skip", "update"] as const;
export type DuplicateAction = (typeof DUPLICATE_ACTIONS)[number];

/** An option that is undefined or null has its default in a new tile, and is unchanged in a tile updated by its external id. */
export type NewTile = GivenTileOptions & {
  readonly id: string;
  readonly zoneId: string | null;
  readonly type: TileType;
  readonly title: string;
  readonly titleOverridden: boolean;
  readonly rawContent: string;
  /** The text of a text tile; empty for a link until it is ingested. */
  readonly extractedText: string;
  readonly sourceUrl: string | null;
  readonly metadata: TileMetadata;
  readonly externalId: string | null;
  /** True creates nothing if a tile of the board with this external id or address was deleted. */
  readonly skipDeleted?: boolean;
  /**
   * Returns the tile with this external id, or else the oldest duplicate, instead of creating one: unchanged, or updated. A duplicate is a
   * live tile of the board with the same normalised address, or made of the same text if this tile has no address.
   */
  readonly onDuplicate?: Exclude<DuplicateAction, "create">;
  /** Present for an imported tile that failed and can't be retried, such as an upload without its bytes. */
  readonly error?: TileError;
  /** Of an imported tile. */
  readonly segments?: readonly Segment[];
  readonly warnings?: readonly TileWarning[];
  readonly textOverridden?: boolean;
  /** Present for an upload, whose bytes are stored under the tile's id. */
  readonly file?: UploadedFile;
  /** The page of a link as a browser rendered it, which the job reads instead of fetching the link. It is erased once it was read. */
  readonly html?: string;
  /** The ingestion job of a link or an upload, stored in the same transaction; null for text. */
  readonly job: NewJob | null;
};

/**
 * What a creation did: it created a tile, updated an existing one or returned it unchanged, or made nothing because it was deleted.
 * `duplicate` is present if `onDuplicate` chose the existing tile.
 */
export type TileCreation<Made = Tile> =
  | { readonly tile: Made; readonly created: true }
  | { readonly tile: Made; readonly created: false; readonly changed: boolean; readonly duplicate?: true }
  | { readonly tile: null; readonly created: false; readonly deleted: true };

/** What is read of each tile of a batch: with their texts, 500 updates of one long tile would hold 500 copies of it. */
export type BatchTile = Pick<Tile, "id" | "type" | "status" | "version">;

/** Null resets an option. */
export type TilePatch = GivenTileOptions & {
  readonly title?: string;
  readonly content?: string;
  readonly zoneId?: string | null;
  readonly sortOrder?: number;
  readonly refreshMinutes?: number | null;
  readonly externalId?: string | null;
};

export type TileOrder = "asc" | "desc" | "position" | "updated";

/** Keyset cursor of a listing: the ordering columns of the last returned tile. */
export type TileCursor = readonly (number | string)[];

/** A page of a listing; `next` is the cursor of the next page, null at the end. */
export type TilePage = { readonly tiles: readonly TileSummary[]; readonly next: TileCursor | null };

export type TileQuery = TileFilter & {
  readonly externalId?: string;
  /** Only tiles with this address, in its normalised form. */
  readonly sourceUrl?: string;
  /** Only tiles changed at or after this time, in milliseconds. */
  readonly updatedSince?: number;
  /** Only tiles that were created, changed or restored since this state. */
  readonly changedSince?: KnownState;
  readonly order: TileOrder;
  /** False returns `extractedText` as an empty string. */
  readonly withText: boolean;
  /** Adds `metadata`, `warnings`, `textOverridden` and `connectedToChat`. */
  readonly withMetadata?: boolean;
  /** True skips tiles whose own `connectedToChat` is false. Zones are not checked. */
  readonly skipDisconnected?: boolean;
};

export type DueRefresh = { readonly businessId: string; readonly boardId: string; readonly tileId: string };

export interface TileStore extends TileChangeStore {
  /**
   * Lists at most `limit` tiles after `after`. Ends early once their texts reach `maxBytes`, which bounds memory. May return the same
   * object again for an unchanged tile.
   */
  list(scope: Authorized<Board, "read">, query: TileQuery, after: TileCursor | null, limit: number, maxBytes: number): Promise<TilePage>;
  /** Counts the tiles of all pages of a listing. */
  count(scope: Authorized<Board, "read">, query: TileQuery): Promise<number>;
  /** Finds a tile of this business that is not deleted, on a board that is not deleted. */
  find(businessId: string, tileId: string): Promise<Tile | null>;
  /** As `find`, without reading the texts. */
  findHead(businessId: string, tileId: string): Promise<TileHead | null>;
  /** Returns the times of a transcript without reading its texts; none for other tiles, and for those that `find` does not find. */
  findSegments(businessId: string, tileId: string): Promise<readonly Segment[]>;
  /** Finds a tile that was deleted after this time, on a board that is not deleted. */
  findDeletedHead(businessId: string, tileId: string, deletedAfter: number): Promise<TileHead | null>;
  /**
   * Creates the tile with its job. If the board has a tile with the same `externalId`, updates that one instead: its content, and title
   * and zone if given. A link with an unchanged URL is not ingested again, nor is a file with the same bytes. With `onDuplicate`, an existing
   * tile is also found by its address or text. With `skipDeleted`, creates nothing for what was deleted.
   */
  create(
    scope: Authorized<Board, "inbound">,
    tile: NewTile,
    now: number,
    idempotency?: IdempotencyRecord<TileCreation>,
  ): Promise<IdempotentOutcome<TileCreation>>;
  /** Creates several tiles in one transaction. Each item has its own outcome; an `AppError` means that the item was refused. */
  createMany(
    items: readonly { readonly scope: Authorized<Board, "inbound">; readonly tile: NewTile }[],
    now: number,
    idempotency?: IdempotencyRecord<readonly (TileCreation<BatchTile> | Error)[]>,
  ): Promise<IdempotentOutcome<readonly (TileCreation<BatchTile> | Error)[]>>;
  /** The live tile that `create` would update or return, or null. */
  findExistingHead(scope: Authorized<Board, "inbound">, tile: NewTile): Promise<TileHead | null>;
  /**
   * Stores the hashes by which duplicates are found in tiles of earlier versions, at most so many. Returns how many tiles were filled; 0 if
   * none is left.
   */
  fillHashes(limit: StepLimit): Promise<number>;
  /** Updates a tile. New content cancels a running ingestion. Throws 409 for the external id of another tile of the board. */
  update(scope: Authorized<Board, "write">, tileId: string, patch: TilePatch, now: number, ifVersion?: number): Promise<Tile>;
  remove(scope: Authorized<Board, "write">, tileId: string, now: number, ifVersion?: number): Promise<void>;
  /**
   * Restores a deleted tile, with `job` if it was still processing. It comes back without its external id if another tile has it by now.
   * Throws 409 while its zone is deleted.
   */
  restore(scope: Authorized<Board, "write">, tileId: string, job: NewJob, now: number): Promise<Tile>;
  /**
   * Sets a failed or ready tile to processing with a new job. Throws 409 for text tiles, for processing tiles, and for overridden text
   * unless `replacesText`: then the text is replaced once the source has been read.
   */
  retry(scope: Authorized<Board, "write">, tileId: string, job: NewJob, now: number, replacesText?: boolean): Promise<Tile>;
  /** Makes links due now whose next refresh is later than their schedule allows, because it was set while the clock was ahead. */
  replanRefreshes(now: number): Promise<void>;
  /** Takes at most `limit` links due for a refresh. Each is returned once, and is due again after its interval. */
  takeDueRefreshes(limit: number, now: number): Promise<readonly DueRefresh[]>;
  counts(): Promise<{ readonly processing: number; readonly indexPending: number }>;
}
