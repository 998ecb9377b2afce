import type { DueRefresh, TileStore } from "#domain/content/tile-store.ts";
import type { Driver } from "../driver.ts";
import { Mapping, plain } from "../mapping.ts";
import { get, run } from "../unit.ts";

const DUE = new Mapping<DueRefresh>({ businessId: plain, boardId: plain, tileId: { column: "id" } }, "t");
const NEXT_REFRESH = "@now + CAST(refresh_minutes AS BIGINT) * 60000";

/**
 * Scheduled refreshes of links, and the counts of waiting background work. Statements name all businesses because the index of
 * `refresh_at` begins with the business.
 */
export function createTileSchedule({ dialect, read, write }: Driver): Pick<TileStore, "replanRefreshes" | "takeDueRefreshes" | "counts"> {
  const { locking, rowsOfJson, useIndex } = dialect;
  return {
    async replanRefreshes(now) {
      const sql = `UPDATE tile SET refresh_at = @now WHERE business_id IN (SELECT id FROM business) AND refresh_at > ${NEXT_REFRESH}`;
      await write(() => run(sql, { now }));
    },

    takeDueRefreshes: (limit, now) =>
      write(function* () {
        const due = yield* DUE.list(
          `tile t JOIN board b ON b.business_id = t.business_id AND b.id = t.board_id AND b.deleted_at IS NULL
           WHERE t.business_id IN (SELECT id FROM business) AND t.refresh_at <= @now AND t.deleted_at IS NULL
           ORDER BY t.refresh_at LIMIT @limit${locking("FOR UPDATE OF t SKIP LOCKED")}`,
          { now, limit },
        );
        if (due.length === 0) return [];
        yield* run(
          `UPDATE tile SET refresh_at = ${NEXT_REFRESH} FROM ${rowsOfJson("rows", { business_id: "text", id: "text" })} AS due
           WHERE tile.business_id = due.business_id AND tile.id = due.id`,
          { now, rows: JSON.stringify(due.map(({ businessId, tileId }) => ({ business_id: businessId, id: tileId }))) },
        );
        return due;
      }),

    counts: () =>
      read(function* () {
        const row = yield* get<{ processing: number; unindexed: number; unembedded: number }>(
          `SELECT
             (SELECT count(*) FROM tile${useIndex("tile_processing")} WHERE status = 'processing' AND deleted_at IS NULL) AS processing,
             (SELECT count(*) FROM tile${useIndex("tile_unindexed")} WHERE is_indexed = FALSE) AS unindexed,
             (SELECT count(*) FROM tile${useIndex("tile_unembedded")} WHERE is_indexed = TRUE AND is_embedded = FALSE
                AND status = 'ready' AND deleted_at IS NULL AND EXISTS (SELECT 1 FROM vector_model WHERE is_on)) AS unembedded`,
        );
        return { processing: row?.processing ?? 0, indexPending: (row?.unindexed ?? 0) + (row?.unembedded ?? 0) };
      }),
  };
}
