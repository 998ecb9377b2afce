import { isUnavailable } from "#domain/core/errors/error.ts";
import { delay } from "./wait.ts";

/**
 * Runs `work` until it succeeds. After each failure, `delayAfter` returns the delay of the next attempt in milliseconds, or null to throw
 * the error. Attempts are counted from 1. An abort during a delay throws the signal's reason.
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
  /** Maximum sum of the delays in milliseconds. The duration of attempts does not count: a database that hangs gets as many attempts. */
  readonly maxMs: number;
  /** After an abort, the next failure is thrown. */
  readonly signal?: AbortSignal;
};

/** Retries `work` while the database is unavailable. Throws other errors at once, and the last error after delays of `maxMs`. */
export function retryWhileUnavailable<T>(work: () => Promise<T>, { delayMs, maxMs, signal }: UnavailableRetryOptions): Promise<T> {
  return retry(work, (error, attempt) => (isUnavailable(error) && signal?.aborted !== true && attempt * delayMs <= maxMs ? delayMs : null));
}
