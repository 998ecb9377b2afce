import { LRUCache } from "lru-cache";
import type { RateLimitStore } from "#domain/store.ts";

import type { Clock } from "#domain/core/system.ts";

export type RateLimitResult = {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window starts anew, at least 1. */
  readonly resetSeconds: number;
};

/** Judges one more call under `name`, which is unique in its business. `limit` 0 means no limit, and answers null. */
export type RateLimiter = (businessId: string, name: string, limit: number) => RateLimitResult | null | Promise<RateLimitResult>;

const WINDOW_MS = 60_000;
/** Windows kept in memory; beyond it the oldest ones begin anew. */
const MAX_WINDOWS = 20_000;

/** The verdict on the call that was counted as number `count` of a window. */
const resultOf = (count: number, limit: number, start: number, now: number): RateLimitResult => ({
  isAllowed: count <= limit,
  limit,
  remaining: Math.max(0, limit - count),
  resetSeconds: Math.max(1, Math.ceil((start + WINDOW_MS - now) / 1_000)),
});

/**
 * Counts calls in windows of one minute for each key: in memory, by `monotonic` milliseconds that no change of the system's clock
 * moves; or in `allowances`, where several nodes count together by `clock`.
 */
export function createRateLimiter(
  clock: Clock,
  rateLimits: RateLimitStore | null = null,
  monotonic: () => number = () => performance.now(),
): RateLimiter {
  return rateLimits === null ? limitHere(monotonic) : limitTogether(clock, rateLimits);
}

function limitHere(monotonic: () => number): RateLimiter {
  const windows = new LRUCache<string, { readonly start: number; used: number }>({ max: MAX_WINDOWS });
  return (_businessId, name, limit) => {
    if (limit === 0) return null;
    const now = monotonic();
    let window = windows.peek(name);
    if (window === undefined || now - window.start >= WINDOW_MS) {
      window = { start: now, used: 0 };
      windows.set(name, window);
    }
    return resultOf(++window.used, limit, window.start, now);
  };
}

type Count = { readonly start: number; readonly first: number };

/** Calls that come in while the last count is under way are counted together: one statement for each key at a time. */
function limitTogether(clock: Clock, rateLimits: RateLimitStore): RateLimiter {
  const waiting = new Map<string, { calls: number; counted: Promise<Count> }>();
  const busy = new Map<string, Promise<unknown>>();

  async function count(businessId: string, name: string): Promise<Count> {
    await busy.get(name);
    const calls = waiting.get(name)?.calls ?? 1;
    waiting.delete(name);
    const counting = rateLimits.count(businessId, name, calls, WINDOW_MS, clock.now());
    // Whoever comes next only waits for the end; what went wrong is told to the calls that were counted.
    const ended = counting.then(
      () => undefined,
      () => undefined,
    );
    busy.set(name, ended);
    void ended.then(() => {
      if (busy.get(name) === ended) busy.delete(name);
    });
    const { start, used } = await counting;
    return { start, first: used - calls + 1 };
  }

  return (businessId, name, limit) => {
    if (limit === 0) return null;
    let batch = waiting.get(name);
    if (batch === undefined) {
      batch = { calls: 0, counted: Promise.resolve().then(() => count(businessId, name)) };
      waiting.set(name, batch);
    }
    const place = batch.calls++;
    return batch.counted.then(({ start, first }) => resultOf(first + place, limit, start, clock.now()));
  };
}
