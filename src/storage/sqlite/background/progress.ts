import { LEASE_MS } from "#domain/content/job.ts";
import { MOST_RUNNING, type ProgressStore } from "#domain/content/progress.ts";
import { PROGRESS_COLUMNS, type ProgressRow, progressOf } from "../../shared/rows/progress-rows.ts";
import type { Connection } from "../engine/database.ts";

export function createProgressStore(db: Connection): ProgressStore {
  return {
    report: async (entries, now) => {
      await db.write(() => {
        for (const { businessId, boardId, tileId, stage, attempt, maxAttempts, startedAt } of entries)
          db.run(
            `INSERT INTO progress (${PROGRESS_COLUMNS}, until) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT (business_id, tile_id) DO UPDATE SET board_id = excluded.board_id, stage = excluded.stage, attempt = excluded.attempt,
               max_attempts = excluded.max_attempts, started_at = excluded.started_at, until = excluded.until
             WHERE excluded.started_at >= started_at OR until < ?`,
            businessId,
            boardId,
            tileId,
            stage,
            attempt,
            maxAttempts,
            startedAt,
            now + LEASE_MS,
            now,
          );
      });
    },

    end: async (entries) => {
      await db.write(() => {
        for (const { businessId, tileId, startedAt } of entries)
          db.run("DELETE FROM progress WHERE business_id = ? AND tile_id = ? AND started_at = ?", businessId, tileId, startedAt);
      });
    },

    async running(now) {
      return db
        .all<ProgressRow>(
          `SELECT ${PROGRESS_COLUMNS} FROM progress WHERE until >= ? ORDER BY started_at, tile_id LIMIT ${MOST_RUNNING}`,
          now,
        )
        .map(progressOf);
    },
  };
}
