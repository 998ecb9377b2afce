import type { ClaimedJob, NewJob } from "#domain/content/job.ts";
import type { BoardKey, Dialect } from "../driver.ts";
import { type Params, run, type Unit } from "../unit.ts";

/** A job that nobody has claimed. */
export const IS_WAITING = "lease IS NULL";

const IS_LEASED = "business_id = @businessId AND id = @id AND lease = @lease";
const RELEASE = "lease = NULL, lease_until = NULL, run_at = @runAt";

/** Thrown in a unit of work to roll it back, because the lease of the job is lost. */
export class LeaseLostError extends Error {}

/**
 * Records that a job of this business is due at `dueAt`, an expression. Claims find a business by the one row that says when its first job
 * is due, or an earlier time; null if none waits. Locks that row. Every unit locks board, tiles, index, jobs and this row in this order.
 */
function addDueBusiness(businessId: string, dueAt: string, params: Params): Unit<number> {
  return run(
    `INSERT INTO due_business AS d (business_id, due_at) VALUES (@businessId, ${dueAt})
     ON CONFLICT (business_id) DO UPDATE SET due_at = excluded.due_at WHERE d.due_at IS NULL OR d.due_at > excluded.due_at`,
    { ...params, businessId },
  );
}

/** Records that a waiting job of this business is due at this time. */
export const markDue = (businessId: string, runAt: number): Unit<number> => addDueBusiness(businessId, "@runAt", { runAt });

type TileJob = { readonly tileId: string; readonly job: NewJob };

/** Creates a job for each of these tiles of a board, due at once. The unit must call `markDueNow` after its other changes of jobs. */
export function* insertJobs(dialect: Dialect, { businessId, id: boardId }: BoardKey, items: readonly TileJob[], now: number): Unit<void> {
  const rows = items.map(({ tileId, job }) => ({ id: job.id, tile_id: tileId, host: job.host, max_attempts: job.maxAttempts }));
  const columns = { id: "text", tile_id: "text", host: "text", max_attempts: "bigint" } as const;
  yield* run(
    `INSERT INTO job (business_id, id, board_id, tile_id, host, run_at, max_attempts, created_at)
     SELECT @businessId, r.id, @boardId, r.tile_id, r.host, ${dialect.dueNow}, r.max_attempts, CAST(@now AS BIGINT)
     FROM ${dialect.rowsOfJson("rows", columns)} AS r`,
    { businessId, boardId, now, rows: JSON.stringify(rows) },
  );
}

/** Records that new jobs of this business are due. */
export const markDueNow = ({ dueNow }: Dialect, businessId: string, now: number): Unit<number> =>
  addDueBusiness(businessId, dueNow, { now });

/** Creates a job for each of these tiles, and replaces existing ones. Must be the last change of jobs of its unit. */
export function* putJobs(dialect: Dialect, board: BoardKey, items: readonly TileJob[], now: number): Unit<void> {
  yield* dropJobs(
    dialect,
    board.businessId,
    items.map(({ tileId }) => tileId),
  );
  yield* insertJobs(dialect, board, items, now);
  yield* markDueNow(dialect, board.businessId, now);
}

/** Deletes the jobs of tiles, leased or not. */
export const dropJobs = (dialect: Dialect, businessId: string, tileIds: readonly string[]): Unit<number> =>
  run(`DELETE FROM job WHERE business_id = @businessId AND ${dialect.isAnyOf("tile_id", "tileIds")}`, {
    businessId,
    tileIds,
  });

/** Runs a statement on a leased job. Throws `LeaseLostError` when the lease is lost. */
function* changeLeased(sql: string, { businessId, id, lease }: ClaimedJob, params: Params = {}): Unit<void> {
  if ((yield* run(sql, { businessId, id, lease, ...params })) === 0) throw new LeaseLostError();
}

/** Ends a leased job. Throws `LeaseLostError` when the lease is lost, as do the following functions. */
export const endJob = (job: ClaimedJob): Unit<void> => changeLeased(`DELETE FROM job WHERE ${IS_LEASED}`, job);

/** Schedules the next attempt of a leased job at `runAt`. */
export function* scheduleRetry(job: ClaimedJob, runAt: number): Unit<void> {
  yield* changeLeased(`UPDATE job SET ${RELEASE} WHERE ${IS_LEASED}`, job, { runAt });
  yield* markDue(job.businessId, runAt);
}

/** Returns a leased job to the queue, due at `runAt`, without counting the attempt. */
export function* returnToQueue(job: ClaimedJob, runAt: number): Unit<void> {
  yield* changeLeased(`UPDATE job SET ${RELEASE}, attempts = attempts - 1 WHERE ${IS_LEASED}`, job, { runAt });
  yield* markDue(job.businessId, runAt);
}
