import { LRUCache } from "lru-cache";
import { AppError } from "#domain/core/errors/error.ts";
import type { RateLimitStore } from "#domain/store.ts";
import type { Clock } from "#domain/core/system.ts";

export type RateLimitResult = {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window resets, at least 1. */
  readonly resetSeconds: number;
};

/** Counts one call under `name`, which is unique in its business. Returns null when `limit` is 0, which means no limit. */
export type RateLimiter = (businessId: string, name: string, limit: number) => RateLimitResult | null | Promise<RateLimitResult>;

/** Throws `rate_limited` for a call beyond the limit. */
export function requireWithinLimit({ isAllowed, limit, resetSeconds }: RateLimitResult): void {
  if (isAllowed) return;
  const message = `Too many requests. The maximum is ${limit.toLocaleString("en")} a minute. Try again in ${resetSeconds} s.`;
  throw new AppError("rate_limited", message, resetSeconds);
}

const WINDOW_MS = 60_000;
/** Windows kept in memory; the oldest are evicted beyond this, which resets their counts. */
const MAX_WINDOWS = 20_000;

/** Returns the result of the `count`-th call in a window. */
const toResult = (count: number, limit: number, start: number, now: number): RateLimitResult => ({
  isAllowed: count <= limit,
  limit,
  remaining: Math.max(0, limit - count),
  // In this order, since a sum with a fractional start can be above the window.
  resetSeconds: Math.max(1, Math.ceil((WINDOW_MS - (now - start)) / 1_000)),
});

/**
 * Counts calls per name in fixed windows of one minute. Without `rateLimits` it counts in memory, by `monotonic` milliseconds that
 * changes of the system clock do not affect. With `rateLimits`, several nodes share the counts and the clock of the store.
 */
export function createRateLimiter(
  clock: Clock,
  rateLimits: RateLimitStore | null = null,
  monotonic: () => number = () => performance.now(),
): RateLimiter {
  return rateLimits === null ? limitInMemory(monotonic) : limitInStore(clock, rateLimits);
}

function limitInMemory(monotonic: () => number): RateLimiter {
  const windows = new LRUCache<string, { readonly start: number; used: number }>({ max: MAX_WINDOWS });
  return (_businessId, name, limit) => {
    if (limit === 0) return null;
    const now = monotonic();
    let window = windows.peek(name);
    if (window === undefined || now - window.start >= WINDOW_MS) {
      window = { start: now, used: 0 };
      windows.set(name, window);
    }
    return toResult(++window.used, limit, window.start, now);
  };
}

type Count = { readonly start: number; readonly first: number; readonly now: number };

/** Calls that arrive while a count is running are counted together, so that each name runs one statement at a time. */
function limitInStore(clock: Clock, rateLimits: RateLimitStore): RateLimiter {
  const batches = new Map<string, { calls: number; counted: Promise<Count> }>();
  const running = new Map<string, Promise<unknown>>();

  async function count(businessId: string, name: string): Promise<Count> {
    await running.get(name);
    const calls = batches.get(name)?.calls ?? 1;
    batches.delete(name);
    const counting = rateLimits.count(businessId, name, calls, WINDOW_MS, clock.now());
    // The next batch only waits for the end. An error rejects only the calls of this batch.
    const ended = counting.then(
      () => undefined,
      () => undefined,
    );
    running.set(name, ended);
    void ended.then(() => {
      if (running.get(name) === ended) running.delete(name);
    });
    const { start, used, now } = await counting;
    return { start, first: used - calls + 1, now };
  }

  return (businessId, name, limit) => {
    if (limit === 0) return null;
    let batch = batches.get(name);
    if (batch === undefined) {
      batch = { calls: 0, counted: Promise.resolve().then(() => count(businessId, name)) };
      batches.set(name, batch);
    }
    const index = batch.calls++;
    return batch.counted.then(({ start, first, now }) => toResult(first + index, limit, start, now));
  };
}
