import { onlineManager } from "@tanstack/react-query";

/** Resolves when the server is reachable or the signal is aborted. */
export function waitUntilOnline(signal: AbortSignal): Promise<void> {
  if (onlineManager.isOnline() || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const stop = onlineManager.subscribe(done);
    signal.addEventListener("abort", done);
  });
}

/** Resolves after `ms` milliseconds or when the signal is aborted. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      // A live board waits thousands of times on one signal, which would otherwise accumulate listeners.
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
