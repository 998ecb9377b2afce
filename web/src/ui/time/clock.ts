import { useSyncExternalStore } from "react";

/** Update interval of relative times, in milliseconds. */
const TICK_MS = 15_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** Timers are throttled in hidden tabs, so update when the page becomes visible. */
const onVisible = (): void => {
  if (!document.hidden) tick();
};

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, TICK_MS);
    document.addEventListener("visibilitychange", onVisible);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onVisible);
  };
}

/**
 * The result of `format` for the current time, updated by one timer for the whole page. The component renders again only when its text
 * changes.
 */
export const useTimeText = (format: (now: number) => string): string => useSyncExternalStore(subscribe, () => format(now));
