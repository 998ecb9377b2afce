import type { Statement } from "better-sqlite3";
import type { PendingTile } from "#domain/answers/search.ts";
import { searchableTiles } from "../../sql/search/conditions.ts";
import type { SearchAdapter } from "../../sql/search/search.ts";
import { PENDING_TILES } from "../../sql/search/search-rows.ts";
import type { Connection } from "../engine/database.ts";
import { SQLITE } from "../engine/driver.ts";

/** Maximum terms written in one unit of work, about 2 ms. A larger unit would delay other calls. */
const MAX_TERMS = 500;

const PENDING = `SELECT ${PENDING_TILES.columns} FROM tile t INDEXED BY tile_unindexed WHERE t.indexed = 0`;

/** Reads rows one by one until there is enough text. */
export const createSearchAdapter = (db: Connection): SearchAdapter => ({
  maxTerms: MAX_TERMS,

  async pending(limit, maxCharacters) {
    const found: PendingTile[] = [];
    let characters = 0;
    for (const row of db.raw.prepare<[number], PendingTile>(`${PENDING} LIMIT ?`).iterate(limit)) {
      found.push(row);
      characters += row.text.length;
      if (characters >= maxCharacters) break;
    }
    return found;
  },

  async pendingConnected(businessId, boardId, maxCharacters, filter = {}) {
    const { sql, params } = searchableTiles(SQLITE, filter);
    const rows = db.sql(
      `${PENDING} AND t.business_id = @businessId AND t.board_id = @boardId AND ${sql} ORDER BY t.sequence DESC`,
    ) as unknown as Statement<[object], PendingTile>;
    const found: PendingTile[] = [];
    let characters = 0;
    for (const row of rows.iterate({ businessId, boardId, ...params })) {
      characters += row.text.length;
      if (found.length > 0 && characters > maxCharacters) break;
      found.push(row);
    }
    return found.reverse();
  },
});
