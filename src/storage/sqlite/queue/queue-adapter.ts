import { type ClaimedJob, LEASE_MS } from "#domain/content/job.ts";
import { createJobPicker, type JobPicker } from "../../shared/turns/job-picker.ts";
import type { Notifier } from "../../sql/notifier.ts";
import { LeaseLostError } from "../../sql/background/tile-jobs.ts";
import type { QueueAdapter } from "../../sql/background/jobs.ts";
import { run, type Params, type Unit } from "../../sql/unit.ts";
import type { Connection } from "../engine/database.ts";
import { claim, hasWork } from "./claim.ts";

const IS_LEASED = "business_id = @businessId AND id = @id AND lease = @lease";
const RELEASE = "lease = NULL, lease_until = NULL, run_at = @runAt";

/** Runs a statement on a leased job. Throws `LeaseLostError` when the lease is lost. */
function* changeLeased(sql: string, { businessId, id, lease }: ClaimedJob, params: Params = {}): Unit<void> {
  if ((yield* run(`${sql} WHERE ${IS_LEASED}`, { businessId, id, lease, ...params })) === 0) throw new LeaseLostError();
}

/** Jobs are rows of a table, one for each waiting tile. */
export const createQueueAdapter = (db: Connection, notifier: Notifier, picker: JobPicker = createJobPicker()): QueueAdapter => ({
  isHeld: "EXISTS (SELECT 1 FROM job j WHERE j.business_id = t.business_id AND j.id = @jobId AND j.lease = @lease)",
  waiting: { from: "job INDEXED BY job_due WHERE lease IS NULL", dueAt: "min(run_at)" },
  end: (job) => changeLeased("DELETE FROM job", job),
  scheduleRetry: (job, runAt) => changeLeased(`UPDATE job SET ${RELEASE}`, job, { runAt }),
  returnToQueue: (job, runAt, _now, crash) =>
    changeLeased(
      `UPDATE job SET ${RELEASE}, attempts = attempts - 1, crashes = crashes + @crashes, suspect = max(suspect, @suspect)`,
      job,
      { runAt, crashes: crash === undefined ? 0 : 1, suspect: crash?.isSuspect === true },
    ),

  claims: {
    async claim(limit, perHost, now, reserved = 0) {
      if (limit + reserved < 1 || !hasWork(db, now)) return [];
      const { failed, claimed } = await db.write(() => claim(db, picker, { limit, reserved, perHost }, now));
      if (failed > 0) notifier.notifySenders();
      return claimed;
    },

    renew: (jobs, now) =>
      db.write(() => {
        const sql = "UPDATE job SET lease_until = ? WHERE business_id = ? AND id = ? AND lease = ?";
        const renewed = jobs.filter(({ businessId, id, lease }) => db.run(sql, now + LEASE_MS, businessId, id, lease) > 0);
        return new Set(renewed.map(({ id }) => id));
      }),

    recover: (now) => db.write(() => db.run("UPDATE job SET lease = NULL, lease_until = NULL, run_at = ? WHERE lease IS NOT NULL", now)),

    async nextDue() {
      const row = db.get<{ due: number | null }>(
        `SELECT min(due) AS due FROM (SELECT min(run_at) AS due FROM job WHERE lease IS NULL
           UNION ALL SELECT min(lease_until) + 1 FROM job WHERE lease IS NOT NULL)`,
      );
      return row?.due ?? null;
    },
  },
});
