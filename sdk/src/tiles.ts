import { type BulkChange, type BulkResult, bulkBody } from "./bulk.ts";
import type { CallOptions, CreateOptions, Send, UpdateOptions } from "./transport/transport.ts";
import type { Tile, TileOrigin, TilePage, TileStatus, TileSummary, TileType, Versioned } from "./types.ts";

export type TileListOptions = CallOptions & {
  readonly zoneId?: string;
  readonly status?: TileStatus;
  readonly type?: TileType;
  /** Tiles changed since then, in the order of their change. */
  readonly updatedSince?: string | Date;
  /** By creation, oldest first, unless told; `position` is by zone and `sortOrder`. */
  readonly order?: "asc" | "desc" | "position";
  /** 1 to 500; without it the listing is whole. */
  readonly limit?: number;
  readonly cursor?: string | null;
  /** False leaves `extractedText` out. */
  readonly text?: boolean;
  /** True adds `metadata` and `connectedToChat`. */
  readonly metadata?: boolean;
};

/** Exactly one of `content` and `url`; a link is ingested in the background. */
export type NewTile = {
  readonly title?: string;
  readonly zoneId?: string | null;
  /** The caller's own id of the thing: the same id on the same board updates the tile it made. */
  readonly externalId?: string;
  /** False: never feeds chat; true: where its zone does; null: follows its zone, the default without an `origin`. */
  readonly connectedToChat?: boolean | null;
} & (
  | {
      readonly content: string;
      /** What made the text; it then starts with `connectedToChat` false. */
      readonly origin?: TileOrigin;
      readonly url?: undefined;
    }
  | { readonly url: string; readonly content?: undefined; readonly origin?: undefined }
);

export type NewFile = {
  readonly file: Blob;
  /** The file's name; that of a `File` unless told. */
  readonly name?: string;
  readonly title?: string;
  readonly zoneId?: string | null;
  readonly connectedToChat?: boolean | null;
};

export type TilePatch = {
  readonly title?: string;
  readonly content?: string;
  /** Moves the tile; null takes it out of its zone. */
  readonly zoneId?: string | null;
  readonly sortOrder?: number;
  /** How often the link is read again, 15 to 43,200 minutes; null: only by a retry. */
  readonly refreshMinutes?: number | null;
  /** False: never feeds chat; true: where its zone does; null: follows its zone. */
  readonly connectedToChat?: boolean | null;
};

export type TileChangesOptions = CallOptions & {
  /** What the call before returned; without it everything is read. */
  readonly syncToken?: string | null;
  /** False leaves `extractedText` out. */
  readonly text?: boolean;
  /** True adds `metadata`. */
  readonly metadata?: boolean;
};

/** What changed on a board since a state that the caller knows. */
export type TileChanges = {
  /** Created, changed or restored; all of the board's tiles where `complete`. */
  readonly tiles: readonly TileSummary[];
  /** The ids of tiles that are gone. */
  readonly deleted: readonly string[];
  /** Whether `tiles` is the whole listing, which replaces what the caller has: at first, and where the state is too old. */
  readonly complete: boolean;
  /** For the next call. */
  readonly syncToken: string;
};

type TileBody = { readonly tile: Tile };

export function tileMethods(send: Send) {
  async function list(boardId: string, options: TileListOptions = {}): Promise<TilePage> {
    const { signal, zoneId, updatedSince, ...rest } = options;
    const since = updatedSince instanceof Date ? updatedSince.toISOString() : updatedSince;
    const query = { ...rest, zone_id: zoneId, updated_since: since };
    const page = await send<{ readonly tiles: readonly TileSummary[]; readonly nextCursor?: string | null }>(
      "GET",
      ["api", "board", boardId, "tiles"],
      { query, ...(signal && { signal }) },
    );
    return { tiles: page.tiles, nextCursor: page.nextCursor ?? null };
  }

  return {
    list,

    /** Every tile of the listing, read page by page (100 a page unless `limit` tells otherwise). */
    async *iterate(boardId: string, options: TileListOptions = {}): AsyncGenerator<TileSummary, void, undefined> {
      let cursor = options.cursor ?? null;
      do {
        const page = await list(boardId, { limit: 100, ...options, cursor });
        yield* page.tiles;
        cursor = page.nextCursor;
      } while (cursor !== null);
    },

    /** What changed since the call before; nothing that happens between two calls is missed. `boards.follow` tells when to call it. */
    changes: async (boardId: string, { signal, syncToken, ...parts }: TileChangesOptions = {}): Promise<TileChanges> => {
      const {
        tiles,
        deleted,
        complete,
        syncToken: next,
      } = await send<TileChanges>("GET", ["api", "board", boardId, "tiles"], {
        query: { ...parts, sync_token: syncToken ?? "0" },
        ...(signal && { signal }),
      });
      return { tiles, deleted, complete, syncToken: next };
    },

    create: async (boardId: string, tile: NewTile, call: CreateOptions = {}): Promise<Versioned<Tile>> =>
      tileIn(await send<TileBody>("POST", ["api", "board", boardId, "tiles"], { ...call, body: tileBody(tile) })),

    /** With `wait` (seconds, at most 60) answers when the tile is no longer processing, or when the time is up. */
    get: async (tileId: string, { wait, ...call }: CallOptions & { readonly wait?: number } = {}): Promise<Versioned<Tile>> =>
      tileIn(await send<TileBody>("GET", ["api", "board", "tiles", tileId], { ...call, query: { wait } })),

    update: async (tileId: string, patch: TilePatch, call: UpdateOptions = {}): Promise<Versioned<Tile>> =>
      tileIn(await send<TileBody>("PATCH", ["api", "board", "tiles", tileId], { ...call, body: tileBody(patch) })),

    delete: async (tileId: string, call: CallOptions = {}): Promise<void> => {
      await send("DELETE", ["api", "board", "tiles", tileId], call);
    },

    /** Brings back a tile deleted in the last 30 days. */
    restore: async (tileId: string, call: CallOptions = {}): Promise<Versioned<Tile>> =>
      tileIn(await send<TileBody>("POST", ["api", "board", "tiles", tileId, "restore"], call)),

    /** Makes a processing tile of a file; its type is told by its bytes. */
    upload: async (
      boardId: string,
      { file, name, title, zoneId, connectedToChat }: NewFile,
      call: CreateOptions = {},
    ): Promise<Versioned<Tile>> => {
      const form = new FormData();
      if (zoneId != null) form.set("zone_id", zoneId);
      if (title !== undefined) form.set("title", title);
      if (connectedToChat != null) form.set("connected_to_chat", String(connectedToChat));
      if (name === undefined) form.set("file", file);
      else form.set("file", file, name);
      return tileIn(await send<TileBody>("POST", ["api", "board", boardId, "files"], { ...call, form }));
    },

    /**
     * Moves, deletes, restores or retries every tile that matches, in one call. Tiles that the action does not fit, such as text to be
     * retried, are matched and not changed.
     */
    bulk: async (boardId: string, change: BulkChange, call: CallOptions = {}): Promise<BulkResult> => {
      const { matched, changed, tileIds } = await send<BulkResult>("POST", ["api", "board", boardId, "tiles", "bulk"], {
        ...call,
        body: bulkBody(change),
      });
      return { matched, changed, tileIds };
    },

    /** Ingests all failed links and uploads of a board again; answers how many. */
    retryFailed: async (boardId: string, call: CallOptions = {}): Promise<number> =>
      (await send<{ readonly retried: number }>("POST", ["api", "board", boardId, "tiles", "retry"], call)).retried,

    /** Ingests a link again; 409 for text, while it is processing, and for text that was replaced by hand unless `replaceText`. */
    retry: async (
      tileId: string,
      { replaceText, ...call }: CallOptions & { readonly replaceText?: boolean } = {},
    ): Promise<Versioned<Tile>> =>
      tileIn(await send<TileBody>("POST", ["api", "board", "tiles", tileId, "retry"], { ...call, query: { replace_text: replaceText } })),
  };
}

const tileIn = ({ tile, etag }: Versioned<TileBody>): Versioned<Tile> => ({ ...tile, etag });

type TileFields = Partial<Record<keyof TilePatch | keyof NewTile, unknown>>;

function tileBody({ zoneId, sortOrder, externalId, refreshMinutes, connectedToChat, ...plain }: TileFields): Record<string, unknown> {
  const names = { zone_id: zoneId, sort_order: sortOrder, external_id: externalId, refresh_minutes: refreshMinutes };
  return { ...plain, ...names, connected_to_chat: connectedToChat };
}
