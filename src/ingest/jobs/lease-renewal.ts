import type { Queue } from "#domain/content/job.ts";
import type { Clock } from "#domain/core/system.ts";
import { AbortedError } from "./attempt.ts";
import type { Log } from "#domain/core/log.ts";
import type { RunningJobs } from "./running-jobs.ts";

export type LeaseRenewalDeps = {
  readonly queue: Pick<Queue, "renew">;
  readonly jobs: RunningJobs;
  readonly clock: Clock;
  readonly log: Log;
};

/** Returns a function that renews the leases of all held jobs, and aborts jobs whose lease was lost. The function never throws. */
export function createLeaseRenewal({ queue, jobs, clock, log }: LeaseRenewalDeps): () => Promise<void> {
  let isRenewing = false;
  return async () => {
    const entries = jobs.held();
    if (isRenewing || entries.length === 0) return;
    isRenewing = true;
    try {
      const held = await queue.renew(
        entries.map((entry) => entry.job),
        clock.now(),
      );
      // The store checks the lease of jobs whose outcome is being stored.
      for (const entry of entries.filter(({ job, state }) => !held.has(job.id) && state === "running")) {
        jobs.abort(entry, new AbortedError("The job was cancelled, or another worker claimed it."));
        log.info({ job: entry.job.id, tile: entry.job.tileId }, "A running job was cancelled or its lease was lost.");
      }
    } catch (error) {
      log.error({ err: error }, "Renewing job leases failed; will retry.");
    } finally {
      isRenewing = false;
    }
  };
}
