import { randomUUID } from "node:crypto";
import { type ClaimedJob, LEASE_MS, MAX_RETRY_DELAY_MS } from "#domain/content/job.ts";
import { workerLost } from "../../shared/ingestion.ts";
import { failTile, lockTile, type SourceRow, toSource } from "../../sql/background/tile-jobs.ts";
import { touchBoard } from "../../sql/content/board-revisions.ts";
import type { Unit } from "../../sql/unit.ts";
import type { Connection } from "../engine/database.ts";
import { runUnit, SQLITE } from "../engine/driver.ts";
import { findJobsOfIdleBusinesses, JOB_COLUMNS, type JobRow } from "./idle-businesses.ts";

/** Maximum number of due jobs that are read to find hosts with nothing running. */
const MAX_SCANNED_JOBS = 1_000;

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
  limit: number,
  perHost: number,
  now: number,
  reservedSlots: number,
): { readonly failed: number; readonly claimed: ClaimedJob[] } {
  const failed = reap(db, now);
  return { failed, claimed: pickDue(db, limit, perHost, now, reservedSlots).flatMap((row) => leaseJob(db, row, now) ?? []) };
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

/** Selects jobs of businesses with nothing running, then of hosts with nothing running, then others up to `limit - reservedSlots`. */
function pickDue(db: Connection, limit: number, perHost: number, now: number, reservedSlots: number): JobRow[] {
  const running = new Map<string, number>();
  for (const row of db.all<{ host: string; n: number }>("SELECT host, count(*) AS n FROM job WHERE lease IS NOT NULL GROUP BY host"))
    running.set(row.host, row.n);
  const first: JobRow[] = [];
  const others: JobRow[] = [];
  const hasSlot = ({ host }: JobRow): boolean => (running.get(host) ?? 0) < perHost;
  for (const row of findJobsOfIdleBusinesses(db, limit, now, hasSlot)) {
    // Two of these jobs may have the same host.
    if (!hasSlot(row)) continue;
    running.set(row.host, (running.get(row.host) ?? 0) + 1);
    first.push(row);
  }
  const selected = new Set(first.map(({ id }) => id));
  const due = db.sql(`SELECT ${JOB_COLUMNS} FROM job WHERE lease IS NULL AND run_at <= ? ORDER BY run_at, created_at, rowid`);
  let scanned = 0;
  for (const row of due.iterate(now) as IterableIterator<JobRow>) {
    // With enough jobs, a long backlog is not searched to its end for hosts with nothing running.
    if (first.length >= limit || (++scanned > MAX_SCANNED_JOBS && first.length + others.length >= limit)) break;
    const count = running.get(row.host) ?? 0;
    if (count >= perHost || selected.has(row.id)) continue;
    running.set(row.host, count + 1);
    (count === 0 ? first : others).push(row);
  }
  return [...first, ...others.slice(0, Math.max(0, limit - reservedSlots - first.length))];
}
