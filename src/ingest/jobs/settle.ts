import { type ClaimedJob, IngestError, MAX_RETRY_DELAY_MS, type Queue, SHORTAGE_DELAY_MS } from "#domain/content/job.ts";
import { describeShortage, findShortage } from "#domain/core/errors/shortage.ts";
import type { Clock } from "#domain/core/system.ts";
import type { LinkOutcome } from "#domain/metrics/meter.ts";
import { retryWhileUnavailable } from "#runtime/retry.ts";
import { type AttemptOutcome, computeRetryDelayMs, toTileError } from "./attempt.ts";
import type { Log } from "#domain/core/log.ts";

export type StoreOutcomeDeps = {
  readonly queue: Pick<Queue, "complete" | "fail" | "retryLater" | "release">;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
};

/** How long storing an outcome is retried while the database is unavailable, and the delay between retries. */
const MAX_STORE_OUTCOME_MS = 120_000;
const STORE_RETRY_DELAY_MS = 500;
/** Jobs that were running at a crash run again within this time, each at a time of its own, so that one of them does not end the others again. */
const MAX_CRASH_DELAY_MS = 20_000;

/**
 * Stores the outcome of an attempt: its content, its final error, or the time of the next attempt. A shortage of this machine is no
 * attempt: the job returns to the queue. Retries while the database is unavailable, unless `stopping` is aborted; the lease is renewed
 * meanwhile. Returns how the attempt ended; null if the lease was lost. Throws the store's errors.
 */
export const settleJob = (
  deps: StoreOutcomeDeps,
  job: ClaimedJob,
  outcome: AttemptOutcome,
  stopping: AbortSignal,
): Promise<LinkOutcome | null> =>
  retryWhileUnavailable(() => storeOutcome(deps, job, outcome), {
    delayMs: STORE_RETRY_DELAY_MS,
    maxMs: MAX_STORE_OUTCOME_MS,
    signal: stopping,
  });

async function storeOutcome(
  { queue, clock, log, random }: StoreOutcomeDeps,
  job: ClaimedJob,
  outcome: AttemptOutcome,
): Promise<LinkOutcome | null> {
  const now = clock.now();
  if ("ingested" in outcome) {
    if (await queue.complete(job, outcome.ingested, now)) return "ready";
    log.info({ job: job.id, tile: job.tileId }, "The job's lease was lost; its result is dropped.");
    return null;
  }
  const { error } = outcome;
  const shortage = findShortage(error);
  if (shortage !== null) {
    log.warn({ job: job.id, tile: job.tileId, shortage }, `A link waits. ${describeShortage(shortage)}`);
    await queue.release([job], now, SHORTAGE_DELAY_MS);
    return "postponed";
  }
  if (!error.retryable || job.attempt >= job.maxAttempts) return (await queue.fail(job, toTileError(error, job), now)) ? "failed" : null;
  const requestedMs = Math.min((error.retryAfterSeconds ?? 0) * 1000, MAX_RETRY_DELAY_MS);
  const delayMs = Math.max(requestedMs, computeRetryDelayMs(job.attempt, random));
  return (await queue.retryLater(job, toTileError(error, job), now + delayMs, now)) ? "retried" : null;
}

/** Ends an attempt during which the process crashed. Returns whether it was the last one, so that the tile has failed. */
export async function settleCrashed(
  queue: Pick<Queue, "fail" | "retryLater">,
  job: ClaimedJob,
  now: number,
  random: () => number,
): Promise<boolean> {
  const error = new IngestError(
    "worker_crashed",
    "The service ended unexpectedly while it read this link. If that happens again, paste its text instead, and ask the operator of this server to look at its log.",
    { stage: "worker", retryable: true },
  );
  if (job.attempt >= job.maxAttempts) return queue.fail(job, toTileError(error, job), now);
  await queue.retryLater(job, toTileError(error, job), now + Math.round(MAX_CRASH_DELAY_MS * random()), now);
  return false;
}
