/** Resolves after `ms` milliseconds. Rejects with the signal's reason as soon as the signal is aborted. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/**
 * Returns the result of the promise. Throws the signal's reason as soon as it aborts, even if the work continues. An error that the abort
 * caused is replaced by that reason.
 */
export async function waitOrAbort<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([aborted, promise]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Waits for the promise (if any), for `ms` milliseconds, or for an abort, whichever comes first. Never throws. */
export async function waitAtMost(ms: number, promise: PromiseLike<unknown> | undefined, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const timer = setTimeout(end, Math.max(0, ms));
  signal?.addEventListener("abort", end, { once: true });
  promise?.then(end, end);
  await ended;
  clearTimeout(timer);
  signal?.removeEventListener("abort", end);
}

/** Calls `next` with a value: at once if it is known, since each promise costs a part of a short call. */
export const andThen = <T, Result>(value: T | Promise<T>, next: (value: T) => Result): Result | Promise<Result> =>
  value instanceof Promise ? value.then(next) : next(value);
