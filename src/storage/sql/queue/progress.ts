import { LEASE_MS } from "#domain/content/job.ts";
import { MAX_RUNNING, type Progress, type ProgressStore } from "#domain/content/progress.ts";
import type { Driver } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { run } from "../unit.ts";

const ENTRIES = new Mapping<Progress>(plainFields("businessId", "boardId", "tileId", "stage", "attempt", "maxAttempts", "startedAt"));
const COLUMN_TYPES = {
  business_id: "text",
  board_id: "text",
  tile_id: "text",
  stage: "text",
  attempt: "bigint",
  max_attempts: "bigint",
  started_at: "bigint",
} as const;

const COLUMNS = Object.keys(COLUMN_TYPES).join(", ");

const toRow = (entry: Progress): Record<keyof typeof COLUMN_TYPES, unknown> => ({
  business_id: entry.businessId,
  board_id: entry.boardId,
  tile_id: entry.tileId,
  stage: entry.stage,
  attempt: entry.attempt,
  max_attempts: entry.maxAttempts,
  started_at: entry.startedAt,
});

/** Returns the latest entry of each tile. They are sorted, so that processes lock rows in the same order and avoid deadlocks. */
function selectLatest(entries: readonly Progress[]): readonly Progress[] {
  const latest = new Map<string, Progress>();
  for (const entry of entries) {
    const key = `${entry.businessId} ${entry.tileId}`;
    if ((latest.get(key)?.startedAt ?? -Infinity) <= entry.startedAt) latest.set(key, entry);
  }
  return [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}

export function createProgressStore({ dialect, read, write }: Driver): ProgressStore {
  const entries = dialect.rowsOfJson("rows", COLUMN_TYPES);
  return {
    report: async (reported, now) => {
      await write(() =>
        run(
          `INSERT INTO progress (${COLUMNS}, until) SELECT ${COLUMNS}, @until FROM ${entries} AS reported WHERE TRUE
           ON CONFLICT (business_id, tile_id) DO UPDATE SET board_id = excluded.board_id, stage = excluded.stage, attempt = excluded.attempt,
             max_attempts = excluded.max_attempts, started_at = excluded.started_at, until = excluded.until
           WHERE excluded.started_at >= progress.started_at OR progress.until < @now`,
          { rows: JSON.stringify(selectLatest(reported).map(toRow)), until: now + LEASE_MS, now },
        ),
      );
    },

    end: async (ended) => {
      await write(() =>
        run(
          `DELETE FROM progress WHERE (business_id, tile_id, started_at) IN (SELECT business_id, tile_id, started_at FROM ${entries} AS ended)`,
          { rows: JSON.stringify(ended.map(toRow)) },
        ),
      );
    },

    running: (now) =>
      read(() => ENTRIES.list("progress WHERE until >= @now ORDER BY started_at, tile_id LIMIT @limit", { now, limit: MAX_RUNNING })),
  };
}
