import type {
  ChatTile,
  ConnectedChunk,
  ConnectedTile,
  ReadyTile,
  SearchStore,
  TileBeginning,
  UnreadyTile,
} from "#domain/answers/search.ts";
import { INDEXED_OPTIONS } from "#domain/content/tile-options.ts";
import type { Dialect, Driver } from "../driver.ts";
import { Mapping, plain, plainFields } from "../mapping.ts";
import { arrays, exists, type Unit } from "../unit.ts";
import { isOfBoardRow } from "./board-index.ts";
import { filterConditions, hasConnectedTile, IS_CONNECTED, IS_READY, IS_READY_AND_CONNECTED, searchableTiles } from "./conditions.ts";

const BYTES = { expression: "octet_length(t.extracted_text)" } as const;

const CHUNKS = new Mapping<ConnectedChunk>(
  { document: plain, tileId: plain, tileBytes: BYTES, start: { column: "start_at" }, end: { column: "end_at" } },
  "c",
);

/** The fields of a tile that a search ranks. */
const RANKED_FIELDS = { id: plain, version: plain, ...plainFields("title", ...INDEXED_OPTIONS), type: plain, sourceUrl: plain } as const;
const CONNECTED_TILES = new Mapping<ConnectedTile>({ ...RANKED_FIELDS, extractedText: plain }, "t");
const TILE_BEGINNINGS = new Mapping<TileBeginning>(
  { ...RANKED_FIELDS, extractedText: { expression: "substr(t.extracted_text, 1, @maxCharacters)" }, bytes: BYTES },
  "t",
);

const CONNECTED = { expression: `(${IS_CONNECTED})`, convert: Boolean } as const;
const READY_TILES = new Mapping<ReadyTile>({ ...RANKED_FIELDS, extractedText: plain, connected: CONNECTED }, "t");
const UNREADY_TILES = new Mapping<UnreadyTile>(
  { tileId: { column: "id" }, title: plain, type: plain, status: plain, sourceUrl: plain, sequence: plain, connected: CONNECTED },
  "t",
);

/** Creates the part of the search store that reads tiles and their chunks. */
export function createTileReader({
  dialect,
  read,
}: Driver): Pick<
  SearchStore,
  "connectedChunks" | "connectedTiles" | "tileBeginnings" | "chatTiles" | "readyTiles" | "unreadyTiles" | "hasConnected"
> {
  const namedTiles = `tile t WHERE t.business_id = @businessId AND ${dialect.isAnyOf("t.id", "tileIds")}
    AND ${dialect.unindexed("t.board_id")} = @boardId`;

  return {
    connectedChunks: (businessId, boardId, documents, filter = {}) =>
      read(function* () {
        const { sql, params } = searchableTiles(filter);
        const chunks = yield* CHUNKS.list(
          `board b CROSS JOIN chunk c CROSS JOIN tile t WHERE b.business_id = @businessId AND b.id = @boardId
           AND ${isOfBoardRow(dialect, "c")} AND ${dialect.isAnyOf("c.document", "documents")}
           AND t.business_id = @businessId AND t.id = c.tile_id AND ${sql}`,
          { businessId, boardId, documents, ...params },
        );
        return orderByKeys(documents, chunks, ({ document }) => document);
      }),

    connectedTiles: (businessId, boardId, tileIds) =>
      read(function* () {
        const tiles = yield* CONNECTED_TILES.list(`${namedTiles} AND ${IS_READY_AND_CONNECTED}`, { businessId, boardId, tileIds });
        return orderByKeys(tileIds, tiles, ({ id }) => id);
      }),

    tileBeginnings: (businessId, boardId, tileIds, maxCharacters) =>
      read(function* () {
        const params = { businessId, boardId, tileIds, maxCharacters };
        const tiles = yield* TILE_BEGINNINGS.list(`${namedTiles} AND ${IS_READY_AND_CONNECTED}`, params);
        return orderByKeys(tileIds, tiles, ({ id }) => id);
      }),

    readyTiles: (businessId, boardId, tileIds) =>
      read(function* () {
        const tiles = yield* READY_TILES.list(`${namedTiles} AND ${IS_READY}`, { businessId, boardId, tileIds });
        return orderByKeys(tileIds, tiles, ({ id }) => id);
      }),

    chatTiles: (businessId, boardId, after, limit) => read(() => listChatTiles(dialect, businessId, boardId, after, limit)),

    unreadyTiles: (businessId, boardId, before, limit, filter = {}) =>
      read(() => {
        const { sql, params } = filterConditions(filter);
        return UNREADY_TILES.list(
          `tile t${dialect.useIndex("tile_unready")} WHERE t.business_id = @businessId AND t.board_id = @boardId
           AND t.status <> 'ready' AND t.deleted_at IS NULL AND t.sequence < @before${sql} ORDER BY t.sequence DESC LIMIT @limit`,
          { businessId, boardId, before: before ?? Number.MAX_SAFE_INTEGER, limit, ...params },
        );
      }),

    hasConnected: (businessId, boardId) => read(() => exists(`SELECT 1 WHERE ${hasConnectedTile(dialect)}`, { businessId, boardId })),
  };
}

/** Returns the values in the order of the keys, without keys that have no value. */
function orderByKeys<Key, Value>(keys: readonly Key[], values: readonly Value[], getKey: (value: Value) => Key): Value[] {
  const byKey = new Map(values.map((value) => [getKey(value), value]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

type ChatTileRow = readonly [
  id: string,
  sequence: number,
  sortOrder: number,
  zoneId: string | null,
  zoneOrder: number | null,
  isConnected: unknown,
];

/** Lists tiles that may feed chat. Each zone is looked up for its tiles, since a board may have more zones than tiles. */
function* listChatTiles({ useIndex }: Dialect, businessId: string, boardId: string, after: number, limit: number): Unit<ChatTile[]> {
  const rows = yield* arrays<ChatTileRow>(
    `SELECT t.id, t.sequence, t.sort_order, t.zone_id, z.sort_order, z.connected_to_chat
     FROM tile t${useIndex("tile_by_board")} LEFT JOIN zone z ON z.business_id = t.business_id AND z.id = t.zone_id AND z.deleted_at IS NULL
     WHERE t.business_id = @businessId AND t.board_id = @boardId AND t.sequence > @after AND ${IS_READY}
       AND t.connected_to_chat IS NOT FALSE ORDER BY t.sequence LIMIT @limit`,
    { businessId, boardId, after, limit },
  );
  return rows.map(([id, sequence, sortOrder, zoneId, zoneOrder, isConnected]) => {
    const zone = zoneId === null ? null : { id: zoneId, sortOrder: zoneOrder ?? 0, isConnected: Boolean(isConnected) };
    return { id, sequence, sortOrder, zone };
  });
}
