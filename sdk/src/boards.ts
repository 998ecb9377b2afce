import type { Board, Zone } from "./generated/schemas.ts";
import type { BodyOf } from "./transport/operation.ts";
import { paginate } from "./transport/paginate.ts";
import type { CallOptions, CreateOptions, PageOptions, Send, UpdateOptions } from "./transport/transport.ts";
import type { Versioned, ZoneSummary } from "./types.ts";

export type NewZone = BodyOf<"POST /api/board/{boardId}/zones">;
export type ZonePatch = BodyOf<"PATCH /api/board/zones/{zoneId}">;

type BoardPatch = { readonly name?: string; readonly isDefault?: true };

/** Creating and changing boards requires an API key that is not limited to a board. */
export function boardMethods(send: Send) {
  return {
    /** The boards that this key can access; the default board comes first. */
    list: async (call: CallOptions = {}): Promise<readonly Board[]> => (await send("GET /api/board/boards", call)).boards,

    /** The same boards, read page by page (100 per page by default). */
    iterate: ({ limit = 100, cursor: start, ...call }: PageOptions = {}): AsyncGenerator<Board, void, undefined> =>
      paginate(async (cursor) => {
        const { boards, nextCursor } = await send("GET /api/board/boards", { ...call, query: { limit, cursor: cursor ?? undefined } });
        return { items: boards, nextCursor: nextCursor ?? null };
      }, start),

    create: async (board: { readonly name: string }, call: CreateOptions = {}): Promise<Versioned<Board>> =>
      boardIn(await send("POST /api/board/boards", { ...call, body: board })),

    /** Renames a board (its slug does not change), or makes it the default. */
    update: async (boardId: string, { name, isDefault }: BoardPatch, call: UpdateOptions = {}): Promise<Versioned<Board>> =>
      boardIn(await send("PATCH /api/board/boards/{boardId}", { ...call, path: { boardId }, body: { name, isDefault } })),

    /** Deletes a board with its content. The default board can't be deleted (409). */
    delete: async (boardId: string, call: CallOptions = {}): Promise<void> => {
      await send("DELETE /api/board/boards/{boardId}", { ...call, path: { boardId } });
    },

    restore: async (boardId: string, call: CallOptions = {}): Promise<Versioned<Board>> =>
      boardIn(await send("POST /api/board/boards/{boardId}/restore", { ...call, path: { boardId } })),
  };
}

export function zoneMethods(send: Send) {
  return {
    /** The zones of a board, by `sortOrder`. */
    list: async (boardId: string, call: CallOptions = {}): Promise<readonly ZoneSummary[]> =>
      (await send("GET /api/board/{boardId}/zones", { ...call, path: { boardId } })).zones,

    /** The same zones, read page by page (100 per page by default). */
    iterate: (boardId: string, { limit = 100, cursor: start, ...call }: PageOptions = {}): AsyncGenerator<ZoneSummary, void, undefined> =>
      paginate(async (cursor) => {
        const query = { limit, cursor: cursor ?? undefined };
        const { zones, nextCursor } = await send("GET /api/board/{boardId}/zones", { ...call, path: { boardId }, query });
        return { items: zones, nextCursor: nextCursor ?? null };
      }, start),

    create: async (boardId: string, zone: NewZone, call: CreateOptions = {}): Promise<Versioned<Zone>> =>
      zoneIn(await send("POST /api/board/{boardId}/zones", { ...call, path: { boardId }, body: zone })),

    get: async (zoneId: string, call: CallOptions = {}): Promise<Versioned<Zone>> =>
      zoneIn(await send("GET /api/board/zones/{zoneId}", { ...call, path: { zoneId } })),

    update: async (zoneId: string, patch: ZonePatch, call: UpdateOptions = {}): Promise<Versioned<Zone>> =>
      zoneIn(await send("PATCH /api/board/zones/{zoneId}", { ...call, path: { zoneId }, body: patch })),

    /** Deletes a zone and its tiles. */
    delete: async (zoneId: string, call: CallOptions = {}): Promise<void> => {
      await send("DELETE /api/board/zones/{zoneId}", { ...call, path: { zoneId } });
    },

    /** Restores a zone that was deleted in the last 30 days, with its tiles. */
    restore: async (zoneId: string, call: CallOptions = {}): Promise<Versioned<Zone>> =>
      zoneIn(await send("POST /api/board/zones/{zoneId}/restore", { ...call, path: { zoneId } })),
  };
}

const boardIn = ({ board, etag }: Versioned<{ readonly board: Board }>): Versioned<Board> => ({ ...board, etag });
const zoneIn = ({ zone, etag }: Versioned<{ readonly zone: Zone }>): Versioned<Zone> => ({ ...zone, etag });
