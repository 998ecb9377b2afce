import { TileMemo } from "../../shared/tile-memo.ts";
import type { TileQueries } from "../../sql/content/tile-engine.ts";
import type { Connection } from "../engine/database.ts";
import { listTiles } from "../shared/tile-listing.ts";

export function createTileQueries(db: Connection): TileQueries {
  const memo = new TileMemo();
  return {
    list: async ({ target }, query, after, limit, maxBytes) => listTiles(db, memo, target, query, after, limit, maxBytes),

    replanRefreshes: async (now) => {
      await db.write(() => db.run("UPDATE tile SET refresh_at = ? WHERE refresh_at > ? + refresh_minutes * 60000", now, now));
    },

    takeDueRefreshes: (limit, now) =>
      db.write(() => {
        const due = db.all<{ business_id: string; board_id: string; id: string; refresh_minutes: number }>(
          `SELECT t.business_id, t.board_id, t.id, t.refresh_minutes FROM tile t
           JOIN board b ON b.business_id = t.business_id AND b.id = t.board_id AND b.deleted_at IS NULL
           WHERE t.refresh_at <= ? AND t.deleted_at IS NULL ORDER BY t.refresh_at LIMIT ?`,
          now,
          limit,
        );
        return due.map((row) => {
          db.run(
            "UPDATE tile SET refresh_at = ? WHERE business_id = ? AND id = ?",
            now + row.refresh_minutes * 60_000,
            row.business_id,
            row.id,
          );
          return { businessId: row.business_id, boardId: row.board_id, tileId: row.id };
        });
      }),

    async counts() {
      const processing = db.get<{ n: number }>(
        "SELECT count(*) AS n FROM tile INDEXED BY tile_processing WHERE status = 'processing' AND deleted_at IS NULL",
      );
      const pending = db.get<{ n: number }>("SELECT count(*) AS n FROM tile INDEXED BY tile_unindexed WHERE indexed = 0");
      const unembedded = db.get<{ n: number }>(
        `SELECT count(*) AS n FROM tile INDEXED BY tile_unembedded
         WHERE embedded = 0 AND indexed = 1 AND status = 'ready' AND deleted_at IS NULL AND EXISTS (SELECT 1 FROM vector_model WHERE is_on = 1)`,
      );
      return { processing: processing?.n ?? 0, indexPending: (pending?.n ?? 0) + (unembedded?.n ?? 0) };
    },
  };
}
