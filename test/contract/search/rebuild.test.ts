import { expect } from "vitest";
import { UNTITLED } from "#domain/content/tile.ts";
import { addBoard, T0, textTile } from "../../support/boards.ts";
import { addText, expectRejection, type StoreContext, unknownId } from "../store-context.ts";
import { embedded } from "./binary-embedding.ts";
import { drain, expectFresh } from "./model.ts";
import { test } from "../store-test.ts";

const MODEL = "model-a";

/** Adds 120 tiles, of which some are deleted, with vectors. Returns their ids. */
async function fill({ store, scope }: Pick<StoreContext, "store" | "scope">): Promise<string[]> {
  await store.vectors.useModel(MODEL);
  const tiles = Array.from({ length: 120 }, (_, n) => textTile(`${(n * 7) % 60} ${n}`, { title: UNTITLED }));
  await store.tiles.createMany(
    tiles.map((tile) => ({ scope, tile })),
    T0,
  );
  const ids = tiles.map(({ id }) => id);
  await drain({ store });
  for (const id of ids.splice(0, 15)) await store.tiles.remove(scope, id, T0 + 1);
  for (;;) {
    const waiting = await store.vectors.unembedded(50, 1_000_000);
    if (waiting.length === 0) return ids;
    await store.vectors.embed(embedded(waiting));
  }
}

test("the rebuild of a search index marks the tiles of one board in steps, and the index is right after each", async (context) => {
  const { store, board, manage } = context;
  await fill(context);
  const other = await addBoard(store, manage, "Other");
  await addText({ store, scope: other.scope }, "20 7");
  await drain(context);
  expect(await store.indexRebuild.begin(board)).toBe(105);
  expect(await store.indexRebuild.unfinished()).toEqual([{ businessId: board.businessId, id: board.id, isEmptied: false }]);
  const marked: (number | null)[] = [];
  for (let step: number | null = 0; step !== null;) {
    marked.push((step = await store.indexRebuild.step(board)));
    await expectFresh(context);
    // An interrupted rebuild continues where it ended.
    if (marked.length === 2) expect(await store.indexRebuild.begin(board)).toBe(5);
  }
  expect(marked.filter((count) => count !== null && count > 0)).toEqual([50, 50, 5]);
  expect(await store.indexRebuild.step(board)).toBeNull();
  expect(await store.indexRebuild.unfinished()).toEqual([]);
  expect(await store.indexRebuild.countWaiting(board)).toBe(105);
  expect(await store.indexRebuild.countWaiting(other.board)).toBe(0);
  expect(await store.search.statistics(board.businessId, board.id)).toMatchObject({ documents: 0, totalLength: 0 });
  await drain(context);
  await expectFresh(context);
  await expectFresh({ store, board: other.board, scope: other.scope });
  expect(await store.indexRebuild.countWaiting(board)).toBe(0);
  expect((await store.vectors.unembedded(200, 1_000_000)).length).toBeGreaterThan(100);
  await expectRejection(store.indexRebuild.begin({ businessId: board.businessId, id: unknownId("brd") }), "not_found");
});

test("the rebuild of a search index runs while tiles are indexed, changed, created and deleted", async (context) => {
  const { store, board, scope } = context;
  const ids = await fill(context);
  await store.indexRebuild.begin(board);
  for (let n = 0, step: number | null = 0; step !== null; n++) {
    step = await store.indexRebuild.step(board);
    await store.tiles.update(scope, ids[n]!, { content: `30 ${n}` }, T0 + 2);
    await store.tiles.remove(scope, ids.at(-1 - n)!, T0 + 2);
    await addText(context, `40 ${n}`);
    await drain(context);
    await expectFresh(context);
  }
  expect(await store.indexRebuild.countWaiting(board)).toBe(0);
});
