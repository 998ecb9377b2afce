import type { PendingTile } from "#domain/answers/search.ts";
import { searchableTiles } from "../../sql/search/conditions.ts";
import type { SearchAdapter } from "../../sql/search/search.ts";
import { PENDING_TILES } from "../../sql/search/search-rows.ts";
import type { Unit } from "../../sql/unit.ts";
import type { Database } from "../engine/database.ts";
import { POSTGRES, runUnit } from "../engine/driver.ts";

/** The server sums the lengths of texts, so that it sends no more text than requested. */
export const createSearchAdapter = (db: Database): SearchAdapter => ({
  maxTerms: Infinity,

  async pending(limit, maxCharacters) {
    const pending: PendingTile[] = [];
    let characters = 0;
    // One index lookup per business, however many tiles wait.
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
      if (pending.length >= limit || characters >= maxCharacters) break;
      const tiles = await runUnit(db, readPending(businessId, limit - pending.length, maxCharacters - characters));
      pending.push(...tiles);
      characters += tiles.reduce((sum, { text }) => sum + text.length, 0);
    }
    return pending;
  },

  pendingConnected(businessId, boardId, maxCharacters, filter = {}) {
    const { sql, params } = searchableTiles(POSTGRES, filter);
    return runUnit(
      db,
      PENDING_TILES.list(
        `(SELECT t.*, sum(length(t.extracted_text)) OVER (ORDER BY t.sequence DESC) AS characters,
            row_number() OVER (ORDER BY t.sequence DESC) AS position
          FROM tile t WHERE NOT t.is_indexed AND t.business_id = @businessId AND t.board_id = @boardId AND ${sql}) AS t
         WHERE t.characters <= @maxCharacters OR t.position = 1 ORDER BY t.sequence`,
        { businessId, boardId, maxCharacters, ...params },
      ),
    );
  },
});

/** Reads waiting tiles of one business, until the previous ones have `maxCharacters`. */
const readPending = (businessId: string, limit: number, maxCharacters: number): Unit<PendingTile[]> =>
  PENDING_TILES.list(
    `tile t JOIN (
       SELECT id, sum(length(extracted_text)) OVER (ORDER BY board_id, sequence) - length(extracted_text) AS before
       FROM (SELECT id, board_id, sequence, extracted_text FROM tile WHERE business_id = @businessId AND NOT is_indexed
         ORDER BY board_id, sequence LIMIT @limit) AS first
     ) AS wanted ON t.business_id = @businessId AND t.id = wanted.id WHERE wanted.before < @maxCharacters ORDER BY t.board_id, t.sequence`,
    { businessId, limit, maxCharacters: Math.min(maxCharacters, Number.MAX_SAFE_INTEGER) },
  );
