import { type ClaimedJob, IngestError, type Ingested } from "#domain/content/job.ts";
import type { TileError } from "#domain/content/tile.ts";
import { type AttemptClock, createAttemptClock } from "./attempt-clock.ts";

const FIRST_MS = 1_000;
const FACTOR = 4;
const JITTER = 0.2;

/** Milliseconds to wait after the given attempt (1 is the first): 1 s · 4^(attempt-1), ±20 % by `random` in [0, 1). */
export const backOffMs = (attempt: number, random: () => number): number =>
  Math.round(FIRST_MS * FACTOR ** (attempt - 1) * (1 + JITTER * (2 * random() - 1)));

/** Why a job is given up without being settled: its lease went to another, or the worker stops. */
export class AbortedError extends Error {}

export type Outcome =
  | { readonly ingested: Ingested }
  | { readonly error: IngestError; readonly unknown?: unknown }
  | { readonly givenUp: true };

const timedOut = (timeoutMs: number): IngestError =>
  new IngestError("timeout", `The source took longer than ${Math.ceil(timeoutMs / 1000)} s. Try again later.`, {
    stage: "timeout",
    retryable: true,
  });

const internal = (cause: unknown): IngestError =>
  new IngestError("internal", "Something went wrong on our side while reading the link. Try again later.", {
    stage: "internal",
    retryable: true,
    cause,
  });

const abortion = (signal: AbortSignal): { readonly promise: Promise<never>; readonly stop: () => void } => {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return { promise, stop: () => signal.removeEventListener("abort", onAbort) };
};

/** Runs one attempt: its time is counted by the clock that it is given, and it ends when its signal is aborted. */
export type RunAttempt = (job: ClaimedJob, signal: AbortSignal, clock: AttemptClock) => Promise<Ingested>;

/** One attempt in bounded time, whether or not `run` heeds its signal. Waits that stop its clock do not count. Never throws. */
export async function attemptJob(run: RunAttempt, job: ClaimedJob, controller: AbortController, timeoutMs: number): Promise<Outcome> {
  const clock = createAttemptClock();
  const cancelTimeout = clock.after(timeoutMs, () => controller.abort(timedOut(timeoutMs)));
  const aborted = abortion(controller.signal);
  aborted.promise.catch(() => undefined);
  try {
    const running = (async () => run(job, controller.signal, clock))();
    return { ingested: await Promise.race([running, aborted.promise]) };
  } catch (thrown) {
    // What the abort caused is told by its reason, whatever the code under it made of it.
    const error: unknown = controller.signal.aborted ? controller.signal.reason : thrown;
    if (error instanceof AbortedError) return { givenUp: true };
    return error instanceof IngestError ? { error } : { error: internal(error), unknown: error };
  } finally {
    cancelTimeout();
    aborted.stop();
  }
}

export const tileErrorOf = (error: IngestError, job: ClaimedJob): TileError => ({
  code: error.code,
  message: error.message,
  stage: error.stage,
  retryable: error.retryable,
  attempts: job.attempt,
});
