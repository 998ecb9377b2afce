import type { PgBoss } from "pg-boss";
import { LEASE_MS } from "#domain/content/job.ts";
import { createJobPicker, type JobPicker } from "../../shared/turns/job-picker.ts";
import type { QueueAdapter } from "../../sql/background/jobs.ts";
import type { Notifier } from "../../sql/notifier.ts";
import type { Database } from "../engine/database.ts";
import { native } from "../engine/driver.ts";
import { BOSS_SCHEMA, INGEST } from "./boss.ts";
import { claim } from "./claim.ts";
import { IS_ACTIVE, IS_AHEAD, IS_DUE, IS_OVERDUE, IS_WAITING, JOBS } from "./conditions.ts";
import { parseLease, requireAffected, settledIds, toAttempt } from "./lease.ts";
import { reap, rescheduleFutureJobs } from "./reap.ts";
import { IS_HELD, type JobData } from "./tile-jobs.ts";

/** Jobs are stored in pg-boss and changed in our own transactions. */
export const createQueueAdapter = (
  db: Database,
  boss: PgBoss,
  notifier: Notifier,
  picker: JobPicker = createJobPicker(),
): QueueAdapter => ({
  isHeld: IS_HELD,
  waiting: {
    from: `${BOSS_SCHEMA}.job WHERE name = '${INGEST}' AND ${IS_WAITING}`,
    dueAt: "ceil(extract(epoch FROM min(start_after)) * 1000)::bigint",
  },
  end: (job) => native(async (tx) => requireAffected(await boss.deleteJob(INGEST, toAttempt(job), { db: tx }))),
  scheduleRetry: (job, runAt, now) =>
    native(async (tx) => {
      requireAffected(await boss.fail(INGEST, toAttempt(job), null, { db: tx }));
      await boss.update(INGEST, undefined, { id: job.id, startAfter: Math.max(0, runAt - now) / 1_000, db: tx });
    }),
  returnToQueue: (job, runAt, now, crash) =>
    native(async (tx) => {
      const { businessId, boardId, tileId } = job;
      const { retryLimit, released } = parseLease(job.lease);
      requireAffected(await boss.cancel(INGEST, toAttempt(job), { db: tx }));
      await boss.resume(INGEST, job.id, { db: tx });
      const crashes = job.crashes + (crash === undefined ? 0 : 1);
      const isSuspect = job.isSuspect || crash?.isSuspect === true;
      const crashData = { ...(crashes === 0 ? {} : { crashes }), ...(isSuspect ? ({ isSuspect } as const) : {}) };
      const data: JobData = { businessId, boardId, tileId, released: released + 1, ...crashData };
      // pg-boss counts the next claim as another retry, so the limit is raised by one.
      const startAfter = Math.max(0, runAt - now) / 1_000;
      await boss.update(INGEST, data, { id: job.id, startAfter, retryLimit: retryLimit + 1, db: tx });
    }),

  claims: {
    async claim(limit, perHost, now, reserved = 0) {
      if (limit + reserved < 1) return [];
      const work = await db.get<{ overdue: boolean; due: boolean; ahead: boolean }>(
        `SELECT EXISTS (SELECT 1 ${JOBS} AND ${IS_OVERDUE}) AS overdue, EXISTS (SELECT 1 ${JOBS} AND ${IS_DUE}) AS due,
           EXISTS (SELECT 1 ${JOBS} AND ${IS_AHEAD}) AS ahead`,
      );
      if (work === undefined || !(work.overdue || work.due || work.ahead)) return [];
      if (work.ahead) await rescheduleFutureJobs(db, boss);
      if (work.overdue && (await reap(db, boss, now)) > 0) notifier.notifySenders();
      return claim(db, boss, picker, { limit, reserved, perHost });
    },

    async renew(jobs) {
      if (jobs.length === 0) return new Set();
      return new Set(await db.write(async (tx) => settledIds(await boss.touch(INGEST, jobs.map(toAttempt), { db: tx }))));
    },

    // Other nodes keep their leases, and the leases of a crashed node expire.
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
  },
});
