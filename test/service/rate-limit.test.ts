import { expect, it } from "vitest";
import { createRateLimiter } from "#service/rate-limit.ts";

it("a new window resets in 60 seconds, even if it starts at a fraction of a millisecond", async () => {
  const starts = Array.from({ length: 1_000 }, (_, n) => n * 17.3 + 0.1);
  const resets = starts.map(async (start, n) => {
    const limit = createRateLimiter({ now: () => 0 }, null, () => start);
    return (await limit("biz_1", `key_${n}`, 5))?.resetSeconds;
  });
  expect(new Set(await Promise.all(resets))).toEqual(new Set([60]));
});
