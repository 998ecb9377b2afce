import type { PgBoss } from "pg-boss";
import { workerLost } from "../../shared/ingestion.ts";
import { failTile, LeaseLostError, lockTile } from "../../sql/background/tile-jobs.ts";
import { exists, type Unit } from "../../sql/unit.ts";
import type { Database } from "../engine/database.ts";
import { native, POSTGRES, runUnit } from "../engine/driver.ts";
import { INGEST } from "./boss.ts";
import { IS_AHEAD, IS_OVERDUE, JOBS } from "./conditions.ts";
import { requireAffected } from "./lease.ts";
import { NO_JOB_COLUMNS, IS_HELD, type JobData } from "./tile-jobs.ts";

type OverdueJob = { id: string; retry_count: number; retry_limit: number; data: JobData };

/** Makes jobs due that were scheduled while the clock was ahead. */
export function rescheduleFutureJobs(db: Database, boss: PgBoss): Promise<void> {
  return db.write(async (tx) => {
    for (const { id } of await tx.all<{ id: string }>(`SELECT id ${JOBS} AND ${IS_AHEAD} ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED`))
      await boss.update(INGEST, undefined, { id, startAfter: 0, db: tx });
  });
}

/** Returns jobs with an expired lease to the queue. Fails the tiles of those without attempts left, and returns how many failed. */
export async function reap(db: Database, boss: PgBoss, now: number): Promise<number> {
  const overdue = await db.write(async (tx) => {
    // The lock re-checks the condition, so a lease that was just renewed is kept.
    const jobs = await tx.all<OverdueJob>(
      `SELECT id, retry_count, retry_limit, data ${JOBS} AND ${IS_OVERDUE} ORDER BY id FOR UPDATE SKIP LOCKED`,
    );
    const retryable = jobs
      .filter((job) => job.retry_count < job.retry_limit)
      .map(({ id, retry_count: retryCount }) => ({ id, retryCount }));
    if (retryable.length > 0) await boss.fail(INGEST, retryable, null, { db: tx });
    return jobs;
  });
  let failed = 0;
  for (const job of overdue) if (job.retry_count >= job.retry_limit && (await failLost(db, boss, job, now))) failed++;
  return failed;
}

/** Fails the tile of a job that was lost in its last attempt. Returns false if another process ended the job, or no tile refers to it. */
async function failLost(db: Database, boss: PgBoss, job: OverdueJob, now: number): Promise<boolean> {
  const { id, data, retry_count: retryCount } = job;
  try {
    await db.writeTogether(data.boardId, (tx) => runUnit(tx, endLost(boss, job, now)));
    return true;
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error;
  }
  const sql = "SELECT 1 AS found FROM tile WHERE business_id = $1 AND id = $2 AND job_id = $3";
  // Delete a job without a tile, since every reap would find it again.
  if ((await db.get(sql, data.businessId, data.tileId, id)) === undefined)
    await db.write((tx) => boss.deleteJob(INGEST, { id, retryCount }, { db: tx }));
  return false;
}

function* endLost(boss: PgBoss, { id, data, retry_count: retryCount }: OverdueJob, now: number): Unit<void> {
  const tile = yield* lockTile(POSTGRES, IS_HELD, { id, ...data, lease: "" });
  const isOverdue = yield* exists(`SELECT 1 AS found ${JOBS} AND id = @id AND ${IS_OVERDUE}`, { id });
  if (tile === null || !isOverdue) throw new LeaseLostError();
  yield* native(async (tx) => requireAffected(await boss.deleteJob(INGEST, { id, retryCount }, { db: tx })));
  yield* failTile(POSTGRES, tile, workerLost(retryCount + 1 - data.released), NO_JOB_COLUMNS, now);
}
