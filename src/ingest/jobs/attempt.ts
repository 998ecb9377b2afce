import { type ClaimedJob, IngestError, type Ingested } from "#domain/content/job.ts";
import type { TileError } from "#domain/content/tile.ts";
import { waitOrAbort } from "#runtime/wait.ts";
import { type AttemptClock, createAttemptClock } from "./attempt-clock.ts";

const FIRST_RETRY_DELAY_MS = 1_000;
const BACK_OFF_FACTOR = 4;
const JITTER = 0.2;

/** Computes the milliseconds to wait after an attempt (1 is the first): 1 s · 4^(attempt-1), ±20 % by `random` in [0, 1). */
export const computeRetryDelayMs = (attempt: number, random: () => number): number =>
  Math.round(FIRST_RETRY_DELAY_MS * BACK_OFF_FACTOR ** (attempt - 1) * (1 + JITTER * (2 * random() - 1)));

/** The reason of an attempt that ends without an outcome, because its lease was lost or the worker stops. */
export class AbortedError extends Error {}

/** What an attempt produced. `unexpected` is the original error if it was not an `IngestError`. */
export type AttemptOutcome = { readonly ingested: Ingested } | { readonly error: IngestError; readonly unexpected?: unknown };

const timeoutError = (timeoutMs: number): IngestError =>
  new IngestError("timeout", `The source took longer than ${Math.ceil(timeoutMs / 1000)} s. Try again later.`, {
    stage: "timeout",
    retryable: true,
  });

const internalError = (cause: unknown): IngestError =>
  new IngestError("internal", "Something went wrong on our side while reading the link. Try again later.", {
    stage: "internal",
    retryable: true,
    cause,
  });

/** Runs one attempt and returns its content. Measures its time by `clock`, and ends when `signal` is aborted. */
export type RunAttempt = (job: ClaimedJob, signal: AbortSignal, clock: AttemptClock) => Promise<Ingested>;

/**
 * Runs one attempt for at most `timeoutMs`, even if `run` ignores its signal. Time during which the attempt's clock is paused does not
 * count. Returns null if the controller was aborted with an `AbortedError`. Never throws.
 */
export async function attemptJob(
  run: RunAttempt,
  job: ClaimedJob,
  controller: AbortController,
  timeoutMs: number,
): Promise<AttemptOutcome | null> {
  const clock = createAttemptClock();
  const cancelTimeout = clock.after(timeoutMs, () => controller.abort(timeoutError(timeoutMs)));
  try {
    const running = (async () => run(job, controller.signal, clock))();
    return { ingested: await waitOrAbort(running, controller.signal) };
  } catch (error) {
    if (error instanceof AbortedError) return null;
    return error instanceof IngestError ? { error } : { error: internalError(error), unexpected: error };
  } finally {
    cancelTimeout();
  }
}

export const toTileError = (error: IngestError, job: ClaimedJob): TileError => ({
  code: error.code,
  message: error.message,
  stage: error.stage,
  retryable: error.retryable,
  attempts: job.attempt,
});
