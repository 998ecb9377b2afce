import { expect, it, vi } from "vitest";
import type { IndexerDeps } from "#ingest/indexing/indexer.ts";
import { ANALYSER, ANALYSIS, setUp, tile } from "../fixtures/indexer.ts";

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

it("the indexer continues after a failure of the store, and logs it", async () => {
  const { indexer, pending, indexed, state, lines } = setUp();
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
