import { useSyncExternalStore } from "react";

/** How often times such as "5 min" are looked at again, in milliseconds. */
const TICK_MS = 15_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** Timers stand nearly still in a tab that is not seen. */
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
 * What `format` makes of the current time, kept up to date by one timer for the whole page. A component is drawn again only when its own
 * words change.
 */
export const useTimeText = (format: (now: number) => string): string => useSyncExternalStore(subscribe, () => format(now));
