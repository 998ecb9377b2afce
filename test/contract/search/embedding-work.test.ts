import { expect } from "vitest";
import { addBoard, T0 } from "../../support/boards.ts";
import { addText } from "../store-context.ts";
import { drain } from "./model.ts";
import { createEmbedding } from "./binary-embedding.ts";
import { MODEL, embedAll, near } from "./nearest.ts";
import { test } from "../store-test.ts";

test("vectors are computed in turns between boards, so that neither a large board nor a long tile blocks others", async (context) => {
  const { store, manage } = context;
  await store.vectors.useModel(MODEL);
  const boards = [context, { store, ...(await addBoard(store, manage, "Two")) }, { store, ...(await addBoard(store, manage, "Three")) }];
  const names = new Map<string, string>();
  for (const [b, on] of boards.entries()) for (let i = 0; i < 3; i++) names.set((await addText(on, `${i + 1} ${b}`)).id, `${b}:${i}`);
  await drain(context);
  const turn = async (limit: number, characters = 1_000) =>
    (await store.vectors.unembedded(limit, characters)).map(({ tileId }) => names.get(tileId)!);
  const first = await turn(6);
  expect(new Set(first.slice(0, 3).map((name) => name[0])).size).toBe(3);
  expect(first.map((name) => name[2])).toEqual(["0", "0", "0", "1", "1", "1"]);
  // Although nothing is embedded, each board gets its turn.
  const seen = new Set<string>();
  for (let i = 0; i < 9; i++) for (const name of await turn(1)) seen.add(name);
  expect(seen.size).toBe(9);
  // At least one tile, whatever its length.
  expect(await turn(5, 1)).toHaveLength(1);
});

test("vectors are not needed for tiles without text, which count as embedded; those of a wrong length are rejected", async (context) => {
  const { store } = context;
  await store.vectors.useModel(MODEL);
  await addText(context, "0 1");
  await addText(context, "2 1");
  await drain(context);
  const tiles = await store.vectors.unembedded(9, 1_000);
  const [document] = tiles.flatMap(({ chunks }) => chunks.map((chunk) => chunk.document));
  const wrong = (passage: Uint8Array, sentences: Uint8Array) =>
    store.vectors.embed([{ tile: tiles.at(-1)!, embeddings: [{ document: document!, passage, sentences }] }]);
  await expect(wrong(new Uint8Array(7), new Uint8Array(0))).rejects.toThrow(/embedding/);
  await expect(wrong(new Uint8Array(8), new Uint8Array(9))).rejects.toThrow(/embedding/);
  await expect(wrong(new Uint8Array(0), new Uint8Array(0))).rejects.toThrow(/embedding/);
  await store.vectors.embed(tiles.map((tile) => ({ tile, embeddings: [] })));
  expect((await store.tiles.counts()).indexPending).toBe(0);
  expect(await store.vectors.unembedded(9, 1_000)).toEqual([]);
  await expect(near(context, createEmbedding("x"), 9)).resolves.toEqual([]);
});

test("vectors are removed with purged tiles", async (context) => {
  const { store, manage } = context;
  await store.vectors.useModel(MODEL);
  const second = await addBoard(store, manage);
  await addText({ store, scope: second.scope }, "9 1");
  await embedAll(context);
  await store.boards.remove(second.scope, T0 + 1);
  await store.purge(T0 + 2, T0 + 2);
  expect(await store.vectors.nearest(second.board.businessId, second.board.id, createEmbedding("x"), 9)).toEqual([]);
  expect(await store.vectors.embeddings(second.board.businessId, second.board.id, [0, 1, 2])).toEqual([]);
});
