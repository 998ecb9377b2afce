import { randomUUID } from "node:crypto";
import { type ClaimedJob, LEASE_MS, MAX_RETRY_DELAY_MS } from "#domain/content/job.ts";
import type { TileType } from "#domain/content/tile.ts";
import { workerLost } from "../../shared/changes.ts";
import { failTile, lockTile } from "../../sql/background/tile-jobs.ts";
import { touchBoard } from "../../sql/content/board-revisions.ts";
import type { Unit } from "../../sql/unit.ts";
import type { Connection } from "../engine/database.ts";
import { runUnit, SQLITE } from "../engine/driver.ts";
import { findJobsOfIdleBusinesses, JOB_COLUMNS, type JobRow } from "./idle-businesses.ts";

/** How many due jobs are read in search of hosts with nothing running. */
const MAX_SCANNED_JOBS = 1_000;

/** Leases and attempts that are further away than any that is given were set while the clock was ahead: they are due now. */
const FUTURE_LEASE_MS = 2 * LEASE_MS;
const FUTURE_RUN_MS = MAX_RETRY_DELAY_MS + 60_000;

/** Whether there may be a job to claim; nearly always there is none, and reading costs no transaction. */
export const hasWork = (db: Connection, now: number): boolean =>
  db.get(
    `SELECT 1 AS found FROM job WHERE (lease IS NULL AND (run_at <= ? OR run_at > ?))
     OR (lease IS NOT NULL AND (lease_until < ? OR lease_until > ?)) LIMIT 1`,
    now,
    now + FUTURE_RUN_MS,
    now,
    now + FUTURE_LEASE_MS,
  ) !== undefined;

/** Claims jobs as `Queue.claim` does, as a part of a unit of work; `failed` counts tiles that failed with their last lease. */
export function claim(
  db: Connection,
  limit: number,
  perHost: number,
  now: number,
  reserved: number,
): { readonly failed: number; readonly claimed: ClaimedJob[] } {
  const failed = reap(db, now);
  return { failed, claimed: pickDue(db, limit, perHost, now, reserved).flatMap((row) => takeJob(db, row, now) ?? []) };
}

/** Makes jobs whose lease ran out due again, and fails those that have no try left; returns how many failed. */
function reap(db: Connection, now: number): number {
  db.run(
    "UPDATE job SET lease = NULL, lease_until = NULL, run_at = ? WHERE lease IS NOT NULL AND (lease_until < ? OR lease_until > ?)",
    now,
    now,
    now + FUTURE_LEASE_MS,
  );
  db.run("UPDATE job SET run_at = ? WHERE lease IS NULL AND run_at > ?", now, now + FUTURE_RUN_MS);
  const spent = db.all<JobRow>(`SELECT ${JOB_COLUMNS} FROM job WHERE lease IS NULL AND run_at <= ? AND attempts >= max_attempts`, now);
  for (const row of spent) {
    runUnit(db, failLost(row, now));
    closeJob(db, row);
  }
  return spent.length;
}

function* failLost({ id, business_id: businessId, board_id: boardId, tile_id: tileId, attempts }: JobRow, now: number): Unit<void> {
  const tile = yield* lockTile(SQLITE, "TRUE", { id, businessId, boardId, tileId, lease: "" });
  if (tile !== null) yield* failTile(SQLITE, tile, workerLost(attempts), {}, now);
}

function closeJob(db: Connection, row: JobRow): void {
  db.run("DELETE FROM job WHERE business_id = ? AND id = ?", row.business_id, row.id);
  runUnit(db, touchBoard(SQLITE, row.business_id, row.board_id));
}

function takeJob(db: Connection, row: JobRow, now: number): ClaimedJob | null {
  const lease = randomUUID();
  db.run(
    "UPDATE job SET lease = ?, lease_until = ?, attempts = attempts + 1 WHERE business_id = ? AND id = ?",
    lease,
    now + LEASE_MS,
    row.business_id,
    row.id,
  );
  const tile = db.get<{ source_url: string | null; file_name: string | null; file_type: string | null; type: string }>(
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
    url: tile.source_url,
    file: tile.file_name === null ? null : { name: tile.file_name, mediaType: tile.file_type ?? "" },
    type: tile.type as TileType,
    host: row.host,
    attempt: row.attempts + 1,
    maxAttempts: row.max_attempts,
    crashes: row.crashes,
    isSuspect: row.suspect === 1,
    lease,
  };
}

/** Jobs of businesses with nothing running, then of hosts with nothing running, then others, but for the `reserved` slots. */
function pickDue(db: Connection, limit: number, perHost: number, now: number, reserved: number): JobRow[] {
  const running = new Map<string, number>();
  for (const row of db.all<{ host: string; n: number }>("SELECT host, count(*) AS n FROM job WHERE lease IS NOT NULL GROUP BY host"))
    running.set(row.host, row.n);
  const first: JobRow[] = [];
  const further: JobRow[] = [];
  const hasSlot = ({ host }: JobRow): boolean => (running.get(host) ?? 0) < perHost;
  for (const row of findJobsOfIdleBusinesses(db, limit, now, hasSlot)) {
    // Two of them may be of the same host.
    if (!hasSlot(row)) continue;
    running.set(row.host, (running.get(row.host) ?? 0) + 1);
    first.push(row);
  }
  const taken = new Set(first.map(({ id }) => id));
  const due = db.sql(`SELECT ${JOB_COLUMNS} FROM job WHERE lease IS NULL AND run_at <= ? ORDER BY run_at, created_at, rowid`);
  let seen = 0;
  for (const row of due.iterate(now) as IterableIterator<JobRow>) {
    // With enough found, hosts with nothing running are looked for only so far down a long backlog.
    if (first.length >= limit || (++seen > MAX_SCANNED_JOBS && first.length + further.length >= limit)) break;
    const count = running.get(row.host) ?? 0;
    if (count >= perHost || taken.has(row.id)) continue;
    running.set(row.host, count + 1);
    (count === 0 ? first : further).push(row);
  }
  return [...first, ...further.slice(0, Math.max(0, limit - reserved - first.length))];
}
