import type { SearchStore } from "#domain/answers/search.ts";
import { type ReadyTileRow, type UnreadyTileRow, readyTileOf, unreadyTileOf } from "../../shared/rows/search-rows.ts";
import type { Database } from "../engine/database.ts";
import { FEEDS_CHAT, READY, conditionsOf } from "./conditions.ts";

/** Reads tiles whether they feed chat or not, for a search over the whole board. */
export const createWholeBoardReads = (db: Database): Pick<SearchStore, "readyTiles" | "unreadyTiles"> => ({
  async readyTiles(businessId, boardId, tileIds) {
    const rows = await db.all<ReadyTileRow>(
      `SELECT t.id, t.title, t.type, t.source_url, t.extracted_text, (${FEEDS_CHAT}) AS connected FROM tile t
       WHERE t.business_id = $1 AND t.id = ANY($2) AND t.board_id = $3 AND ${READY}`,
      businessId,
      tileIds,
      boardId,
    );
    const tiles = new Map(rows.map((row) => [row.id, row]));
    return tileIds.flatMap((id) => {
      const row = tiles.get(id);
      return row === undefined ? [] : [readyTileOf(row)];
    });
  },

  async unreadyTiles(businessId, boardId, before, limit, filter = {}) {
    const conditions = conditionsOf(filter, 5);
    const rows = await db.all<UnreadyTileRow>(
      `SELECT t.id, t.title, t.type, t.status, t.source_url, t.sequence, (${FEEDS_CHAT}) AS connected FROM tile t
       WHERE t.business_id = $1 AND t.board_id = $2 AND t.status <> 'ready' AND t.deleted_at IS NULL AND t.sequence < $3${conditions.sql}
       ORDER BY t.sequence DESC LIMIT $4`,
      businessId,
      boardId,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
      ...conditions.values,
    );
    return rows.map(unreadyTileOf);
  },
});
