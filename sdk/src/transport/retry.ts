import { ConnectionError, TesseraError, TimeoutError } from "./errors.ts";

export type RetryPolicy = {
  /** Attempts after the first one. */
  readonly maxRetries: number;
  /** The time limit of the call with its repeats and pauses, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether the call changes nothing, so that an answer of a proxy is no reason to doubt what happened. */
  readonly isRead: boolean;
  /** Whether repeating the call does no harm if an attempt was carried out although it failed. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
};

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A server that asks for a longer pause gets it from the caller, who sees the error. */
const MAX_RETRY_AFTER_SECONDS = 60;

/**
 * Runs `attempt` until it succeeds or may not be repeated. Repeated is 429, which the server sends before it does anything; if the call is
 * repeatable, 503 and a failed connection; and if it only reads, 502 and 504. The pause is what `Retry-After` says, at least half a second;
 * it doubles with each retry up to eight seconds, with jitter. A pause that would not end within the time limit is not begun.
 * `read`, if there is one, reads the result as a stream: once, and without the time limit. The signal ends it.
 */
export function withRetries<T>(policy: RetryPolicy, attempt: (signal: AbortSignal) => Promise<T>): Promise<T>;
export function withRetries<T, R>(
  policy: RetryPolicy,
  attempt: (signal: AbortSignal) => Promise<T>,
  read: (result: T) => Promise<R>,
): Promise<R>;
export function withRetries<T, R>(
  policy: RetryPolicy,
  attempt: (signal: AbortSignal) => Promise<T>,
  read?: (result: T) => Promise<R>,
): Promise<T | R> {
  const endsAt = Date.now() + policy.timeoutMs;
  return withTimeout(policy, async (signal, endLimit) => {
    const result = await repeat(signal);
    if (read === undefined) return result;
    endLimit();
    return read(result);
  });

  async function repeat(signal: AbortSignal): Promise<T> {
    for (let retries = 0; ; retries++) {
      try {
        return await attempt(signal);
      } catch (error) {
        const delay = signal.aborted ? null : delayBefore(error, retries, policy);
        if (delay === null || Date.now() + delay >= endsAt) throw error;
        await pause(delay, signal);
      }
    }
  }
}

/** Milliseconds until the next attempt; null if there is none. */
function delayBefore(error: unknown, retries: number, { maxRetries, isRepeatable, isRead }: RetryPolicy): number | null {
  if (retries >= maxRetries) return null;
  const backOff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retries) * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return isRepeatable ? backOff : null;
  if (!(error instanceof TesseraError)) return null;
  // A 503 can also mean that the connection to the database was lost after the change.
  const { status } = error;
  const isRepeated = status === 429 || (status === 503 && isRepeatable) || ((status === 502 || status === 504) && isRead);
  if (!isRepeated) return null;
  const seconds = error.retryAfterSeconds ?? 0;
  return seconds > MAX_RETRY_AFTER_SECONDS ? null : seconds * 1_000 + backOff;
}

async function withTimeout<T>(
  { timeoutMs, signal }: RetryPolicy,
  work: (signal: AbortSignal, endLimit: () => void) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const forward = (): void => controller.abort(signal?.reason);
  signal?.addEventListener("abort", forward, { once: true });
  const timer = setTimeout(() => controller.abort(new TimeoutError(timeoutMs)), timeoutMs);
  // Not every fetch that callers pass obeys the signal, nor do all throw its reason.
  const aborted = new Promise<never>((_, reject) =>
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason as Error), { once: true }),
  );
  try {
    return await Promise.race([aborted, work(controller.signal, () => clearTimeout(timer))]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", forward);
  }
}

/** Waits. Throws the reason of the signal if it aborts meanwhile. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
