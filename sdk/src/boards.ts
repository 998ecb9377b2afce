import type { CallOptions, CreateOptions, Send, UpdateOptions } from "./transport/transport.ts";
import type { Board, Versioned, Zone, ZoneColor, ZoneSize, ZoneSummary } from "./types.ts";

export type ZonePatch = {
  readonly name?: string;
  readonly connectedToChat?: boolean;
  /** Null clears it. */
  readonly color?: ZoneColor | null;
  /** One emoji; null clears it. */
  readonly emoji?: string | null;
  readonly size?: ZoneSize;
  readonly sortOrder?: number;
};

export type NewZone = ZonePatch & { readonly name: string };

type BoardBody = { readonly board: Board };
type ZoneBody = { readonly zone: Zone };

/** Making and changing boards takes a key without a scope. */
export function boardMethods(send: Send) {
  return {
    /** The boards this key reaches, default first. */
    list: async (call: CallOptions = {}): Promise<readonly Board[]> =>
      (await send<{ readonly boards: readonly Board[] }>("GET", ["api", "board", "boards"], call)).boards,

    create: async (board: { readonly name: string }, call: CreateOptions = {}): Promise<Versioned<Board>> =>
      boardIn(await send<BoardBody>("POST", ["api", "board", "boards"], { ...call, body: board })),

    /** Renames a board (its slug stays), or makes it the default one. */
    update: async (
      boardId: string,
      { name, isDefault }: { readonly name?: string; readonly isDefault?: true },
      call: UpdateOptions = {},
    ): Promise<Versioned<Board>> => {
      const body = { name, is_default: isDefault };
      return boardIn(await send<BoardBody>("PATCH", ["api", "board", "boards", boardId], { ...call, body }));
    },

    /** Hides the board with all it holds; 409 for the default board. */
    delete: async (boardId: string, call: CallOptions = {}): Promise<void> => {
      await send("DELETE", ["api", "board", "boards", boardId], call);
    },

    restore: async (boardId: string, call: CallOptions = {}): Promise<Versioned<Board>> =>
      boardIn(await send<BoardBody>("POST", ["api", "board", "boards", boardId, "restore"], call)),
  };
}

export function zoneMethods(send: Send) {
  return {
    /** The board's zones by `sortOrder`. */
    list: async (boardId: string, call: CallOptions = {}): Promise<readonly ZoneSummary[]> =>
      (await send<{ readonly zones: readonly ZoneSummary[] }>("GET", ["api", "board", boardId, "zones"], call)).zones,

    create: async (boardId: string, zone: NewZone, call: CreateOptions = {}): Promise<Versioned<Zone>> =>
      zoneIn(await send<ZoneBody>("POST", ["api", "board", boardId, "zones"], { ...call, body: zoneBody(zone) })),

    get: async (zoneId: string, call: CallOptions = {}): Promise<Versioned<Zone>> =>
      zoneIn(await send<ZoneBody>("GET", ["api", "board", "zones", zoneId], call)),

    update: async (zoneId: string, patch: ZonePatch, call: UpdateOptions = {}): Promise<Versioned<Zone>> =>
      zoneIn(await send<ZoneBody>("PATCH", ["api", "board", "zones", zoneId], { ...call, body: zoneBody(patch) })),

    /** Deletes the zone and every tile inside it. */
    delete: async (zoneId: string, call: CallOptions = {}): Promise<void> => {
      await send("DELETE", ["api", "board", "zones", zoneId], call);
    },

    /** Brings back a zone deleted in the last 30 days, with the tiles that went with it. */
    restore: async (zoneId: string, call: CallOptions = {}): Promise<Versioned<Zone>> =>
      zoneIn(await send<ZoneBody>("POST", ["api", "board", "zones", zoneId, "restore"], call)),
  };
}

const boardIn = ({ board, etag }: Versioned<BoardBody>): Versioned<Board> => ({ ...board, etag });
const zoneIn = ({ zone, etag }: Versioned<ZoneBody>): Versioned<Zone> => ({ ...zone, etag });

function zoneBody({ connectedToChat, sortOrder, ...rest }: ZonePatch): Record<string, unknown> {
  return { ...rest, connected_to_chat: connectedToChat, sort_order: sortOrder };
}
