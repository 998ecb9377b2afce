import type { Operations } from "../generated/operations.ts";
import type { Tile } from "../generated/schemas.ts";
import { buildUrl } from "../transport/encode.ts";
import { TesseraError } from "../transport/errors.ts";
import { paginate, requireList } from "../transport/paginate.ts";
import { requireFile } from "../transport/options.ts";
import { type CreateOptions, type Request, type Send, splitOptions } from "../transport/transport.ts";
import { type Created, pickDone, type TilePage, type Versioned } from "../types.ts";
import type { CreateBody, NewFile, NewTile, TileChanges, TileListOptions } from "./input.ts";
import type { TileMethods } from "./methods.ts";

const THUMBNAIL_PATH = "/api/board/{boardId}/tiles/{tileId}/thumbnail";

type CreationResponse = Operations["POST /api/board/{boardId}/tiles"]["response"];
type TileResponse = Operations["GET /api/board/tiles/{tileId}"]["response"];

export function tileMethods(baseUrl: string, request: Request, send: Send): TileMethods {
  return { ...listingMethods(send), ...singleTileMethods(send), ...bulkMethods(send), ...thumbnailMethods(baseUrl, request) };
}

function listingMethods(send: Send): Pick<TileMethods, "list" | "iterate" | "changes"> {
  async function list(boardId: string, options: TileListOptions = {}): Promise<TilePage> {
    const { call, rest } = splitOptions(options);
    const query = { ...rest, cursor: rest.cursor ?? undefined };
    const { tiles, nextCursor = null, total } = await send("GET /api/board/{boardId}/tiles", { ...call, path: { boardId }, query });
    return { tiles: requireList(tiles), nextCursor, total };
  }

  return {
    list,
    iterate: (boardId, options = {}) =>
      paginate(async (cursor) => {
        const { tiles, nextCursor } = await list(boardId, { ...options, limit: options.limit ?? 100, cursor });
        return { items: tiles, nextCursor };
      }, options.cursor),
    changes: async (boardId, options = {}) => {
      const { call, rest } = splitOptions(options);
      const query = { ...rest, syncToken: rest.syncToken ?? "0" };
      const page = await send("GET /api/board/{boardId}/tiles", { ...call, path: { boardId }, query });
      const { tiles, deleted, complete, syncToken: next } = page as typeof page & TileChanges;
      // Without it, the next call would start again, and nothing would ever be reported as deleted.
      if (typeof next !== "string")
        throw new TesseraError(200, "The answer has no sync token: update the service to 0.2.0 or newer.", null, null);
      return { tiles, deleted, complete, syncToken: next };
    },
  };
}

function singleTileMethods(send: Send): Pick<TileMethods, "create" | "get" | "update" | "delete" | "restore" | "upload" | "retry"> {
  return {
    create: (async (boardId: string, tile: NewTile, call: CreateOptions = {}) =>
      readCreated(
        await send("POST /api/board/{boardId}/tiles", { ...call, path: { boardId }, body: tile as CreateBody }),
      )) as TileMethods["create"],
    get: async (tileId, { wait, ...call } = {}) =>
      readTile(await send("GET /api/board/tiles/{tileId}", { ...call, path: { tileId }, query: { wait } })),
    update: async (tileId, patch, call = {}) =>
      readTile(await send("PATCH /api/board/tiles/{tileId}", { ...call, path: { tileId }, body: patch })),
    delete: async (tileId, call = {}) => {
      await send("DELETE /api/board/tiles/{tileId}", { ...call, path: { tileId } });
    },
    restore: async (tileId, call = {}) => {
      const restored = await send("POST /api/board/tiles/{tileId}/restore", { ...call, path: { tileId } });
      const { lostExternalIds } = restored;
      return { ...readTile(restored), ...(lostExternalIds !== undefined && { lostExternalIds }) };
    },
    upload: (async (boardId: string, { file, name, zoneId, ...fields }: NewFile, call: CreateOptions = {}) => {
      requireFile(file);
      const form = {
        zoneId: zoneId ?? undefined,
        ...fields,
        file: name === undefined ? file : new File([file], name, { type: file.type }),
      };
      return readCreated(await send("POST /api/board/{boardId}/files", { ...call, path: { boardId }, form }));
    }) as TileMethods["upload"],
    retry: async (tileId, { replaceText, ...call } = {}) =>
      readTile(await send("POST /api/board/tiles/{tileId}/retry", { ...call, path: { tileId }, query: { replaceText } })),
  };
}

function bulkMethods(send: Send): Pick<TileMethods, "bulk" | "retryFailed"> {
  return {
    bulk: async (boardId, change, call = {}) => {
      const { etag: _etag, ...result } = await send("POST /api/board/{boardId}/tiles/bulk", { ...call, path: { boardId }, body: change });
      return result;
    },
    retryFailed: async (boardId, call = {}) =>
      (await send("POST /api/board/{boardId}/tiles/retry", { ...call, path: { boardId } })).retried,
  };
}

function thumbnailMethods(baseUrl: string, request: Request): Pick<TileMethods, "thumbnailUrl" | "thumbnail"> {
  return {
    thumbnailUrl: (boardId, tileId, version) => buildUrl(baseUrl, THUMBNAIL_PATH, { path: { boardId, tileId }, query: { v: version } }),
    thumbnail: (boardId, tileId, call = {}) =>
      request(`GET ${THUMBNAIL_PATH}`, { ...call, path: { boardId, tileId }, headers: { accept: "image/*" } }, (response) =>
        response.blob(),
      ),
  };
}

const readCreated = ({ tile, etag, ...done }: Versioned<CreationResponse>): Created<Versioned<Tile>> | null =>
  tile === null ? null : { ...tile, etag, ...pickDone(done) };

const readTile = ({ tile, etag }: Versioned<TileResponse>): Versioned<Tile> => ({ ...tile, etag });
