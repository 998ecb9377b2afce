import { describe, expect, it } from "vitest";
import { runTarget } from "./support/target.ts";
import { TARGETS } from "./targets/all.ts";

/** Always the same rounds, as many as there is time for; `npm run fuzz` tries others, for longer. */
const SEED = 1;
const TARGET_MS = 8_000;

describe("broken input of every remote kind", { timeout: 150_000 }, () => {
  it.each(TARGETS)("$name ends well: no crash, no stray error, nothing stuck, memory bounded", async (target) => {
    expect(await runTarget(target, { seed: SEED, ms: TARGET_MS })).toBeGreaterThan(0);
  });
});
