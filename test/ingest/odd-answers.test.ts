import { expect, it } from "vitest";
import { runTarget } from "../fuzz/support/target.ts";
import { extractors } from "../fuzz/targets/extractors.ts";
import { pages } from "../fuzz/targets/text.ts";

/* Fuzzer rounds that found a bug. */

it("a null alert of YouTube counts as none", async () => {
  expect(await runTarget(extractors, { seed: 744_882, from: 1_601, rounds: 1 })).toBe(1);
});

it("a page with tags nested deeper than measured is converted linearly", async () => {
  expect(await runTarget(pages, { seed: 644_337, from: 5_302, rounds: 1 })).toBe(1);
});
