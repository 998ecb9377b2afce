import type { SearchFilter } from "#domain/answers/search.ts";
import type { Dialect } from "../driver.ts";
import type { SqlValue } from "../unit.ts";

/** Conditions on a tile `t` that searches share. */
export const READY = "t.status = 'ready' AND t.deleted_at IS NULL";

/** The tile's own switch is not off, and it is in no zone or in a connected one. */
export const feedsChat = ({ is, isNot }: Dialect): string =>
  `${isNot("t.connected_to_chat", false)} AND (t.zone_id IS NULL OR EXISTS (
     SELECT 1 FROM zone z WHERE z.business_id = t.business_id AND z.id = t.zone_id AND ${is("z.connected_to_chat", true)} AND z.deleted_at IS NULL))`;

/** A tile may be read for chat. */
export const isConnected = (dialect: Dialect): string => `${READY} AND ${feedsChat(dialect)}`;

/**
 * Whether a board has a tile that may be read for chat, outside zones or in one of its connected zones. One look into the index for
 * each zone, however many tiles there are.
 */
export function hasConnectedTile({ is, isNot, useIndex }: Dialect): string {
  const mayFeedChat = `${READY} AND ${isNot("t.connected_to_chat", false)}`;
  return `SELECT
    EXISTS (SELECT 1 FROM tile t${useIndex("tile_feeding")}
      WHERE t.business_id = @businessId AND t.board_id = @boardId AND t.zone_id IS NULL AND ${mayFeedChat})
    OR EXISTS (SELECT 1 FROM zone z CROSS JOIN tile t${useIndex("tile_feeding")}
      WHERE z.business_id = @businessId AND z.board_id = @boardId AND ${is("z.connected_to_chat", true)} AND z.deleted_at IS NULL
        AND t.business_id = z.business_id AND t.board_id = z.board_id AND t.zone_id = z.id AND ${mayFeedChat}) AS found`;
}

/** The tiles that a search reads: a condition on `t`, with the filter's values by name. */
export function readableBy(
  dialect: Dialect,
  filter: SearchFilter,
): { readonly sql: string; readonly params: Readonly<Record<string, SqlValue>> } {
  const base = filter.includeDisconnected === true ? READY : isConnected(dialect);
  const { sql, params } = filterConditions(filter);
  return { sql: base + sql, params };
}

/** The filter alone, as further conditions on `t`. */
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
