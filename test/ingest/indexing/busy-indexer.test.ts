import { expect, it, vi } from "vitest";
import { ANALYSER, ANALYSIS, setUp, tile } from "../fixtures/indexer.ts";

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
