import type { Board, BoardDetails, Zone } from "./generated/schemas.ts";
import { type FollowOptions, type Revision, followBoard } from "./events/live.ts";
import type { BodyOf } from "./transport/operation.ts";
import { paginate, requireList } from "./transport/paginate.ts";
import type { CallOptions, CreateOptions, PageOptions, Request, Send, UpdateOptions } from "./transport/transport.ts";
import type { Restored, Versioned, ZoneSummary } from "./types.ts";

export type NewZone = BodyOf<"POST /api/board/{boardId}/zones">;
export type ZonePatch = BodyOf<"PATCH /api/board/zones/{zoneId}">;

export type BoardPatch = { readonly name?: string; readonly isDefault?: true };

/** Boards. Creating and changing them requires an API key that is not limited to a board. */
export interface BoardMethods {
  /** The boards that this key can access; the default board comes first. */
  list(call?: CallOptions): Promise<readonly Board[]>;

  /** The same boards, read page by page (100 per page by default). */
  iterate(options?: PageOptions): AsyncGenerator<Board, void, undefined>;

  /** Creates an empty board. Its slug is made from its name. */
  create(board: { readonly name: string }, call?: CreateOptions): Promise<Versioned<BoardDetails>>;

  /** Returns a board with its `etag`, to pass as `ifMatch`. */
  get(boardId: string, call?: CallOptions): Promise<Versioned<BoardDetails>>;

  /** Renames a board (its slug does not change), or makes it the default. */
  update(boardId: string, patch: BoardPatch, call?: UpdateOptions): Promise<Versioned<BoardDetails>>;

  /** Deletes a board with its content. The default board can't be deleted (409). */
  delete(boardId: string, call?: CallOptions): Promise<void>;

  /** Restores a board that was deleted in the last 30 days, with its zones and tiles. */
  restore(boardId: string, call?: CallOptions): Promise<Versioned<BoardDetails>>;

  /**
   * Reports changes of a board. Resolves when the server ends the stream (every few minutes): then follow again. After an error, wait first.
   * If `onRevision` returns a promise, the next change waits for it, and its error ends the call.
   */
  follow(boardId: string, onRevision: (revision: Revision) => unknown, follow?: FollowOptions): Promise<void>;
}

/** The zones of a board: columns that tiles are sorted into. */
export interface ZoneMethods {
  /** The zones of a board, by `sortOrder`. */
  list(boardId: string, call?: CallOptions): Promise<readonly ZoneSummary[]>;

  /** The same zones, read page by page (100 per page by default). */
  iterate(boardId: string, options?: PageOptions): AsyncGenerator<ZoneSummary, void, undefined>;

  /** Creates a zone at the end of a board. Its tiles are used in answers unless `connectedToChat` is false. */
  create(boardId: string, zone: NewZone, call?: CreateOptions): Promise<Versioned<Zone>>;

  /** Returns a zone with its `etag`, to pass as `ifMatch`. */
  get(zoneId: string, call?: CallOptions): Promise<Versioned<Zone>>;

  /** Changes the fields that are given; the others keep their value. */
  update(zoneId: string, patch: ZonePatch, call?: UpdateOptions): Promise<Versioned<Zone>>;

  /** Deletes a zone and its tiles. */
  delete(zoneId: string, call?: CallOptions): Promise<void>;

  /** Restores a zone that was deleted in the last 30 days, with its tiles. */
  restore(zoneId: string, call?: CallOptions): Promise<Restored<Versioned<Zone>>>;
}

export function boardMethods(request: Request, send: Send): BoardMethods {
  return {
    list: async (call = {}) => requireList((await send("GET /api/board/boards", call)).boards),
    iterate: ({ limit = 100, cursor: start, ...call } = {}) =>
      paginate(async (cursor) => {
        const { boards, nextCursor } = await send("GET /api/board/boards", { ...call, query: { limit, cursor: cursor ?? undefined } });
        return { items: boards, nextCursor: nextCursor ?? null };
      }, start),
    create: async (board, call = {}) => readBoard(await send("POST /api/board/boards", { ...call, body: board })),
    get: async (boardId, call = {}) => readBoard(await send("GET /api/board/boards/{boardId}", { ...call, path: { boardId } })),
    update: async (boardId, { name, isDefault }, call = {}) =>
      readBoard(await send("PATCH /api/board/boards/{boardId}", { ...call, path: { boardId }, body: { name, isDefault } })),
    delete: async (boardId, call = {}) => {
      await send("DELETE /api/board/boards/{boardId}", { ...call, path: { boardId } });
    },
    restore: async (boardId, call = {}) =>
      readBoard(await send("POST /api/board/boards/{boardId}/restore", { ...call, path: { boardId } })),
    follow: (boardId, onRevision, follow) => followBoard(request, boardId, onRevision, follow),
  };
}

export function zoneMethods(send: Send): ZoneMethods {
  return {
    list: async (boardId, call = {}) => requireList((await send("GET /api/board/{boardId}/zones", { ...call, path: { boardId } })).zones),
    iterate: (boardId, { limit = 100, cursor: start, ...call } = {}) =>
      paginate(async (cursor) => {
        const query = { limit, cursor: cursor ?? undefined };
        const { zones, nextCursor } = await send("GET /api/board/{boardId}/zones", { ...call, path: { boardId }, query });
        return { items: zones, nextCursor: nextCursor ?? null };
      }, start),
    create: async (boardId, zone, call = {}) =>
      readZone(await send("POST /api/board/{boardId}/zones", { ...call, path: { boardId }, body: zone })),
    get: async (zoneId, call = {}) => readZone(await send("GET /api/board/zones/{zoneId}", { ...call, path: { zoneId } })),
    update: async (zoneId, patch, call = {}) =>
      readZone(await send("PATCH /api/board/zones/{zoneId}", { ...call, path: { zoneId }, body: patch })),
    delete: async (zoneId, call = {}) => {
      await send("DELETE /api/board/zones/{zoneId}", { ...call, path: { zoneId } });
    },
    restore: async (zoneId, call = {}) => {
      const restored = await send("POST /api/board/zones/{zoneId}/restore", { ...call, path: { zoneId } });
      const { lostExternalIds } = restored;
      return { ...readZone(restored), ...(lostExternalIds !== undefined && { lostExternalIds }) };
    },
  };
}

const readBoard = ({ board, etag }: Versioned<{ readonly board: BoardDetails }>): Versioned<BoardDetails> => ({ ...board, etag });
const readZone = ({ zone, etag }: Versioned<{ readonly zone: Zone }>): Versioned<Zone> => ({ ...zone, etag });
