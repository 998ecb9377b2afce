import { expect } from "vitest";
import { EMPTY_ANALYSIS, type Analysis } from "#domain/answers/analysis.ts";
import { T0 } from "../../support/boards.ts";
import { addText, type StoreContext } from "../store-context.ts";
import { analyseWords, contents, drain, expectFresh, splitAnalysis } from "./model.ts";
import { test } from "../store-test.ts";

const TEXT = "5000 2";

/** Writes a tile in parts, and calls `between` before each one. */
async function indexParts(
  { store }: StoreContext,
  tileId: string,
  between: (part: number) => Promise<void> = async () => {},
): Promise<void> {
  const tile = (await store.search.pending(9, 1_000)).find((one) => one.tileId === tileId)!;
  await store.search.indexParts(tile, parts());
  async function* parts(): AsyncGenerator<Analysis | null> {
    let at = 0;
    for (const part of splitAnalysis(analyseWords(tile.text), 900)) {
      await between(at++);
      yield part;
    }
  }
}

const listWaiting = async ({ store, board }: StoreContext): Promise<string[]> =>
  (await store.search.pendingConnected(board.businessId, board.id, 1_000_000)).map(({ tileId }) => tileId);

test("a tile that is indexed in parts waits until the last part, and no search finds a part of it before", async (context) => {
  const { store, board } = context;
  await addText(context, "10 1");
  await drain(context);
  const before = await contents(context);
  const { id } = await addText(context, TEXT);
  let parts = 0;
  await indexParts(context, id, async () => {
    parts++;
    expect(await listWaiting(context)).toEqual([id]);
    expect(await contents(context)).toEqual(before);
    expect(await store.search.statistics(board.businessId, board.id)).toMatchObject({ documents: 10 });
  });
  expect(parts).toBe(6);
  expect(await listWaiting(context)).toEqual([]);
  await expectFresh(context);
});

test("a tile is indexed in parts as before while others are added, changed and deleted", async (context) => {
  const { store, scope } = context;
  const changed = await addText(context, "1500 1");
  const deleted = await addText(context, "700 3");
  await drain(context);
  const { id } = await addText(context, TEXT);
  await indexParts(context, id, async (part) => {
    if (part === 2) await store.tiles.remove(scope, deleted.id, T0 + 1);
    if (part === 3) await store.tiles.update(scope, changed.id, { content: "20 7" }, T0 + 1);
    await expectFresh(context);
  });
  await drain(context);
  await expectFresh(context);
});

test("a tile is indexed again without duplicates if the work ends between two parts", async (context) => {
  const { store, scope, board } = context;
  await addText(context, "10 1");
  await drain(context);
  const { id } = await addText(context, TEXT);
  for (const last of [0, 1, 3, 5]) {
    const work = indexParts(context, id, async (part) => {
      if (part === last) throw new Error("The process ends.");
    });
    await expect(work).rejects.toThrow("ends");
    // Blocks with what was left over are dropped, and their other tiles wait too.
    expect(await listWaiting(context)).toContain(id);
    await expectFresh(context);
  }
  await drain(context);
  await expectFresh(context);
  await store.search.eraseDropped();
  await expectFresh(context);
  await store.tiles.remove(scope, id, T0 + 1);
  await drain(context);
  await expectFresh(context);
  expect((await store.search.statistics(board.businessId, board.id)).documents).toBe(10);
});

test("a tile that changes while it is indexed in parts stays waiting, and leaves nothing behind if it is deleted", async (context) => {
  const { store, scope, board } = context;
  const { id } = await addText(context, TEXT);
  let calls = 0;
  await indexParts(context, id, async (part) => {
    calls++;
    if (part === 2) await store.tiles.update(scope, id, { content: "4000 3" }, T0 + 1);
  });
  expect(calls).toBe(3);
  expect(await listWaiting(context)).toEqual([id]);
  await expectFresh(context);
  await indexParts(context, id, async (part) => {
    if (part === 4) await store.tiles.remove(scope, id, T0 + 2);
  });
  expect(await listWaiting(context)).toEqual([]);
  await expectFresh(context);
  const { nextDocument } = await store.search.statistics(board.businessId, board.id);
  const all = Array.from({ length: nextDocument }, (_, document) => document);
  expect(await store.search.connectedChunks(board.businessId, board.id, all, { includeDisconnected: true })).toEqual([]);
});

test("a tile has a warning if a part is missing, until it is indexed whole", async (context) => {
  const { store, board, scope } = context;
  const created = await addText(context, "12 2");
  const revision = async () => (await store.boards.revisions(board)).content;
  const before = await revision();
  const index = async (parts: readonly (Analysis | null)[]): Promise<void> => {
    const [tile] = await store.search.pending(9, 1_000);
    await store.search.indexParts(tile!, toAsync(parts));
  };
  await index([analyseWords("12 2"), null]);
  const warned = await store.tiles.find(board.businessId, created.id);
  expect(warned).toMatchObject({ version: created.version + 1, warnings: [{ code: "partly_indexed", message: expect.any(String) }] });
  expect(await revision()).not.toBe(before);
  await expectFresh(context);
  await store.tiles.update(scope, created.id, { title: "Other" }, T0 + 1);
  expect(await store.tiles.find(board.businessId, created.id)).toMatchObject({ warnings: [] });
  await index([null]);
  expect(await store.tiles.find(board.businessId, created.id)).toMatchObject({ warnings: [{ code: "partly_indexed" }] });
  expect(await store.search.pending(9, 1_000)).toEqual([]);
  expect((await store.search.statistics(board.businessId, board.id)).documents).toBe(0);
});

test("a tile that is indexed in parts may have parts without passages, or none at all", async (context) => {
  const { store } = context;
  await addText(context, "0 1");
  const [tile] = await store.search.pending(9, 1_000);
  await store.search.indexParts(tile!, toAsync([EMPTY_ANALYSIS, EMPTY_ANALYSIS]));
  expect(await store.search.pending(9, 1_000)).toEqual([]);
  await expectFresh(context);
});

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
