import type { SearchStore } from "#domain/answers/search.ts";
import { type ReadyTileRow, type UnreadyTileRow, readyTileOf, unreadyTileOf } from "../../shared/rows/search-rows.ts";
import type { Connection } from "../engine/database.ts";
import { FEEDS_CHAT, READY, conditionsOf } from "./conditions.ts";

/** Reads tiles whether they feed chat or not, for a search over the whole board. */
export const createWholeBoardReads = (db: Connection): Pick<SearchStore, "readyTiles" | "unreadyTiles"> => ({
  async readyTiles(businessId, boardId, tileIds) {
    return db
      .all<ReadyTileRow>(
        `SELECT t.id, t.title, t.type, t.source_url, t.extracted_text, (${FEEDS_CHAT}) AS connected FROM json_each(?) wanted
         CROSS JOIN tile t ON t.business_id = ? AND t.id = wanted.value AND t.board_id = ? AND ${READY}`,
        JSON.stringify(tileIds),
        businessId,
        boardId,
      )
      .map(readyTileOf);
  },

  async unreadyTiles(businessId, boardId, before, limit, filter = {}) {
    const conditions = conditionsOf(filter);
    return db
      .all<UnreadyTileRow>(
        `SELECT t.id, t.title, t.type, t.status, t.source_url, t.sequence, (${FEEDS_CHAT}) AS connected FROM tile t INDEXED BY tile_unready
         WHERE t.business_id = ? AND t.board_id = ? AND t.status <> 'ready' AND t.deleted_at IS NULL AND t.sequence < ?${conditions.sql}
         ORDER BY t.sequence DESC LIMIT ?`,
        businessId,
        boardId,
        before ?? Number.MAX_SAFE_INTEGER,
        ...conditions.values,
        limit,
      )
      .map(unreadyTileOf);
  },
});
