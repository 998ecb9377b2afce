import { afterEach, describe, expect, test, vi } from "vitest";
import { createJumpDetector } from "#domain/core/system.ts";
import type { Store } from "#domain/store.ts";
import { startHousekeeping } from "#service/background/housekeeping.ts";
import { createRateLimiter } from "#service/rate-limit.ts";

const DAY = 86_400_000;
const JUMPS = [40 * DAY, -40 * DAY];

let now = 0;
let monotonic = 0;
const clock = { now: () => now };
const pass = (ms: number): void => {
  now += ms;
  monotonic += ms;
};

afterEach(() => void vi.useRealTimers());

describe.each(JUMPS)("a clock that jumps by %i ms", (jump) => {
  test("a jump is detected once, and passing time is no jump", () => {
    const hasJumped = createJumpDetector(clock, () => monotonic);
    pass(DAY);
    expect(hasJumped()).toBe(false);
    now += jump;
    expect([hasJumped(), hasJumped()]).toEqual([true, false]);
    pass(1_000);
    now += 1_500;
    expect(hasJumped()).toBe(false);
  });

  test("a jump neither ends nor extends a rate limit window", async () => {
    const limiter = createRateLimiter(clock, null, () => monotonic);
    const isAllowed = async (): Promise<boolean | undefined> => (await limiter("biz", "key", 2))?.isAllowed;
    expect([await isAllowed(), await isAllowed(), await isAllowed()]).toEqual([true, true, false]);
    now += jump;
    pass(30_000);
    const verdict = await limiter("biz", "key", 2);
    expect(verdict).toMatchObject({ isAllowed: false, resetSeconds: 30 });
    pass(30_000);
    expect(await isAllowed()).toBe(true);
  });

  test("a jump postpones purging by a day, in which it can be corrected", async () => {
    vi.useFakeTimers();
    const purges: number[] = [];
    const store = {
      purge: async (_before: number, at: number) => (purges.push(at), 0),
      logInThrottle: { trim: async () => undefined },
    } as unknown as Store;
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const keeping = startHousekeeping({ store, clock, log }, { firstMs: 1_000, intervalMs: 3_600_000, monotonic: () => monotonic });
    const hours = async (count: number): Promise<number> => {
      purges.length = 0;
      for (let n = 0; n < count; n++) {
        pass(3_600_000);
        await vi.advanceTimersByTimeAsync(3_600_000);
      }
      return purges.length;
    };
    expect(await hours(4)).toBe(4);
    now += jump;
    expect(await hours(23)).toBe(0);
    expect(await hours(3)).toBeGreaterThan(0);
    await keeping.stop();
  });
});

test("a window that starts at a fraction of a millisecond resets in at most a minute", async () => {
  // 5536.1 + 60000 - 5536.1 > 60000 in floating point.
  const limiter = createRateLimiter(clock, null, () => 5_536.1);
  expect((await limiter("biz", "key", 1))?.resetSeconds).toBe(60);
});

test("tens of thousands of callers use a bounded number of windows", async () => {
  const limiter = createRateLimiter(clock, null, () => monotonic);
  expect((await limiter("biz", "first", 1))?.isAllowed).toBe(true);
  for (let n = 0; n < 20_000; n++) await limiter("biz", `key ${n}`, 1);
  // The oldest window was removed, because the number of windows is limited.
  expect((await limiter("biz", "first", 1))?.isAllowed).toBe(true);
  expect((await limiter("biz", "key 19999", 1))?.isAllowed).toBe(false);
});
