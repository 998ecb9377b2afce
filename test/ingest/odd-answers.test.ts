import { expect, it } from "vitest";
import { runTarget } from "../fuzz/support/target.ts";
import { extractors } from "../fuzz/targets/extractors.ts";
import { pages } from "../fuzz/targets/text.ts";

/* Rounds of the fuzzers that found a fault. */

it("an alert of YouTube that is null reads as none", async () => {
  expect(await runTarget(extractors, { seed: 744_882, from: 1_601, rounds: 1 })).toBe(1);
});

it("a page whose tags nest deeper than their measure told is read in a line", async () => {
  expect(await runTarget(pages, { seed: 644_337, from: 5_302, rounds: 1 })).toBe(1);
});
