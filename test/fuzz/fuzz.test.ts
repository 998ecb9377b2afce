import { expect, it } from "vitest";
import { runTarget } from "./support/target.ts";
import { TARGETS } from "./targets/all.ts";

/** The same rounds on every machine; `npm run fuzz` tries others for longer. */
const SEED = 1;
/** A busy machine may skip rounds after this time, but must run this share of them. */
const MAX_TARGET_MS = 60_000;
const MIN_SHARE = 0.1;

it.each(TARGETS)("invalid input of $name causes no crash, stray error, hang or memory growth", async (target) => {
  const { name, testRounds } = target;
  const rounds = await runTarget(target, { seed: SEED, rounds: testRounds, ms: MAX_TARGET_MS });
  if (rounds < testRounds) process.stdout.write(`The fuzzer "${name}" reached its time limit after ${rounds} of ${testRounds} rounds.\n`);
  expect(rounds).toBeGreaterThanOrEqual(testRounds * MIN_SHARE);
});
