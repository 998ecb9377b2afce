import { randomUUID } from "node:crypto";
import { type ClaimedJob, LEASE_MS, MAX_RETRY_DELAY_MS } from "#domain/content/job.ts";
import { workerLost } from "../../shared/ingestion.ts";
import { failTile, lockTile, type SourceRow, toSource } from "../../sql/background/tile-jobs.ts";
import { touchBoard } from "../../sql/content/board-revisions.ts";
import type { Unit } from "../../sql/unit.ts";
import type { Connection } from "../engine/database.ts";
import { runUnit, SQLITE } from "../engine/driver.ts";
import { type ClaimLimits, type JobPicker, listFullHosts, type RunningCount } from "../../shared/turns/job-picker.ts";
import { findCandidates, JOB_COLUMNS, type JobRow } from "./candidates.ts";

/** Leases and attempts that lie others in the future were set while the clock was ahead, and count as due now. */
const FUTURE_LEASE_MS = 2 * LEASE_MS;
const FUTURE_RUN_MS = MAX_RETRY_DELAY_MS + 60_000;

/** Whether there may be a job to claim. Usually there is none, and checking needs no transaction. */
export const hasWork = (db: Connection, now: number): boolean =>
  db.get(
    `SELECT 1 AS found FROM job WHERE (lease IS NULL AND (run_at <= ? OR run_at > ?))
     OR (lease IS NOT NULL AND (lease_until < ? OR lease_until > ?)) LIMIT 1`,
    now,
    now + FUTURE_RUN_MS,
    now,
    now + FUTURE_LEASE_MS,
  ) !== undefined;

/** Claims jobs as `Queue.claim` does, within a unit of work. `failed` counts the tiles whose last attempt was lost. */
export function claim(
  db: Connection,
  picker: JobPicker,
  limits: ClaimLimits,
  now: number,
): { readonly failed: number; readonly claimed: ClaimedJob[] } {
  const failed = reap(db, now);
  return { failed, claimed: pickDue(db, picker, limits, now).flatMap((row) => leaseJob(db, row, now) ?? []) };
}

/** Makes jobs with an expired lease due again. Fails the tiles of those without attempts left, and returns how many failed. */
function reap(db: Connection, now: number): number {
  db.run(
    "UPDATE job SET lease = NULL, lease_until = NULL, run_at = ? WHERE lease IS NOT NULL AND (lease_until < ? OR lease_until > ?)",
    now,
    now,
    now + FUTURE_LEASE_MS,
  );
  db.run("UPDATE job SET run_at = ? WHERE lease IS NULL AND run_at > ?", now, now + FUTURE_RUN_MS);
  const exhausted = db.all<JobRow>(`SELECT ${JOB_COLUMNS} FROM job WHERE lease IS NULL AND run_at <= ? AND attempts >= max_attempts`, now);
  for (const row of exhausted) {
    runUnit(db, failLost(row, now));
    closeJob(db, row);
  }
  return exhausted.length;
}

function* failLost({ id, business_id: businessId, board_id: boardId, tile_id: tileId, attempts }: JobRow, now: number): Unit<void> {
  const tile = yield* lockTile(SQLITE, "TRUE", { id, businessId, boardId, tileId, lease: "" });
  if (tile !== null) yield* failTile(SQLITE, tile, workerLost(attempts), {}, now);
}

function closeJob(db: Connection, row: JobRow): void {
  db.run("DELETE FROM job WHERE business_id = ? AND id = ?", row.business_id, row.id);
  runUnit(db, touchBoard(SQLITE, row.business_id, row.board_id));
}

function leaseJob(db: Connection, row: JobRow, now: number): ClaimedJob | null {
  const lease = randomUUID();
  db.run(
    "UPDATE job SET lease = ?, lease_until = ?, attempts = attempts + 1 WHERE business_id = ? AND id = ?",
    lease,
    now + LEASE_MS,
    row.business_id,
    row.id,
  );
  const tile = db.get<SourceRow>(
    "SELECT source_url, file_name, file_type, type FROM tile WHERE business_id = ? AND id = ? AND status = 'processing' AND deleted_at IS NULL",
    row.business_id,
    row.tile_id,
  );
  if (tile === undefined || (tile.source_url === null && tile.file_name === null)) {
    closeJob(db, row);
    return null;
  }
  return {
    id: row.id,
    businessId: row.business_id,
    boardId: row.board_id,
    tileId: row.tile_id,
    ...toSource(tile),
    host: row.host,
    attempt: row.attempts + 1,
    maxAttempts: row.max_attempts,
    crashes: row.crashes,
    isSuspect: row.suspect === 1,
    lease,
  };
}

function pickDue(db: Connection, picker: JobPicker, limits: ClaimLimits, now: number): JobRow[] {
  // The index is named because SQLite would scan all jobs by business instead.
  const sql = `SELECT business_id AS businessId, host, count(*) AS count FROM job INDEXED BY job_leased
    WHERE lease IS NOT NULL GROUP BY business_id, host`;
  const running = db.all<RunningCount>(sql);
  const rows = findCandidates(
    db,
    limits.limit,
    new Set(running.map(({ businessId }) => businessId)),
    listFullHosts(running, limits.perHost),
    now,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const candidates = rows.map(({ id, business_id: businessId, host }) => ({ id, businessId, host }));
  return picker.pick(candidates, running, limits).flatMap(({ id }) => byId.get(id) ?? []);
}
