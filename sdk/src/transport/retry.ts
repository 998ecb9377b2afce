import { TesseraError, TimeoutError } from "./errors.ts";

export type RetryPolicy = {
  /** Attempts after the first one. */
  readonly maxRetries: number;
  /** The time limit of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether repeating the call does no harm if the first attempt was carried out and only its response was lost. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
};

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A server that asks for a longer pause gets it from the caller, who sees the error. */
const MAX_RETRY_AFTER_SECONDS = 60;

/**
 * Runs `attempt` until it succeeds or may not be repeated. Repeated are 429 and 503, after the pause that the server asks for, and
 * failed connections if the call is repeatable. Pauses without `Retry-After` double from half a second to eight, with jitter.
 */
export async function withRetries<T>(policy: RetryPolicy, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await withTimeout(policy, attempt);
    } catch (error) {
      const delay = delayBefore(error, retries, policy);
      if (delay === null) throw error;
      await pause(delay, policy.signal);
    }
  }
}

/** Milliseconds until the next attempt; null if there is none. */
function delayBefore(error: unknown, retries: number, { maxRetries, isRepeatable, signal }: RetryPolicy): number | null {
  if (retries >= maxRetries || signal?.aborted === true) return null;
  const backOff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retries) * (0.5 + Math.random() / 2);
  if (error instanceof TesseraError) {
    if (error.status !== 429 && error.status !== 503) return null;
    const { retryAfterSeconds } = error;
    if (retryAfterSeconds === null) return backOff;
    return retryAfterSeconds > MAX_RETRY_AFTER_SECONDS ? null : retryAfterSeconds * 1_000;
  }
  // fetch reports failed connections as a TypeError.
  return isRepeatable && (error instanceof TypeError || error instanceof TimeoutError) ? backOff : null;
}

async function withTimeout<T>({ timeoutMs, signal }: RetryPolicy, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new TimeoutError(timeoutMs)), timeoutMs);
  const either = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
  either.throwIfAborted();
  // Not every fetch that callers pass obeys the signal, nor do all throw its reason.
  const aborted = new Promise<never>((_, reject) => either.addEventListener("abort", () => reject(either.reason as Error), { once: true }));
  try {
    return await Promise.race([aborted, attempt(either)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Throws the reason of the signal if it aborts meanwhile. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
