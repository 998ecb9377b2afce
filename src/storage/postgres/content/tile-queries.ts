import type { DueRefresh } from "#domain/content/tile-store.ts";
import { TileMemo } from "../../shared/tile-memo.ts";
import type { TileQueries } from "../../sql/content/tile-engine.ts";
import type { Database } from "../engine/database.ts";
import { listTiles } from "../shared/tile-listing.ts";

export function createTileQueries(db: Database): TileQueries {
  const memo = new TileMemo();
  return {
    list: ({ target }, query, after, limit, maxBytes) => listTiles(db, memo, target, query, after, limit, maxBytes),

    async replanRefreshes(now) {
      for (const { id: businessId } of await db.all<{ id: string }>("SELECT id FROM business ORDER BY id"))
        await db.write((tx) =>
          tx.run(
            "UPDATE tile SET refresh_at = $1 WHERE business_id = $2 AND refresh_at > $1::bigint + refresh_minutes::bigint * 60000",
            now,
            businessId,
          ),
        );
    },

    async takeDueRefreshes(limit, now) {
      const due: DueRefresh[] = [];
      for (const { id: businessId } of await db.all<{ id: string }>("SELECT id FROM business ORDER BY id")) {
        if (due.length >= limit) break;
        const rows = await db.write((tx) =>
          tx.all<{ id: string; board_id: string }>(
            `UPDATE tile SET refresh_at = $1::bigint + refresh_minutes::bigint * 60000 WHERE business_id = $2 AND id = ANY (ARRAY (
               SELECT t.id FROM tile t JOIN board b ON b.business_id = t.business_id AND b.id = t.board_id AND b.deleted_at IS NULL
               WHERE t.business_id = $2 AND t.refresh_at <= $1 AND t.deleted_at IS NULL ORDER BY t.refresh_at LIMIT $3
               FOR UPDATE OF t SKIP LOCKED)) RETURNING id, board_id`,
            now,
            businessId,
            limit - due.length,
          ),
        );
        due.push(...rows.map((row) => ({ businessId, boardId: row.board_id, tileId: row.id })));
      }
      return due;
    },

    async counts() {
      const row = await db.get<{ processing: number; pending: number }>(
        `SELECT (SELECT count(*) FROM tile WHERE status = 'processing' AND deleted_at IS NULL) AS processing,
         (SELECT count(*) FROM tile WHERE NOT is_indexed) + (SELECT count(*) FROM tile WHERE is_indexed AND NOT is_embedded
           AND status = 'ready' AND deleted_at IS NULL AND EXISTS (SELECT 1 FROM vector_model WHERE is_on)) AS pending`,
      );
      return { processing: row?.processing ?? 0, indexPending: row?.pending ?? 0 };
    },
  };
}
