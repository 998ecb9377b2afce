import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { askBoard } from "#service/answer/ask.ts";
import type { Deps } from "#service/deps.ts";
import { STAGES, StageTimer } from "../../bench/ask/stage-timer.ts";
import { openQualityService } from "../../bench/quality/search/quality-service.ts";
import { createTextGenerator } from "../../bench/ask/text-generator.ts";

/** Blocks the thread for `ms` milliseconds, as the embedded store does. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** The methods are on a prototype, so that a spread of the store would lose them. */
class FakeSearch {
  readonly #ms = 10;

  async postings(): Promise<void> {
    work(2 * this.#ms);
  }

  async connectedTiles(): Promise<void> {
    work(this.#ms);
  }

  async hasConnected(): Promise<number> {
    return this.#ms;
  }
}

class FakeVectors {
  /** Also works after an await, like the scan of blocks. */
  async nearest(): Promise<void> {
    await Promise.resolve();
    work(5);
  }
}

const fake = {
  store: { search: new FakeSearch(), vectors: new FakeVectors() },
  embedder: { model: "m", accepts: () => true, embed: () => sleep(30, []), close: async () => {} },
  tokenCounter: {
    prepare: () => {},
    count: async (texts: readonly string[]) => {
      work(15);
      return texts.map(({ length }) => length);
    },
    close: async () => {},
  },
} as unknown as Deps;

it("the benchmark times each stage of a question, and the stages add up to the total", async () => {
  const timer = new StageTimer(fake);
  const ask = async (): Promise<void> => {
    await timer.deps.embedder?.embed(["why"], { isUrgent: true, signal: new AbortController().signal });
    await timer.deps.store.search.postings("biz", "brd", ["why"]);
    await timer.deps.store.vectors.nearest("biz", "brd", new Uint8Array(4), 3);
    await timer.deps.store.search.connectedTiles("biz", "brd", ["til"]);
    work(25);
    expect(await timer.deps.tokenCounter.count(["four"], new AbortController().signal)).toEqual([4]);
    work(8);
  };
  await timer.time(ask);
  const { ms, stageMs } = await timer.time(ask);
  expect(stageMs["question's vector"]).toBeGreaterThanOrEqual(25);
  for (const [stage, least] of [
    ["postings", 20],
    ["near vectors", 5],
    ["reading", 10],
    ["ranking", 25],
    ["tokens", 15],
    ["answer", 8],
  ] as const) {
    expect(stageMs[stage], stage).toBeGreaterThanOrEqual(least - 1);
  }
  expect(STAGES.reduce((sum, stage) => sum + stageMs[stage], 0)).toBeCloseTo(ms, 1);
});

it("the benchmark times the stages of a question on an embedded store", async () => {
  const world = await openQualityService(false);
  try {
    const board = await world.fill("Timed", [{ id: "1", title: "Harbour", text: "The harbour opens at six in the morning." }]);
    await world.index();
    // A unit test starts no thread.
    const timer = new StageTimer({ ...world.deps, tokenCounter: fake.tokenCounter });
    const { stageMs } = await timer.time(() => askBoard(timer.deps, board.scope, "When does the harbour open?", false));
    for (const stage of ["postings", "reading", "ranking", "tokens", "answer"] as const) expect(stageMs[stage], stage).toBeGreaterThan(0);
    const near = await timer.time(() => timer.deps.store.vectors.nearest(board.businessId, board.id, new Uint8Array(48), 3, "a model"));
    expect(near.stageMs["near vectors"]).toBeGreaterThan(0);
  } finally {
    await world.close();
  }
});

it("the benchmark times a question without token counts or an embedder", async () => {
  const timer = new StageTimer({ ...fake, embedder: null });
  expect(timer.deps.embedder).toBeNull();
  const { ms, stageMs } = await timer.time(async () => timer.deps.store.search.postings("biz", "brd", []));
  expect(stageMs.tokens).toBe(0);
  expect(stageMs.answer).toBe(0);
  expect(stageMs.postings + stageMs.ranking).toBeCloseTo(ms, 1);
});

it("the benchmark generates the same texts from the same seed, with word frequencies of real text", () => {
  const texts = (): string[] => {
    const generator = createTextGenerator(4);
    return Array.from({ length: 300 }, () => generator.text(500));
  };
  const all = texts();
  expect(texts()).toEqual(all);
  expect(all.every(({ length }) => length >= 500 && length < 800)).toBe(true);
  const held = new Map<string, number>();
  for (const text of all) for (const word of new Set(text.toLowerCase().match(/[a-z]+/g))) held.set(word, (held.get(word) ?? 0) + 1);
  expect(held.get("the")).toBeGreaterThan(200);
  const rare = [...held.values()].filter((count) => count <= 3).length;
  expect(rare / held.size).toBeGreaterThan(0.4);
  const question = createTextGenerator(4).question(all[0] ?? "");
  expect(question).toMatch(/^What is said about .+\?$/);
});
