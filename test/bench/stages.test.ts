import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Deps } from "#service/deps.ts";
import { STAGES, watchStages } from "../../bench/ask/stage-timer.ts";
import { createWriter } from "../../bench/ask/text-generator.ts";

/** Works for so long without giving way, as the embedded store does. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const fake = {
  store: {
    search: { postings: async () => work(20), connectedTiles: async () => work(10) },
    vectors: { nearest: async () => work(5) },
  },
  embedder: { model: "m", accepts: () => true, embed: () => sleep(30, []), close: async () => {} },
  loadTokenCounter: async () => (text: string) => {
    work(15);
    return text.length;
  },
} as unknown as Deps;

it("parts an ask into its stages, which add up to the whole", async () => {
  const { deps, time } = watchStages(fake);
  const ask = async (): Promise<void> => {
    await deps.embedder?.embed(["why"], { isUrgent: true, signal: new AbortController().signal });
    await deps.store.search.postings("biz", "brd", ["why"]);
    await deps.store.vectors.nearest("biz", "brd", new Uint8Array(4), 3);
    await deps.store.search.connectedTiles("biz", "brd", ["til"]);
    const count = await deps.loadTokenCounter();
    work(25);
    expect(count("four")).toBe(4);
    work(8);
  };
  await time(ask);
  const { ms, lap } = await time(ask);
  expect(lap["question's vector"]).toBeGreaterThanOrEqual(25);
  for (const [stage, least] of [
    ["postings", 20],
    ["near vectors", 5],
    ["reading", 10],
    ["ranking", 25],
    ["tokens", 15],
    ["answer", 8],
  ] as const) {
    expect(lap[stage], stage).toBeGreaterThanOrEqual(least - 1);
  }
  expect(STAGES.reduce((sum, stage) => sum + lap[stage], 0)).toBeCloseTo(ms, 1);
});

it("times an ask that found nothing to count, and one without an embedder", async () => {
  const { deps, time } = watchStages({ ...fake, embedder: null });
  expect(deps.embedder).toBeNull();
  const { ms, lap } = await time(async () => deps.store.search.postings("biz", "brd", []));
  expect(lap.tokens).toBe(0);
  expect(lap.answer).toBe(0);
  expect(lap.postings + lap.ranking).toBeCloseTo(ms, 1);
});

it("writes the same each time, with few words in most texts and most words in few", () => {
  const texts = (): string[] => {
    const writer = createWriter(4);
    return Array.from({ length: 300 }, () => writer.text(500));
  };
  const all = texts();
  expect(texts()).toEqual(all);
  expect(all.every(({ length }) => length >= 500 && length < 800)).toBe(true);
  const held = new Map<string, number>();
  for (const text of all) for (const word of new Set(text.toLowerCase().match(/[a-z]+/g))) held.set(word, (held.get(word) ?? 0) + 1);
  expect(held.get("the")).toBeGreaterThan(200);
  const rare = [...held.values()].filter((count) => count <= 3).length;
  expect(rare / held.size).toBeGreaterThan(0.4);
  const question = createWriter(4).question(all[0] ?? "");
  expect(question).toMatch(/^What is said about .+\?$/);
});
