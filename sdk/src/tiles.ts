import type { Operations } from "./generated/operations.ts";
import type { BulkResult, Tile, TileOrigin, TileSummary } from "./generated/schemas.ts";
import type { BodyOf, FormOf, QueryOf } from "./transport/operation.ts";
import { paginate } from "./transport/paginate.ts";
import { type CallOptions, type CreateOptions, type Send, type UpdateOptions, splitOptions } from "./transport/transport.ts";
import type { TilePage, Versioned } from "./types.ts";

type ListQuery = QueryOf<"GET /api/board/{boardId}/tiles">;
type CreateBody = BodyOf<"POST /api/board/{boardId}/tiles">;
type BulkBody = BodyOf<"POST /api/board/{boardId}/tiles/bulk">;
type TileResponse = Operations["GET /api/board/tiles/{tileId}"]["response"];

export type TileListOptions = CallOptions & Omit<ListQuery, "cursor" | "syncToken"> & { readonly cursor?: string | null };

/** Exactly one of `content` and `url`. Links are read in the background. */
export type NewTile = Omit<CreateBody, "content" | "url" | "origin" | "zoneId"> & { readonly zoneId?: string | null } & Content;

/** The content of a new tile: text or a link. `origin` says what wrote the text; the tile then starts with `connectedToChat` false. */
export type Content =
  | { readonly content: string; readonly origin?: TileOrigin; readonly url?: undefined }
  | { readonly url: string; readonly content?: undefined; readonly origin?: undefined };

export type NewFile = Omit<FormOf<"POST /api/board/{boardId}/files">, "zoneId"> & {
  /** The file name. Default: the name of the `File`. */
  readonly name?: string;
  readonly zoneId?: string | null;
};

export type TilePatch = BodyOf<"PATCH /api/board/tiles/{tileId}">;

export type TileChangesOptions = CallOptions &
  Pick<ListQuery, "text" | "metadata"> & {
    /** The `syncToken` of the previous call. Without it, every tile is returned. */
    readonly syncToken?: string | null;
  };

/** What changed on a board since a sync token. */
export type TileChanges = {
  /** Created, changed and restored tiles; every tile of the board if `complete`. */
  readonly tiles: readonly TileSummary[];
  /** The ids of deleted tiles. */
  readonly deleted: readonly string[];
  /** True if `tiles` is the whole listing: on the first call, and if the token is too old. */
  readonly complete: boolean;
  /** For the next call. */
  readonly syncToken: string;
};

/** Which tiles a bulk change applies to. At least one field; a tile must match all of them. */
export type TileFilter = BulkBody["filter"];

/** Exactly one action. */
export type BulkAction =
  | {
      /** Null removes the tiles from their zones. */
      readonly moveTo: string | null;
      /** The position of each of the filter's `tileIds`, in the same order. */
      readonly sortOrders?: readonly number[];
    }
  | { readonly delete: true }
  | { readonly restore: true }
  | { readonly retry: true };

export type BulkChange = Omit<BulkBody, "action"> & { readonly action: BulkAction };

export function tileMethods(send: Send) {
  return { ...listingMethods(send), ...singleTileMethods(send), ...bulkMethods(send) };
}

function listingMethods(send: Send) {
  async function list(boardId: string, options: TileListOptions = {}): Promise<TilePage> {
    const { call, rest } = splitOptions(options);
    const query = { ...rest, cursor: rest.cursor ?? undefined };
    const page = await send("GET /api/board/{boardId}/tiles", { ...call, path: { boardId }, query });
    return { tiles: page.tiles, nextCursor: page.nextCursor ?? null };
  }

  return {
    list,

    /** Every tile of the listing, read page by page (100 per page by default). */
    iterate: (boardId: string, options: TileListOptions = {}): AsyncGenerator<TileSummary, void, undefined> =>
      paginate(async (cursor) => {
        const { tiles, nextCursor } = await list(boardId, { limit: 100, ...options, cursor });
        return { items: tiles, nextCursor };
      }, options.cursor),

    /** What changed since the previous call. No change between two calls is missed. `boards.follow` says when to call. */
    changes: async (boardId: string, options: TileChangesOptions = {}): Promise<TileChanges> => {
      const { call, rest } = splitOptions(options);
      const query = { ...rest, syncToken: rest.syncToken ?? "0" };
      const page = await send("GET /api/board/{boardId}/tiles", { ...call, path: { boardId }, query });
      const { tiles, deleted, complete, syncToken: next } = page as typeof page & TileChanges;
      return { tiles, deleted, complete, syncToken: next };
    },
  };
}

function singleTileMethods(send: Send) {
  return {
    create: async (boardId: string, tile: NewTile, call: CreateOptions = {}): Promise<Versioned<Tile>> =>
      tileIn(await send("POST /api/board/{boardId}/tiles", { ...call, path: { boardId }, body: tile as CreateBody })),

    /** With `wait` (seconds, at most 60), responds when the tile is no longer processing, or when the time is up. */
    get: async (tileId: string, { wait, ...call }: CallOptions & { readonly wait?: number } = {}): Promise<Versioned<Tile>> =>
      tileIn(await send("GET /api/board/tiles/{tileId}", { ...call, path: { tileId }, query: { wait } })),

    update: async (tileId: string, patch: TilePatch, call: UpdateOptions = {}): Promise<Versioned<Tile>> =>
      tileIn(await send("PATCH /api/board/tiles/{tileId}", { ...call, path: { tileId }, body: patch })),

    delete: async (tileId: string, call: CallOptions = {}): Promise<void> => {
      await send("DELETE /api/board/tiles/{tileId}", { ...call, path: { tileId } });
    },

    /** Restores a tile that was deleted in the last 30 days. */
    restore: async (tileId: string, call: CallOptions = {}): Promise<Versioned<Tile>> =>
      tileIn(await send("POST /api/board/tiles/{tileId}/restore", { ...call, path: { tileId } })),

    /** Creates a tile from a file. Its type is detected from its bytes. */
    upload: async (boardId: string, { file, name, zoneId, ...fields }: NewFile, call: CreateOptions = {}): Promise<Versioned<Tile>> => {
      const form = {
        zoneId: zoneId ?? undefined,
        ...fields,
        file: name === undefined ? file : new File([file], name, { type: file.type }),
      };
      return tileIn(await send("POST /api/board/{boardId}/files", { ...call, path: { boardId }, form }));
    },

    /** Reads a link again. Fails with 409 for text, while processing, and for text that was replaced by hand unless `replaceText`. */
    retry: async (
      tileId: string,
      { replaceText, ...call }: CallOptions & { readonly replaceText?: boolean } = {},
    ): Promise<Versioned<Tile>> =>
      tileIn(await send("POST /api/board/tiles/{tileId}/retry", { ...call, path: { tileId }, query: { replaceText } })),
  };
}

function bulkMethods(send: Send) {
  return {
    /** Moves, deletes, restores or retries every tile that matches. Tiles that the action does not apply to are not changed. */
    bulk: async (boardId: string, change: BulkChange, call: CallOptions = {}): Promise<BulkResult> => {
      const { matched, changed, tileIds } = await send("POST /api/board/{boardId}/tiles/bulk", {
        ...call,
        path: { boardId },
        body: change,
      });
      return { matched, changed, tileIds };
    },

    /** Reads all failed links and uploads of a board again; returns how many. */
    retryFailed: async (boardId: string, call: CallOptions = {}): Promise<number> =>
      (await send("POST /api/board/{boardId}/tiles/retry", { ...call, path: { boardId } })).retried,
  };
}

const tileIn = ({ tile, etag }: Versioned<TileResponse>): Versioned<Tile> => ({ ...tile, etag });
