import type { PendingTile } from "#domain/answers/search.ts";
import { PENDING_COLUMNS, type PendingRow, pendingOf } from "../../shared/rows/search-rows.ts";
import { readableBy } from "../../sql/search/conditions.ts";
import type { SearchAdapter } from "../../sql/search/search.ts";
import { all, type Unit } from "../../sql/unit.ts";
import type { Database } from "../engine/database.ts";
import { POSTGRES, runUnit } from "../engine/driver.ts";

/** The server adds up the lengths of texts, so that no more text is sent than was asked for. */
export const createSearchAdapter = (db: Database): SearchAdapter => ({
  maxTerms: Infinity,

  async pending(limit, maxCharacters) {
    const found: PendingTile[] = [];
    let characters = 0;
    // From business to business by the index, however many tiles wait.
    const businesses = await db.all<{ business_id: string }>(
      `WITH RECURSIVE waiting AS (
         (SELECT business_id FROM tile WHERE NOT is_indexed ORDER BY business_id LIMIT 1)
         UNION ALL
         SELECT (SELECT t.business_id FROM tile t WHERE NOT t.is_indexed AND t.business_id > w.business_id ORDER BY t.business_id LIMIT 1)
         FROM waiting w WHERE w.business_id IS NOT NULL)
       SELECT business_id FROM waiting WHERE business_id IS NOT NULL LIMIT $1`,
      limit,
    );
    for (const { business_id: businessId } of businesses) {
      if (found.length >= limit || characters >= maxCharacters) break;
      const rows = await runUnit(db, readPending(businessId, limit - found.length, maxCharacters - characters));
      for (const row of rows) {
        found.push(pendingOf(row));
        characters += row.extracted_text.length;
      }
    }
    return found;
  },

  async pendingConnected(businessId, boardId, maxCharacters, filter = {}) {
    const { sql, params } = readableBy(POSTGRES, filter);
    const rows = await runUnit(
      db,
      all<PendingRow>(
        `SELECT business_id, board_id, id, version, title, extracted_text FROM (
           SELECT ${PENDING_COLUMNS}, t.sequence, sum(length(t.extracted_text)) OVER (ORDER BY t.sequence DESC) AS characters,
             row_number() OVER (ORDER BY t.sequence DESC) AS place
           FROM tile t WHERE NOT t.is_indexed AND t.business_id = @businessId AND t.board_id = @boardId AND ${sql}
         ) AS waiting WHERE characters <= @maxCharacters OR place = 1 ORDER BY sequence`,
        { businessId, boardId, maxCharacters, ...params },
      ),
    );
    return rows.map(pendingOf);
  },
});

/** The tiles of one business that wait, until those before a tile have `maxCharacters`. */
const readPending = (businessId: string, limit: number, maxCharacters: number): Unit<PendingRow[]> =>
  all<PendingRow>(
    `SELECT ${PENDING_COLUMNS} FROM tile t JOIN (
       SELECT id, sum(length(extracted_text)) OVER (ORDER BY board_id, sequence) - length(extracted_text) AS before
       FROM (SELECT id, board_id, sequence, extracted_text FROM tile WHERE business_id = @businessId AND NOT is_indexed
         ORDER BY board_id, sequence LIMIT @limit) AS first
     ) AS wanted ON t.business_id = @businessId AND t.id = wanted.id WHERE wanted.before < @maxCharacters ORDER BY t.board_id, t.sequence`,
    { businessId, limit, maxCharacters: Math.min(maxCharacters, Number.MAX_SAFE_INTEGER) },
  );
