import type { Authorized } from "../core/access.ts";
import type { Board } from "../core/board.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "../core/idempotency.ts";
import type { KnownState, TileChangeStore } from "./changes.ts";
import type { UploadedFile } from "./file.ts";
import type { NewJob } from "./job.ts";
import type { Segment, Tile, TileError, TileMetadata, TileStatus, TileSummary, TileType, TileWarning } from "./tile.ts";

export type NewTile = {
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
  /** As in `Tile`. Left out or null: the default of a new tile, and no change of one that is updated by its external id. */
  readonly connectedToChat?: boolean | null;
  /** Present for what failed elsewhere and can't be tried again, such as an upload whose bytes were left behind. */
  readonly error?: TileError;
  /** Of an imported tile, as they were. */
  readonly segments?: readonly Segment[];
  readonly warnings?: readonly TileWarning[];
  /** Present for an upload, whose bytes are kept under the tile's id. */
  readonly file?: UploadedFile;
  /** Present for a link and an upload: written with the tile in one transaction. */
  readonly job: NewJob | null;
};

export type TilePatch = {
  readonly title?: string;
  readonly content?: string;
  readonly zoneId?: string | null;
  readonly sortOrder?: number;
  readonly refreshMinutes?: number | null;
  readonly connectedToChat?: boolean | null;
};

export type TileOrder = "asc" | "desc" | "position" | "updated";

/** Where a listing goes on: the ordering columns of the last tile shown. */
export type TileCursor = readonly (number | string)[];

/** A step of a listing; `next` is where it goes on, null at its end. */
export type TilePage = { readonly tiles: readonly TileSummary[]; readonly next: TileCursor | null };

export type TileQuery = {
  readonly zoneId?: string;
  readonly status?: TileStatus;
  readonly type?: TileType;
  /** Milliseconds; tiles changed at or after it. */
  readonly updatedSince?: number;
  /** Only tiles that were created, changed or restored since this state. */
  readonly changedSince?: KnownState;
  readonly order: TileOrder;
  /** Without it `extractedText` is the empty string. */
  readonly withText: boolean;
  /** Adds `metadata`, `warnings`, `textOverridden` and `connectedToChat`. */
  readonly withMetadata?: boolean;
  /** True leaves out tiles whose own `connectedToChat` is false; their zones are not looked at. */
  readonly skipDisconnected?: boolean;
};

export type DueRefresh = { readonly businessId: string; readonly boardId: string; readonly tileId: string };

export interface TileStore extends TileChangeStore {
  /**
   * At most `limit` tiles after `after`, ended early once their texts reach `maxBytes`, so that a listing of huge tiles is read
   * in bounded memory. A tile that did not change may be answered with the same object again.
   */
  list(scope: Authorized<Board, "read">, query: TileQuery, after: TileCursor | null, limit: number, maxBytes: number): Promise<TilePage>;
  /** A tile that is not deleted, on a board that is not deleted, of this business. */
  find(businessId: string, tileId: string): Promise<Tile | null>;
  findDeleted(businessId: string, tileId: string, deletedAfter: number): Promise<Tile | null>;
  /**
   * Creates the tile, with its job. With an `externalId` already on the board, that tile is updated instead: content,
   * and title or zone where given; a link whose address is unchanged is left as it is.
   */
  create(
    scope: Authorized<Board, "inbound">,
    tile: NewTile,
    now: number,
    idempotency?: IdempotencyRecord<Tile>,
  ): Promise<IdempotentOutcome<Tile>>;
  /** Several creations in one transaction, each with its own outcome; an `AppError` is an item's refusal. */
  createMany(
    items: readonly { readonly scope: Authorized<Board, "inbound">; readonly tile: NewTile }[],
    now: number,
    idempotency?: IdempotencyRecord<readonly (Tile | Error)[]>,
  ): Promise<IdempotentOutcome<readonly (Tile | Error)[]>>;
  /** New content ends an ingestion that is still running. */
  update(scope: Authorized<Board, "write">, tileId: string, patch: TilePatch, now: number, ifVersion?: number): Promise<Tile>;
  remove(scope: Authorized<Board, "write">, tileId: string, now: number, ifVersion?: number): Promise<void>;
  /** Brings a deleted tile back; `job` runs again where it was still processing. 409 while its zone is deleted. */
  restore(scope: Authorized<Board, "write">, tileId: string, job: NewJob, now: number): Promise<Tile>;
  /**
   * failed or ready → processing, with a fresh job; 409 for text, while processing, and for text by hand unless `replacesText`: then that
   * text is replaced as soon as the source was read, and stays where it could not be.
   */
  retry(scope: Authorized<Board, "write">, tileId: string, job: NewJob, now: number, replacesText?: boolean): Promise<Tile>;
  /** Makes links due now whose next time is further away than their schedule: it was set while the clock was ahead. */
  replanRefreshes(now: number): Promise<void>;
  /** Links that are to be read again by now, at most `limit`; each is given out once, and is due again after its own time. */
  takeDueRefreshes(limit: number, now: number): Promise<readonly DueRefresh[]>;
  counts(): Promise<{ readonly processing: number; readonly indexPending: number }>;
}
