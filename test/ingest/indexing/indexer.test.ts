import { afterEach, expect, it, vi } from "vitest";
import { type Analysis, EMPTY_ANALYSIS } from "#domain/answers/analysis.ts";
import type { PendingTile, TileVersion } from "#domain/answers/search.ts";
import { type Indexer, type IndexerDeps, startIndexer } from "#ingest/indexing/indexer.ts";

const tile = (tileId: string, text = "words"): PendingTile => ({
  businessId: "biz_1",
  boardId: "brd_1",
  tileId,
  version: 1,
  title: "T",
  text,
});
const ANALYSIS: Analysis = { ...EMPTY_ANALYSIS, chunks: [{ start: 0, end: 5, length: 1 }] };
/** Every tile has one chunk, and one in each part. */
const ANALYSER: IndexerDeps["analyser"] = {
  analyse: async (items) => items.map(() => ANALYSIS),
  async *analyseParts({ text }) {
    for (let at = 0; at < text.length; at += 250_000) yield ANALYSIS;
  },
};
const indexers: Indexer[] = [];
const lines: string[] = [];
const write = (_fields: object, message: string): void => void lines.push(message);

function setUp(over: Partial<IndexerDeps> = {}) {
  const pending: PendingTile[] = [];
  const indexed: string[] = [];
  const chunks = new Map<string, number>();
  const partial: string[] = [];
  const finish = (done: TileVersion, count: number): void => {
    indexed.push(done.tileId);
    chunks.set(done.tileId, count);
    pending.splice(
      pending.findIndex(({ tileId }) => tileId === done.tileId),
      1,
    );
  };
  const state = { wake: () => {}, busy: false, faults: 0, asked: [] as number[], erased: 0 };
  const deps: IndexerDeps = {
    search: {
      pending: async (limit) => {
        state.asked.push(limit);
        if (state.faults-- > 0) throw new Error("store fault");
        return pending.slice(0, limit);
      },
      index: async (items) => {
        for (const { tile: done, analysis } of items) finish(done, analysis.chunks.length);
      },
      indexParts: async (done, parts) => {
        let count = 0;
        for await (const part of parts) {
          if (part === null) partial.push(done.tileId);
          count += part?.chunks.length ?? 0;
        }
        finish(done, count);
      },
      eraseDropped: async () => void state.erased++,
    },
    analyser: ANALYSER,
    onChange: (wake) => {
      state.wake = wake;
      return () => {
        state.wake = () => {};
      };
    },
    isBusy: () => state.busy,
    clock: { now: () => Date.now() },
    log: { info: write, warn: write, error: write },
    ...over,
    limits: { debounceMs: 5, pollMs: 30, maxBusyWaitMs: 60_000, ...over.limits },
  };
  const indexer = startIndexer(deps);
  indexers.push(indexer);
  return { indexer, pending, indexed, chunks, partial, state };
}

afterEach(async () => {
  await Promise.all(indexers.splice(0).map((indexer) => indexer.stop()));
  lines.length = 0;
});

it("the indexer indexes everything pending, batch by batch", async () => {
  const { indexer, pending, indexed } = setUp({ limits: { tiles: 2 } });
  pending.push(tile("a"), tile("b"), tile("c"), tile("d"), tile("e"));
  await indexer.idle();
  expect(indexed).toEqual(["a", "b", "c", "d", "e"]);
});

it("the indexer runs when woken by a change, and polls otherwise", async () => {
  const { indexer, pending, indexed, state } = setUp({ limits: { pollMs: 60_000 } });
  await indexer.idle();
  pending.push(tile("a"));
  state.wake();
  await vi.waitFor(() => expect(indexed).toEqual(["a"]), { timeout: 300_000 });
  const polling = setUp();
  await polling.indexer.idle();
  polling.pending.push(tile("b"));
  await vi.waitFor(() => expect(polling.indexed).toEqual(["b"]), { timeout: 300_000 });
});

it("the indexer waits while the server is busy, and then continues", async () => {
  const { indexer, pending, indexed, state } = setUp();
  await indexer.idle();
  state.busy = true;
  pending.push(tile("a"));
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(indexed).toEqual([]);
  state.busy = false;
  await indexer.idle();
  expect(indexed).toEqual(["a"]);
});

it("the indexer waits for a busy server at most for its patience limit", async () => {
  const { indexer, pending, indexed, state } = setUp({ limits: { maxBusyWaitMs: 100 } });
  state.busy = true;
  pending.push(tile("a"));
  await indexer.idle();
  expect(indexed).toEqual(["a"]);
});

it("the indexer uses small batches while the server stays busy", async () => {
  const { indexer, pending, indexed, state } = setUp({ limits: { tiles: 100, busyTiles: 2, maxBusyWaitMs: 0, pollMs: 60_000 } });
  await indexer.idle();
  state.busy = true;
  for (let n = 0; n < 7; n++) pending.push(tile(`t${n}`));
  state.wake();
  const sizes: number[] = [];
  await vi.waitFor(
    () => {
      if (indexed.length > (sizes.at(-1) ?? 0)) sizes.push(indexed.length);
      expect(indexed).toHaveLength(7);
    },
    { timeout: 300_000, interval: 2 },
  );
  expect(sizes[0]).toBeLessThan(7);
});

it("the indexer starts with small batches, doubles them while the server is idle, and reduces them when it was busy", async () => {
  const looks = [false, false, false, false, true, false];
  const { indexer, pending, state } = setUp({
    limits: { tiles: 10, busyTiles: 2, maxBusyWaitMs: 0, pollMs: 60_000 },
    isBusy: () => (state.asked.length < looks.length ? looks[state.asked.length]! : false),
  });
  for (let n = 0; n < 32; n++) pending.push(tile(`t${n}`));
  await indexer.idle();
  expect(state.asked.slice(0, 7)).toEqual([2, 4, 8, 10, 2, 4, 8]);
});

it("the indexer does not count its own work as load of the server", async () => {
  const own = { hasWorked: false };
  const { indexer, pending, indexed } = setUp({
    limits: { tiles: 1, busyPollMs: 60_000 },
    isBusy: () => {
      const wasBusy = own.hasWorked;
      own.hasWorked = false;
      return wasBusy;
    },
    analyser: {
      ...ANALYSER,
      analyse: async (items) => {
        own.hasWorked = true;
        return items.map(() => ANALYSIS);
      },
    },
  });
  pending.push(tile("a"), tile("b"), tile("c"));
  await indexer.idle();
  expect(indexed).toEqual(["a", "b", "c"]);
});

it("the indexer continues after a failure of the store, and logs it", async () => {
  const { indexer, pending, indexed, state } = setUp();
  state.faults = 2;
  pending.push(tile("a"));
  await indexer.idle();
  expect(indexed).toEqual(["a"]);
  expect(lines.join()).toContain("Indexing failed");
});

it("the indexer continues with other tiles if one cannot be analysed, which is marked", async () => {
  const analyse: IndexerDeps["analyser"]["analyse"] = async (items) => items.map(({ text }) => (text === "poison" ? null : ANALYSIS));
  const { indexer, pending, chunks, partial } = setUp({ analyser: { ...ANALYSER, analyse } });
  pending.push(tile("a"), tile("b", "poison"), tile("c"));
  await indexer.idle();
  expect([...chunks]).toEqual([
    ["a", 1],
    ["c", 1],
    ["b", 0],
  ]);
  expect(partial).toEqual(["b"]);
});

it("the indexer indexes a long tile part by part, after the others, and then erases what was dropped", async () => {
  const { indexer, pending, chunks, partial, state } = setUp();
  pending.push(tile("long", "x".repeat(600_000)), tile("a"));
  await indexer.idle();
  expect([...chunks]).toEqual([
    ["a", 1],
    ["long", 3],
  ]);
  expect(partial).toEqual([]);
  await vi.waitFor(() => expect(state.erased).toBeGreaterThan(0), { timeout: 10_000 });
});

it("the indexer does not loop on tiles that stay pending", async () => {
  const calls = { index: 0 };
  setUp({
    search: {
      pending: async () => [tile("a")],
      index: async () => void calls.index++,
      indexParts: async () => {},
      eraseDropped: async () => {},
    },
    limits: { pollMs: 60_000 },
  });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(calls.index).toBe(1);
});

it("the indexer stops while it waits, and releases those who wait for it", async () => {
  const { indexer, pending, state } = setUp();
  state.busy = true;
  pending.push(tile("a"));
  const idle = indexer.idle();
  await new Promise((resolve) => setTimeout(resolve, 30));
  await indexer.stop();
  await idle;
  await indexer.idle();
});
