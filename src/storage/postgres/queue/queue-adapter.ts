import type { PgBoss } from "pg-boss";
import { LEASE_MS } from "#domain/content/job.ts";
import type { QueueAdapter } from "../../sql/background/jobs.ts";
import type { Notifier } from "../../sql/notifier.ts";
import type { Database } from "../engine/database.ts";
import { native } from "../engine/driver.ts";
import { INGEST } from "./boss.ts";
import { claim } from "./claim.ts";
import { IS_ACTIVE, IS_AHEAD, IS_DUE, IS_OVERDUE, IS_WAITING, JOBS } from "./conditions.ts";
import { attemptOf, parseLease, requireAffected, settledIds } from "./lease.ts";
import { reap, replan } from "./reap.ts";
import { IS_HELD, type JobData } from "./tile-jobs.ts";

/** Jobs are those of pg-boss, changed inside our own transactions. */
export const createQueueAdapter = (db: Database, boss: PgBoss, notifier: Notifier): QueueAdapter => ({
  isHeld: IS_HELD,

  async claim(limit, perHost, now, kept = 0) {
    if (limit < 1) return [];
    const work = await db.get<{ overdue: boolean; due: boolean; ahead: boolean }>(
      `SELECT EXISTS (SELECT 1 ${JOBS} AND ${IS_OVERDUE}) AS overdue, EXISTS (SELECT 1 ${JOBS} AND ${IS_DUE}) AS due,
         EXISTS (SELECT 1 ${JOBS} AND ${IS_AHEAD}) AS ahead`,
    );
    if (work === undefined || !(work.overdue || work.due || work.ahead)) return [];
    if (work.ahead) await replan(db, boss);
    if (work.overdue && (await reap(db, boss, now)) > 0) notifier.notifySenders();
    return claim(db, boss, limit, perHost, kept);
  },

  async renew(jobs) {
    if (jobs.length === 0) return new Set();
    return new Set(await db.write(async (tx) => settledIds(await boss.touch(INGEST, jobs.map(attemptOf), { db: tx }))));
  },

  end: (job) => native(async (tx) => requireAffected(await boss.deleteJob(INGEST, attemptOf(job), { db: tx }))),

  postpone: (job, runAt, now) =>
    native(async (tx) => {
      requireAffected(await boss.fail(INGEST, attemptOf(job), null, { db: tx }));
      await boss.update(INGEST, undefined, { id: job.id, startAfter: Math.max(0, runAt - now) / 1_000, db: tx });
    }),

  handBack: (job, _now, crash) =>
    native(async (tx) => {
      const { businessId, boardId, tileId } = job;
      const { retryLimit, released } = parseLease(job.lease);
      requireAffected(await boss.cancel(INGEST, attemptOf(job), { db: tx }));
      await boss.resume(INGEST, job.id, { db: tx });
      const crashes = job.crashes + (crash === undefined ? 0 : 1);
      const isSuspect = job.isSuspect || crash?.isSuspect === true;
      const counted = { ...(crashes === 0 ? {} : { crashes }), ...(isSuspect ? ({ isSuspect } as const) : {}) };
      const data: JobData = { businessId, boardId, tileId, released: released + 1, ...counted };
      // The next claim counts as one more try of the queue, so the job is allowed one more.
      await boss.update(INGEST, data, { id: job.id, startAfter: 0, retryLimit: retryLimit + 1, db: tx });
    }),

  // The leases of other nodes stand; those of a node that crashed run out.
  recover: async () => 0,

  async nextDue() {
    const row = await db.get<{ due: number | null }>(
      `SELECT ceil(extract(epoch FROM min(due)) * 1000)::bigint AS due FROM (
         SELECT min(start_after) AS due ${JOBS} AND ${IS_WAITING}
         UNION ALL
         SELECT min(heartbeat_on) + interval '${LEASE_MS + 1} milliseconds' ${JOBS} AND ${IS_ACTIVE}) AS times`,
    );
    return row?.due ?? null;
  },
});
