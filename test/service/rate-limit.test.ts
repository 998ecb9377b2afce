import { expect, it } from "vitest";
import { createRateLimiter } from "#service/rate-limit.ts";

const clock = { now: () => 0 };

it("a new window resets in 60 seconds, even if it starts at a fraction of a millisecond", async () => {
  // 5536.1 + 60000 - 5536.1 > 60000 in floating point.
  const starts = [5_536.1, ...Array.from({ length: 1_000 }, (_, n) => n * 17.3 + 0.1)];
  const resets = starts.map(async (start, n) => {
    const limit = createRateLimiter(clock, null, () => start);
    return (await limit("biz_1", `key_${n}`, 5))?.resetSeconds;
  });
  expect(new Set(await Promise.all(resets))).toEqual(new Set([60]));
});

it.each([40, -40])("a window is neither ended nor extended by a clock that is set by %i days", async (days) => {
  let [now, monotonic] = [0, 0];
  const limiter = createRateLimiter({ now: () => now }, null, () => monotonic);
  const isAllowed = async (): Promise<boolean | undefined> => (await limiter("biz", "key", 2))?.isAllowed;
  expect([await isAllowed(), await isAllowed(), await isAllowed()]).toEqual([true, true, false]);
  now += days * 86_400_000;
  monotonic += 30_000;
  expect(await limiter("biz", "key", 2)).toMatchObject({ isAllowed: false, resetSeconds: 30 });
  monotonic += 30_000;
  expect(await isAllowed()).toBe(true);
});

it("tens of thousands of callers use a bounded number of windows", async () => {
  const limiter = createRateLimiter(clock, null, () => 0);
  expect((await limiter("biz", "first", 1))?.isAllowed).toBe(true);
  for (let n = 0; n < 20_000; n++) await limiter("biz", `key ${n}`, 1);
  // The oldest window was removed, because the number of windows is limited.
  expect((await limiter("biz", "first", 1))?.isAllowed).toBe(true);
  expect((await limiter("biz", "key 19999", 1))?.isAllowed).toBe(false);
});
