import { randomUUID } from "node:crypto";
import { type ClaimedJob, LEASE_MS, MAX_RETRY_DELAY_MS } from "#domain/content/job.ts";
import type { Candidate, ClaimLimits, JobPicker, RunningCount } from "../../shared/turns/job-picker.ts";
import type { Dialect } from "../driver.ts";
import { all, get, run, type Unit } from "../unit.ts";
import { findCandidates } from "./candidates.ts";
import { IS_WAITING, markDue } from "./job-rows.ts";
import { type SourceRow, toSource } from "./tile-jobs.ts";

/** Leases and attempts that lie others in the future were set while the clock was ahead, and count as due now. */
const FUTURE_LEASE_MS = 2 * LEASE_MS;
const FUTURE_RUN_MS = MAX_RETRY_DELAY_MS + 60_000;

const IS_LEASE_LOST = "lease IS NOT NULL AND (lease_until < @now OR lease_until > @maxLeaseUntil)";
const IS_AHEAD = "lease IS NULL AND run_at > @maxRunAt";

type JobRow = Omit<SourceRow, "type"> & {
  readonly business_id: string;
  readonly id: string;
  readonly board_id: string;
  readonly tile_id: string;
  readonly host: string;
  readonly attempts: number;
  readonly max_attempts: number;
  /** Null if the tile needs no job. */
  readonly type: string | null;
};

type Times = { readonly now: number; readonly maxLeaseUntil: number; readonly maxRunAt: number };
const getTimes = (now: number): Times => ({ now, maxLeaseUntil: now + FUTURE_LEASE_MS, maxRunAt: now + FUTURE_RUN_MS });

/** Whether there may be jobs to claim, and jobs whose lease or due time is wrong. Usually there are none, and checking needs no transaction. */
export function* findWork(now: number): Unit<{ readonly isDue: boolean; readonly isLost: boolean }> {
  const row = yield* get<{ due: boolean | number; lost: boolean | number }>(
    `SELECT EXISTS (SELECT 1 FROM job WHERE lease IS NULL AND run_at <= @now) AS due,
       EXISTS (SELECT 1 FROM job WHERE ${IS_LEASE_LOST}) OR EXISTS (SELECT 1 FROM job WHERE ${IS_AHEAD}) AS lost`,
    getTimes(now),
  );
  return { isDue: Boolean(row?.due), isLost: Boolean(row?.lost) };
}

/** Makes jobs due whose lease has expired, or that were scheduled while the clock was ahead. */
export function* returnLost(dialect: Dialect, now: number): Unit<void> {
  const businesses = new Set<string>();
  for (const condition of [IS_LEASE_LOST, IS_AHEAD]) {
    const rows = yield* all<{ business_id: string }>(
      `UPDATE job SET lease = NULL, lease_until = NULL, run_at = @now WHERE (business_id, id) IN (
         SELECT j.business_id, j.id FROM job j WHERE ${condition}${dialect.skipLockedOf("j")}) RETURNING business_id`,
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
  yield* dialect.lockClaims();
  // The index is named because SQLite would scan all jobs by business instead.
  const running = yield* all<RunningCount>(
    `SELECT business_id AS "businessId", host, count(*) AS count FROM job${dialect.useIndex("job_leased")}
     WHERE lease IS NOT NULL GROUP BY business_id, host`,
  );
  const { candidates, idle } = yield* findCandidates(dialect, { ...limits, running, now });
  const picked = picker.pick(candidates, running, limits);
  const claimed = picked.length === 0 ? [] : yield* leaseJobs(dialect, picked, now);
  const changed = new Set([...picked.map(({ businessId }) => businessId), ...idle]);
  if (changed.size > 0) yield* refreshDue(dialect, [...changed]);
  return claimed;
}

function* leaseJobs(dialect: Dialect, picked: readonly Candidate[], now: number): Unit<ClaimedJob[]> {
  const rows = new Map((yield* lockPicked(dialect, picked)).map((row) => [row.id, row]));
  const jobs = picked.flatMap(({ id }) => toClaimedJob(rows.get(id)) ?? []);
  const pairs = jobs.map(({ businessId, id, lease }) => ({ owner: businessId, job_id: id, token: lease }));
  yield* run(
    `UPDATE job SET lease = token, lease_until = @leaseUntil, attempts = attempts + 1
     FROM ${dialect.rowsOfJson("pairs", { owner: "text", job_id: "text", token: "text" })} AS p WHERE business_id = owner AND id = job_id`,
    { pairs: JSON.stringify(pairs), leaseUntil: now + LEASE_MS },
  );
  for (const { business_id: businessId, id, type } of rows.values())
    if (type === null) yield* run("DELETE FROM job WHERE business_id = @businessId AND id = @id", { businessId, id });
  return jobs;
}

/** Locks the jobs, with what their tiles are read from: null for tiles that need no job. Skips jobs that another unit has locked. */
const lockPicked = (dialect: Dialect, picked: readonly Candidate[]): Unit<JobRow[]> =>
  all<JobRow>(
    `SELECT j.business_id, j.id, j.board_id, j.tile_id, j.host, j.attempts, j.max_attempts,
       t.source_url, t.file_name, t.file_type, t.type
     FROM ${dialect.rowsOfJson("keys", { owner: "text", job_id: "text" })} AS p
     CROSS JOIN job j LEFT JOIN tile t ON t.business_id = j.business_id AND t.id = j.tile_id
       AND t.status = 'processing' AND t.deleted_at IS NULL AND (t.source_url IS NOT NULL OR t.file_name IS NOT NULL)
     WHERE j.business_id = p.owner AND j.id = p.job_id AND j.lease IS NULL${dialect.skipLockedOf("j")}`,
    { keys: JSON.stringify(picked.map(({ businessId, id }) => ({ owner: businessId, job_id: id }))) },
  );

function toClaimedJob(row: JobRow | undefined): ClaimedJob | null {
  if (row === undefined || row.type === null) return null;
  return {
    id: row.id,
    businessId: row.business_id,
    boardId: row.board_id,
    tileId: row.tile_id,
    ...toSource({ ...row, type: row.type }),
    host: row.host,
    attempt: row.attempts + 1,
    maxAttempts: row.max_attempts,
    lease: randomUUID(),
  };
}

/** Records anew when the first job of these businesses is due. Leaves out businesses that another unit is creating jobs for. */
function* refreshDue(dialect: Dialect, businesses: readonly string[]): Unit<void> {
  // Locked before their jobs are read: jobs that are created after that wait for this unit, and are recorded by their own.
  const locked = yield* all<{ business_id: string }>(
    `SELECT d.business_id FROM due_business d WHERE ${dialect.isAnyOf("d.business_id", "businesses")}${dialect.skipLockedOf("d")}`,
    { businesses },
  );
  const ids = locked.map((row) => row.business_id);
  const next = `(SELECT min(run_at) FROM job j WHERE j.business_id = due_business.business_id AND ${IS_WAITING})`;
  yield* run(`DELETE FROM due_business WHERE ${dialect.isAnyOf("business_id", "ids")} AND ${next} IS NULL`, { ids });
  yield* run(`UPDATE due_business SET due_at = coalesce(${next}, due_at) WHERE ${dialect.isAnyOf("business_id", "ids")}`, { ids });
}
