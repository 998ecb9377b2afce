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
 * Returns what the promise resolves to. Throws the signal's reason as soon as the signal is aborted, whether or not the work behind the
 * promise stops; an error that the abort caused is replaced by that reason.
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

/** Waits until the promise (if any) settles, for at most `ms` milliseconds, or until the signal is aborted. Never throws. */
export async function waitAtMost(ms: number, promise: PromiseLike<unknown> | undefined, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const timer = setTimeout(end, Math.max(0, ms));
  signal?.addEventListener("abort", end, { once: true });
  promise?.then(end, end);
  await over;
  clearTimeout(timer);
  signal?.removeEventListener("abort", end);
}
