import type { ChatTile, TileBeginning } from "#domain/answers/search.ts";
import type { Dialect } from "../driver.ts";
import { all, arrays, type Unit } from "../unit.ts";
import { IS_READY, IS_READY_AND_CONNECTED } from "./conditions.ts";
import { TILE_BEGINNINGS } from "./search-rows.ts";

/** Returns the values in the order of the keys, without keys that have no value. */
export function orderByKeys<Key, Value>(keys: readonly Key[], values: readonly Value[], getKey: (value: Value) => Key): Value[] {
  const byKey = new Map(values.map((value) => [getKey(value), value]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

/** Reads the connected ones of the tiles with the beginnings of their texts. */
export function* readTileBeginnings(
  dialect: Dialect,
  businessId: string,
  boardId: string,
  tileIds: readonly string[],
  maxCharacters: number,
): Unit<TileBeginning[]> {
  const tiles = yield* all<TileBeginning>(
    `SELECT ${TILE_BEGINNINGS.columns}, substr(t.extracted_text, 1, @maxCharacters) AS "extractedText", octet_length(t.extracted_text) AS bytes
     FROM tile t WHERE t.business_id = @businessId AND ${dialect.isAnyOf("t.id", "tileIds")}
     AND ${dialect.unindexed("t.board_id")} = @boardId AND ${IS_READY_AND_CONNECTED}`,
    { businessId, boardId, tileIds, maxCharacters },
  );
  return orderByKeys(tileIds, tiles, ({ id }) => id);
}

type Row = readonly [
  id: string,
  sequence: number,
  sortOrder: number,
  zoneId: string | null,
  zoneOrder: number | null,
  isConnected: unknown,
];

/** Lists tiles that may feed chat. Each zone is looked up for its tiles, since a board may have more zones than tiles. */
export function* listChatTiles({ useIndex }: Dialect, businessId: string, boardId: string, after: number, limit: number): Unit<ChatTile[]> {
  const rows = yield* arrays<Row>(
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
