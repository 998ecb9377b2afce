import { onlineManager } from "@tanstack/react-query";

/** Waits until the server can be reached, or the signal is aborted. */
export function onlineAgain(signal: AbortSignal): Promise<void> {
  if (onlineManager.isOnline()) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      stop();
      resolve();
    };
    const stop = onlineManager.subscribe(done);
    signal.addEventListener("abort", done, { once: true });
  });
}

/** Waits, or less when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
