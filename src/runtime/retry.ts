import { isUnavailable } from "#domain/core/error.ts";
import { delay } from "./wait.ts";

/**
 * Runs `work` until it succeeds. After each failure `delayAfter` returns the milliseconds to wait before the next attempt, or null to
 * throw the error; attempts count from 1. An abort ends a wait with the signal's reason.
 */
export async function retry<T>(
  work: () => Promise<T>,
  delayAfter: (error: unknown, attempt: number) => number | null,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const ms = delayAfter(error, attempt);
      if (ms === null) throw error;
      await delay(ms, signal);
    }
  }
}

export type UnavailableRetryOptions = {
  /** Milliseconds between two attempts. */
  readonly delayMs: number;
  /** Milliseconds after the first attempt in which further ones begin. */
  readonly maxMs: number;
  /** Once aborted, the next failure is thrown. */
  readonly signal?: AbortSignal;
};

/** Runs `work` again while the database is unavailable. Throws every other error at once, and the last one after `maxMs`. */
export function retryWhileUnavailable<T>(work: () => Promise<T>, { delayMs, maxMs, signal }: UnavailableRetryOptions): Promise<T> {
  const until = performance.now() + maxMs;
  return retry(work, (error) =>
    isUnavailable(error) && signal?.aborted !== true && performance.now() + delayMs <= until ? delayMs : null,
  );
}
