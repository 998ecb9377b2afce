import { randomUUID } from "node:crypto";
import { type ClaimedJob, LEASE_MS, MAX_RETRY_DELAY_MS, SHORTAGE_DELAY_MS } from "#domain/content/job.ts";
import type { Candidate, ClaimLimits, JobPicker, RunningCount } from "../../shared/turns/job-picker.ts";
import type { Dialect } from "../driver.ts";
import { all, get, run, type Unit } from "../unit.ts";
import { findCandidates } from "./candidates.ts";
import { IS_WAITING, markDue } from "./job-rows.ts";
import { HAS_PAGE, type SourceRow, toSource } from "./tile-jobs.ts";

/** Leases and attempts that lie others in the future were set while the clock was ahead, and count as due now. */
const FUTURE_LEASE_MS = 2 * LEASE_MS;
const FUTURE_RUN_MS = MAX_RETRY_DELAY_MS + 60_000;

const IS_LEASE_LOST = "lease IS NOT NULL AND (lease_until < @now OR lease_until > @maxLeaseUntil)";
const IS_AHEAD = "lease IS NULL AND run_at > @maxRunAt";
/** A job without an attempt is due when it is created, or soon after it was returned to the queue. */
const IS_NEW_AND_AHEAD = "lease IS NULL AND attempts = 0 AND run_at > @now AND (created_at > @now OR run_at > @maxReturnedAt)";

/** A job and its tile, whose columns are null if it is missing. */
type JobRow = SourceRow & {
  readonly business_id: string;
  readonly id: string;
  readonly board_id: string;
  readonly tile_id: string;
  readonly host: string;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly status: string | null;
  readonly deleted_at: number | null;
};

const getTimes = (now: number) => ({
  now,
  maxLeaseUntil: now + FUTURE_LEASE_MS,
  maxRunAt: now + FUTURE_RUN_MS,
  maxReturnedAt: now + SHORTAGE_DELAY_MS,
});

/** Whether there may be jobs to claim, and jobs whose lease or due time is wrong. Usually there are none, and checking needs no transaction. */
export function* findWork(now: number): Unit<{ readonly isDue: boolean; readonly isLost: boolean }> {
  const row = yield* get<{ due: boolean | number; lost: boolean | number }>(
    // The least and the greatest value are at the ends of an index, however many jobs wait.
    `SELECT EXISTS (SELECT 1 FROM due_business WHERE due_at <= @now) AS due,
       coalesce((SELECT min(lease_until) FROM job WHERE lease IS NOT NULL) < @now, FALSE)
       OR coalesce((SELECT max(lease_until) FROM job WHERE lease IS NOT NULL) > @maxLeaseUntil, FALSE)
       OR coalesce((SELECT max(run_at) FROM job WHERE lease IS NULL) > @maxRunAt, FALSE) AS lost`,
    getTimes(now),
  );
  return { isDue: Boolean(row?.due), isLost: Boolean(row?.lost) };
}

/** Makes jobs due whose lease has expired, or that were scheduled while the clock was far ahead. */
export const returnLost = (dialect: Dialect, now: number): Unit<void> => makeDue(dialect, [IS_LEASE_LOST, IS_AHEAD], now);

/** Makes waiting jobs without an attempt due whose time only a clock that was ahead can have written. */
export const makeNewJobsDue = (dialect: Dialect, now: number): Unit<void> => makeDue(dialect, [IS_NEW_AND_AHEAD], now);

function* makeDue(dialect: Dialect, conditions: readonly string[], now: number): Unit<void> {
  const businesses = new Set<string>();
  for (const condition of conditions) {
    const rows = yield* all<{ business_id: string }>(
      `UPDATE job SET lease = NULL, lease_until = NULL, run_at = @now WHERE (business_id, id) IN (
         SELECT j.business_id, j.id FROM job j WHERE ${condition}${dialect.locking("FOR UPDATE OF j SKIP LOCKED")}) RETURNING business_id`,
      getTimes(now),
    );
    for (const row of rows) businesses.add(row.business_id);
  }
  for (const businessId of [...businesses].sort()) yield* markDue(businessId, now);
}

/**
 * Claims jobs as `Queue.claim` does. Those that were lost in their last attempt are among them, with an attempt beyond their maximum. Deletes
 * jobs whose tile no longer needs them.
 */
export function* claimJobs(dialect: Dialect, picker: JobPicker, limits: ClaimLimits, now: number): Unit<ClaimedJob[]> {
  yield* dialect.lockQueue();
  // The index is named because SQLite would scan all jobs by business instead.
  const running = yield* all<RunningCount>(
    `SELECT business_id AS "businessId", host, count(*) AS count FROM job${dialect.useIndex("job_leased")}
     WHERE lease IS NOT NULL GROUP BY business_id, host`,
  );
  const { candidates, idle } = yield* findCandidates(dialect, { ...limits, running, now });
  const picked = picker.pick(candidates, running, limits);
  const claimed = picked.length === 0 ? [] : yield* leaseJobs(dialect, picked, now);
  const taken = new Set(picked);
  const waiting = new Set(candidates.filter((job) => !taken.has(job)).map(({ businessId }) => businessId));
  const served = new Set(picked.map(({ businessId }) => businessId));
  yield* endTurns(dialect, [...served]);
  yield* refreshDue(dialect, [...[...served].filter((businessId) => !waiting.has(businessId)), ...idle]);
  return claimed;
}

function* leaseJobs(dialect: Dialect, picked: readonly Candidate[], now: number): Unit<ClaimedJob[]> {
  const rows = yield* lockJobs(dialect, picked);
  const token = randomUUID();
  const byId = new Map(rows.filter(isNeeded).map((row) => [row.id, toClaimedJob(row, token)]));
  const jobs = picked.flatMap(({ id }) => byId.get(id) ?? []);
  yield* run(
    `UPDATE job SET lease = @token || id, lease_until = @leaseUntil, attempts = attempts + 1
     WHERE ${dialect.isAnyOf("business_id", "businesses")} AND ${dialect.isAnyOf("id", "ids")}`,
    { token, leaseUntil: now + LEASE_MS, businesses: jobs.map(({ businessId }) => businessId), ids: jobs.map(({ id }) => id) },
  );
  for (const { business_id: businessId, id } of rows.filter((row) => !isNeeded(row)))
    yield* run("DELETE FROM job WHERE business_id = @businessId AND id = @id", { businessId, id });
  return jobs;
}

/** Locks waiting jobs, and reads their tiles. Skips those that another unit has locked. */
function* lockJobs(dialect: Dialect, picked: readonly Candidate[]): Unit<JobRow[]> {
  // Without the condition on the lease, which partial indexes have, the primary key is the only index, whatever is known about the table.
  const rows = yield* all<JobRow & { readonly lease: string | null }>(
    `SELECT j.business_id, j.id, j.board_id, j.tile_id, j.host, j.attempts, j.max_attempts, j.lease,
       t.status, t.deleted_at, t.source_url, t.file_name, t.file_type, t.type, ${HAS_PAGE} AS has_page
     FROM job j LEFT JOIN tile t ON t.business_id = j.business_id AND t.id = j.tile_id
     WHERE ${dialect.isAnyOf("j.business_id", "businesses")} AND ${dialect.isAnyOf("j.id", "ids")}${dialect.locking("FOR UPDATE OF j SKIP LOCKED")}`,
    { businesses: picked.map(({ businessId }) => businessId), ids: picked.map(({ id }) => id) },
  );
  return rows.filter(({ lease }) => lease === null);
}

/** Whether the tile of the job still waits for it. */
const isNeeded = (row: JobRow): boolean =>
  row.status === "processing" && row.deleted_at === null && (row.source_url ?? row.file_name) !== null;

function toClaimedJob(row: JobRow, token: string): ClaimedJob {
  return {
    id: row.id,
    businessId: row.business_id,
    boardId: row.board_id,
    tileId: row.tile_id,
    ...toSource(row),
    host: row.host,
    attempt: row.attempts + 1,
    maxAttempts: row.max_attempts,
    lease: token + row.id,
  };
}

/** The next turn of these businesses comes after those of all others. Leaves out businesses that another unit is creating jobs for. */
function* endTurns(dialect: Dialect, businesses: readonly string[]): Unit<void> {
  if (businesses.length === 0) return;
  yield* run(
    `UPDATE due_business SET turn = (SELECT max(turn) + 1 FROM due_business WHERE due_at IS NOT NULL) WHERE business_id IN (
       SELECT d.business_id FROM due_business d WHERE ${dialect.isAnyOf("d.business_id", "businesses")}${dialect.locking("FOR UPDATE OF d SKIP LOCKED")})`,
    { businesses },
  );
}

/** Records anew when the first job of these businesses is due, unless another unit is creating jobs for them. */
function* refreshDue(dialect: Dialect, businesses: readonly string[]): Unit<void> {
  if (businesses.length === 0) return;
  // Locked before their jobs are read: jobs that are created after that wait for this unit, and are recorded by their own.
  const locked = yield* all<{ business_id: string }>(
    `SELECT d.business_id FROM due_business d WHERE ${dialect.isAnyOf("d.business_id", "businesses")}${dialect.locking("FOR UPDATE OF d SKIP LOCKED")}`,
    { businesses },
  );
  yield* run(
    // In the order of the index of each business, since PostgreSQL may search that of all due jobs for the least `run_at`.
    `UPDATE due_business SET due_at = (SELECT j.run_at FROM job j WHERE j.business_id = due_business.business_id AND ${IS_WAITING}
       ORDER BY j.run_at, j.created_at, j.number LIMIT 1) WHERE ${dialect.isAnyOf("business_id", "ids")}`,
    { ids: locked.map((row) => row.business_id) },
  );
}
