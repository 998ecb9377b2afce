import { type ClaimedJob, type IngestError, type Ingested, MAX_RETRY_DELAY_MS, type Queue } from "#domain/content/job.ts";
import type { Clock } from "#domain/core/system.ts";
import { retryWhileUnavailable } from "#runtime/retry.ts";
import { retryDelayMs, tileErrorOf } from "./attempt.ts";
import type { Log } from "./log.ts";

export type SettleDeps = {
  readonly queue: Pick<Queue, "complete" | "fail" | "retryLater">;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
};

/** How an attempt ended: with content, or with an error. */
export type Settlement = { readonly ingested: Ingested } | { readonly error: IngestError };

/** How long storing an outcome is retried while the database is unavailable, and the delay between two attempts. */
const MAX_SETTLE_MS = 120_000;
const SETTLE_RETRY_DELAY_MS = 500;

/**
 * Stores the outcome of an attempt: its content, its final error, or when to try again. Retries while the database is unavailable,
 * because the work is done and the lease is still renewed. Throws what the store throws, and does not retry once `stopping` is aborted.
 */
export const settleJob = (deps: SettleDeps, job: ClaimedJob, outcome: Settlement, stopping: AbortSignal): Promise<void> =>
  retryWhileUnavailable(() => storeOutcome(deps, job, outcome), {
    delayMs: SETTLE_RETRY_DELAY_MS,
    maxMs: MAX_SETTLE_MS,
    signal: stopping,
  });

async function storeOutcome({ queue, clock, log, random }: SettleDeps, job: ClaimedJob, outcome: Settlement): Promise<void> {
  const now = clock.now();
  if ("ingested" in outcome) {
    if (!(await queue.complete(job, outcome.ingested, now)))
      log.info({ job: job.id, tile: job.tileId }, "The job's lease was lost; its result is dropped.");
    return;
  }
  const { error } = outcome;
  if (!error.retryable || job.attempt >= job.maxAttempts) {
    await queue.fail(job, tileErrorOf(error, job), now);
    return;
  }
  const requestedMs = Math.min((error.retryAfterSeconds ?? 0) * 1000, MAX_RETRY_DELAY_MS);
  const delayMs = Math.max(requestedMs, retryDelayMs(job.attempt, random));
  await queue.retryLater(job, tileErrorOf(error, job), now + delayMs, now);
}
