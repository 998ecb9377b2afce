import type { BulkResult, Tile, TileSummary } from "../generated/schemas.ts";
import type { CallOptions, CreateOptions, UpdateOptions, WaitOptions } from "../transport/transport.ts";
import type { Created, Restored, TilePage, Versioned } from "../types.ts";
import type { BulkChange, NewFile, NewTile, TileChanges, TileChangesOptions, TileListOptions, TilePatch } from "./input.ts";

/** Tiles: links, files and texts on a board. */
export interface TileMethods {
  /** One page of the tiles of a board. Without `text: false`, with their texts. */
  list(boardId: string, options?: TileListOptions): Promise<TilePage>;

  /** Every tile of the listing, read page by page (100 per page by default). */
  iterate(boardId: string, options?: TileListOptions): AsyncGenerator<TileSummary, void, undefined>;

  /** What changed since the previous call. No change between two calls is missed. `boards.follow` says when to call. */
  changes(boardId: string, options?: TileChangesOptions): Promise<TileChanges>;

  /**
   * Creates a tile from text, which is ready immediately, or from a link, which is read in the background. With an `externalId` that a tile
   * of the board has, updates that tile; `created` and `changed` say what was done.
   */
  create(boardId: string, tile: NewTile & { readonly skipDeleted?: false }, call?: CreateOptions): Promise<Created<Versioned<Tile>>>;
  /** With `skipDeleted`, returns null if a tile with this `externalId` or address was deleted. */
  create(boardId: string, tile: NewTile, call?: CreateOptions): Promise<Created<Versioned<Tile>> | null>;

  /** Returns a tile. With `wait` (seconds, at most 60), responds when it is no longer processing, or when the time is up. */
  get(tileId: string, options?: WaitOptions): Promise<Versioned<Tile>>;

  /** Changes the fields that are given; the others keep their value. New `content` replaces the text. */
  update(tileId: string, patch: TilePatch, call?: UpdateOptions): Promise<Versioned<Tile>>;

  /** Deletes a tile. It can be restored for 30 days. */
  delete(tileId: string, call?: CallOptions): Promise<void>;

  /** Restores a tile that was deleted in the last 30 days. */
  restore(tileId: string, call?: CallOptions): Promise<Restored<Versioned<Tile>>>;

  /** Creates a tile from a file. Its type is detected from its bytes. With an `externalId` that exists, replaces the file of that tile. */
  upload(boardId: string, file: NewFile & { readonly skipDeleted?: false }, call?: CreateOptions): Promise<Created<Versioned<Tile>>>;
  /** With `skipDeleted`, returns null if a tile with this `externalId` was deleted. */
  upload(boardId: string, file: NewFile, call?: CreateOptions): Promise<Created<Versioned<Tile>> | null>;

  /** Reads a link again. Fails with 409 for text, while processing, and for text that was replaced by hand unless `replaceText`. */
  retry(tileId: string, options?: CallOptions & { readonly replaceText?: boolean }): Promise<Versioned<Tile>>;

  /** Applies one action to every tile that matches. Tiles that the action does not apply to are not changed. */
  bulk(boardId: string, change: BulkChange, call?: CallOptions): Promise<BulkResult>;

  /** Reads all failed links and uploads of a board again; returns how many. */
  retryFailed(boardId: string, call?: CallOptions): Promise<number>;

  /**
   * The URL of the thumbnail of a tile, for `img` elements of pages that the server itself serves. 404 if there is none. Browsers cache it
   * for a day; change `version` when the `thumbnailUrl` of the tile changes.
   */
  thumbnailUrl(boardId: string, tileId: string, version?: string): string;

  /** The thumbnail of a tile. Fails with 404 if there is none. */
  thumbnail(boardId: string, tileId: string, call?: CallOptions): Promise<Blob>;
}
