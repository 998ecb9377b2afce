import type { Clock } from "#domain/system.ts";

export type RateVerdict = {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window starts anew, at least 1. */
  readonly resetSeconds: number;
};

const WINDOW_MS = 60_000;
/** Keys whose windows are kept; beyond it, windows that have passed are forgotten. */
const MOST_KEYS = 10_000;

/** Counts calls in windows of one minute for each key. `limit` 0 means no limit, and answers null. */
export function createRateLimiter(clock: Clock): (key: string, limit: number) => RateVerdict | null {
  const windows = new Map<string, { start: number; used: number }>();

  function forgetPassed(now: number): void {
    for (const [key, window] of windows) if (now - window.start >= WINDOW_MS) windows.delete(key);
  }

  return (key, limit) => {
    if (limit === 0) return null;
    const now = clock.now();
    let window = windows.get(key);
    if (window === undefined || now - window.start >= WINDOW_MS) {
      if (windows.size >= MOST_KEYS) forgetPassed(now);
      window = { start: now, used: 0 };
      windows.set(key, window);
    }
    const isAllowed = window.used < limit;
    if (isAllowed) window.used++;
    return {
      isAllowed,
      limit,
      remaining: limit - window.used,
      resetSeconds: Math.max(1, Math.ceil((window.start + WINDOW_MS - now) / 1_000)),
    };
  };
}
