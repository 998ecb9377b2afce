import { expect } from "vitest";
import { addBoard, T0, textTile } from "../../support/boards.ts";
import { addText, type StoreContext } from "../store-context.ts";
import { drain } from "./model.ts";
import { createEmbedding } from "./binary-embedding.ts";
import { MODEL, embedAll } from "./nearest.ts";
import { test } from "../store-test.ts";

async function discardAll({ store }: Pick<StoreContext, "store">): Promise<void> {
  while (await store.vectors.discardStep());
}

test("vectors of another model are removed, and none are stored or found while another one is in use", async (context) => {
  const { store, board } = context;
  await addText(context, "6 1");
  await drain(context);
  expect(await store.vectors.unembedded(9, 1_000)).toEqual([]);
  expect((await store.tiles.counts()).indexPending).toBe(0);
  await store.vectors.useModel(MODEL);
  expect((await store.tiles.counts()).indexPending).toBe(1);
  await embedAll(context);
  const find = (model?: string) => store.vectors.nearest(board.businessId, board.id, createEmbedding("x"), 9, model);
  expect(await find(MODEL)).toHaveLength(6);
  expect(await find("model-b")).toEqual([]);
  await store.vectors.useModel(null);
  expect(await store.vectors.unembedded(9, 1_000)).toEqual([]);
  expect(await find(MODEL)).toEqual([]);
  await addText(context, "6 2");
  await drain(context);
  expect((await store.tiles.counts()).indexPending).toBe(0);
  await store.vectors.useModel(MODEL);
  expect(await find(MODEL)).toHaveLength(6);
  expect((await store.vectors.unembedded(9, 1_000)).map(({ text }) => text)).toEqual(["6 2"]);
  await store.vectors.useModel("model-b");
  expect(await find()).toEqual([]);
  expect(await store.vectors.embeddings(board.businessId, board.id, [0, 1, 2])).toEqual([]);
  await discardAll(context);
  const tiles = await store.vectors.unembedded(9, 1_000);
  expect(tiles).toHaveLength(2);
  const wide = tiles.map((tile) => ({
    tile,
    embeddings: tile.chunks.map(({ document }) => ({
      document,
      passage: createEmbedding(`wide ${document}`, 16),
      sentences: new Uint8Array(0),
    })),
  }));
  await store.vectors.embed(wide);
  expect(await store.vectors.nearest(board.businessId, board.id, createEmbedding("wide 3", 16), 1, "model-b")).toEqual([
    { document: 3, distance: 0 },
  ]);
  // An embedding of another length belongs to another model.
  expect(await find()).toEqual([]);
});

test("vectors of another model are discarded in small steps, and from where the steps were interrupted", async (context) => {
  const { store, scope, manage, board } = context;
  await store.vectors.useModel(MODEL);
  const second = await addBoard(store, manage);
  await addText({ store, scope: second.scope }, "3 1");
  const items = Array.from({ length: 450 }, (_, i) => ({ scope, tile: textTile(`1 ${i}`) }));
  await store.tiles.createMany(items, T0);
  await drain(context, 100);
  await embedAll(context, 100);
  const countPending = async () => (await store.tiles.counts()).indexPending;
  const find = () => store.vectors.nearest(board.businessId, board.id, createEmbedding("x"), 9);
  expect(await find()).toHaveLength(9);
  await store.vectors.useModel("model-b");
  expect(await countPending()).toBe(0);
  let pending = 0;
  for (let steps = 1; await store.vectors.discardStep(); steps++) {
    const now = await countPending();
    expect(now - pending).toBeLessThanOrEqual(200);
    pending = now;
    expect(await find()).toEqual([]);
    if (now < 450) expect((await store.vectors.unembedded(9, 1_000)).length).toBeLessThanOrEqual(1);
    // As a process that starts after another one was killed, which begins nothing anew.
    await store.vectors.useModel("model-b");
    expect(await countPending()).toBe(now);
    expect(steps).toBeLessThan(20);
  }
  expect(pending).toBe(451);
  await embedAll(context, 100);
  expect(await find()).toHaveLength(9);
  expect(await countPending()).toBe(0);
  expect(await store.vectors.discardStep()).toBe(false);
});
