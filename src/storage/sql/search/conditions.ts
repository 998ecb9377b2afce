import type { SearchFilter } from "#domain/answers/search.ts";
import type { Dialect } from "../driver.ts";
import type { SqlValue } from "../unit.ts";

/** The condition that a tile `t` is ready and not deleted. */
export const IS_READY = "t.status = 'ready' AND t.deleted_at IS NULL";

/** The condition that a tile `t` is connected to chat: not disconnected itself, and outside zones or in a connected zone. */
export const IS_CONNECTED = `t.connected_to_chat IS NOT FALSE AND (t.zone_id IS NULL OR EXISTS (
     SELECT 1 FROM zone z WHERE z.business_id = t.business_id AND z.id = t.zone_id AND z.connected_to_chat AND z.deleted_at IS NULL))`;

/** The condition that a tile `t` may be read for chat. */
export const IS_READY_AND_CONNECTED = `${IS_READY} AND ${IS_CONNECTED}`;

/**
 * Returns the condition that a board has a tile that may be read for chat, outside zones or in one of its connected zones. It looks up the
 * index once for each zone, independent of the number of tiles.
 */
export function hasConnectedTile({ useIndex }: Dialect): string {
  const isCandidate = `${IS_READY} AND t.connected_to_chat IS NOT FALSE`;
  return `EXISTS (SELECT 1 FROM tile t${useIndex("tile_feeding")}
      WHERE t.business_id = @businessId AND t.board_id = @boardId AND t.zone_id IS NULL AND ${isCandidate})
    OR EXISTS (SELECT 1 FROM zone z CROSS JOIN tile t${useIndex("tile_feeding")}
      WHERE z.business_id = @businessId AND z.board_id = @boardId AND z.connected_to_chat AND z.deleted_at IS NULL
        AND t.business_id = z.business_id AND t.board_id = z.board_id AND t.zone_id = z.id AND ${isCandidate})`;
}

/** Returns the condition for the tiles `t` that a search reads, with the filter's values by name. */
export function searchableTiles(filter: SearchFilter): { readonly sql: string; readonly params: Readonly<Record<string, SqlValue>> } {
  const base = filter.includeDisconnected === true ? IS_READY : IS_READY_AND_CONNECTED;
  const { sql, params } = filterConditions(filter);
  return { sql: base + sql, params };
}

/** Converts the filter to further conditions on `t`. */
export function filterConditions({ zoneId, type, createdSince, createdBefore }: SearchFilter) {
  const params: Record<string, SqlValue> = {};
  let sql = "";
  const add = (condition: string, name: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    sql += ` AND ${condition} @${name}`;
    params[name] = value;
  };
  add("t.zone_id =", "zoneId", zoneId);
  add("t.type =", "type", type);
  add("t.created_at >=", "createdSince", createdSince);
  add("t.created_at <", "createdBefore", createdBefore);
  return { sql, params };
}
