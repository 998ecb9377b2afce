import { LEASE_MS } from "#domain/content/job.ts";
import { MOST_RUNNING, type ProgressStore } from "#domain/content/progress.ts";
import { PROGRESS_COLUMNS, type ProgressRow, progressOf } from "../../shared/rows/progress-rows.ts";
import type { Database } from "../engine/database.ts";

export function createProgressStore(db: Database): ProgressStore {
  return {
    report: async (entries, now) => {
      await db.write((tx) =>
        tx.run(
          // One row a tile, in the same order everywhere, so that writers never wait for each other in a circle.
          `INSERT INTO progress (${PROGRESS_COLUMNS}, until)
           SELECT DISTINCT ON (business_id, tile_id) e.*, $8::bigint
           FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::int[], $7::bigint[]) AS e (${PROGRESS_COLUMNS})
           ORDER BY business_id, tile_id, started_at DESC
           ON CONFLICT (business_id, tile_id) DO UPDATE SET board_id = excluded.board_id, stage = excluded.stage, attempt = excluded.attempt,
             max_attempts = excluded.max_attempts, started_at = excluded.started_at, until = excluded.until
           WHERE excluded.started_at >= progress.started_at OR progress.until < $9`,
          entries.map(({ businessId }) => businessId),
          entries.map(({ boardId }) => boardId),
          entries.map(({ tileId }) => tileId),
          entries.map(({ stage }) => stage),
          entries.map(({ attempt }) => attempt),
          entries.map(({ maxAttempts }) => maxAttempts),
          entries.map(({ startedAt }) => startedAt),
          now + LEASE_MS,
          now,
        ),
      );
    },

    end: async (entries) => {
      await db.write((tx) =>
        tx.run(
          `DELETE FROM progress p USING unnest($1::text[], $2::text[], $3::bigint[]) AS gone (business_id, tile_id, started_at)
           WHERE p.business_id = gone.business_id AND p.tile_id = gone.tile_id AND p.started_at = gone.started_at`,
          entries.map(({ businessId }) => businessId),
          entries.map(({ tileId }) => tileId),
          entries.map(({ startedAt }) => startedAt),
        ),
      );
    },

    async running(now) {
      const rows = await db.all<ProgressRow>(
        `SELECT ${PROGRESS_COLUMNS} FROM progress WHERE until >= $1 ORDER BY started_at, tile_id LIMIT ${MOST_RUNNING}`,
        now,
      );
      return rows.map(progressOf);
    },
  };
}
