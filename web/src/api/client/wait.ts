import { onlineManager } from "@tanstack/react-query";

/** Waits until the server can be reached, or the signal is aborted. */
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

/** Waits `ms` milliseconds, or less when the signal is aborted. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      // A live board pauses thousands of times on one signal, which would otherwise keep a listener for each pause.
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
