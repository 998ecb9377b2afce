import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { PassageEmbeddings } from "#domain/answers/vectors.ts";
import { addBoard, getCreated, newJob, newZone, seedBusiness, T0 } from "../../support/boards.ts";
import { addText, type StoreContext } from "../store-context.ts";
import { drain } from "./model.ts";
import { BYTES, embedded, createPassageEmbedding, createEmbedding, createTileVectors } from "./binary-embedding.ts";
import { MODEL, embedAll, distance, near } from "./nearest.ts";
import { test, withStore } from "../store-test.ts";

/** The expected nearest passages, by comparing every ready tile of the board. */
async function expected({ store, scope }: Pick<StoreContext, "store" | "scope">, embedding: Uint8Array): Promise<string[]> {
  const tiles = (await store.tiles.list(scope, { order: "asc", withText: true, statuses: ["ready"] }, null, 1_000, Infinity)).tiles;
  return tiles.flatMap(({ id, extractedText }) =>
    Array.from(
      { length: Number(extractedText.split(" ")[0]) },
      (_, place) => `${distance(embedding, createPassageEmbedding(extractedText, place))} ${id} ${place}`,
    ),
  );
}

async function expectExact(context: Pick<StoreContext, "store" | "board" | "scope">, words = "a question"): Promise<void> {
  const embedding = createEmbedding(words);
  const all = await expected(context, embedding);
  expect((await near(context, embedding, all.length + 10)).sort()).toEqual(all.sort());
  const distances = all.map((line) => Number.parseInt(line, 10)).sort((a, b) => a - b);
  const few = await near(context, embedding, 7);
  expect(few.map((line) => Number.parseInt(line, 10))).toEqual(distances.slice(0, 7));
}

test("vectors of passages are found as by exhaustive comparison, after any sequence of changes", async (context) => {
  const { store, scope } = context;
  await store.vectors.useModel(MODEL);
  const tiles = [];
  for (let i = 0; i < 9; i++) tiles.push(await addText(context, `${300 + i * 60} ${i}`));
  await embedAll(context);
  await expectExact(context);
  await store.tiles.update(scope, tiles[1]!.id, { content: "40 77" }, T0 + 1);
  for (const i of [0, 2, 3, 4, 5]) await store.tiles.remove(scope, tiles[i]!.id, T0 + 2);
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0 + 2));
  await store.tiles.update(scope, tiles[6]!.id, { zoneId: zone.id }, T0 + 2);
  await embedAll(context);
  await expectExact(context);
  await store.tiles.restore(scope, tiles[3]!.id, newJob(), T0 + 3);
  await store.tiles.update(scope, tiles[7]!.id, { title: "A new title" }, T0 + 3);
  await embedAll(context, 1);
  await expectExact(context, "another question");
  expect((await store.tiles.counts()).indexPending).toBe(0);
});

it("vectors of passages are found exactly for any limit", async () => {
  await withStore(async (context) => {
    await context.store.vectors.useModel(MODEL);
    await addText(context, "200 1");
    await embedAll(context);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: BYTES, maxLength: BYTES }), fc.nat(250), async (embedding, limit) => {
        const all = (await expected(context, embedding)).map((line) => Number.parseInt(line, 10)).sort((a, b) => a - b);
        const found = await near(context, embedding, limit);
        expect(found.map((line) => Number.parseInt(line, 10))).toEqual(all.slice(0, limit));
      }),
      { numRuns: 20 },
    );
  });
});

test("vectors of passages are returned as stored, those of sentences too", async (context) => {
  const { store, board } = context;
  await store.vectors.useModel(MODEL);
  await addText(context, "5 1");
  await drain(context);
  const tiles = await store.vectors.unembedded(9, 1_000);
  await store.vectors.embed(embedded(tiles));
  const wanted = createTileVectors(tiles[0]!);
  const documents = wanted.map(({ document }) => document);
  const plain = (list: readonly PassageEmbeddings[]) =>
    list.map(({ document, passage, sentences }) => [document, [...passage], [...sentences]]);
  const found = await store.vectors.embeddings(board.businessId, board.id, [...documents, 4_000]);
  expect(plain(found)).toEqual(plain(wanted));
  expect(plain(await store.vectors.embeddings(board.businessId, board.id, documents, MODEL))).toEqual(plain(wanted));
  expect(await store.vectors.embeddings(board.businessId, board.id, documents, "model-b")).toEqual([]);
  expect(await store.vectors.embeddings(board.businessId, "brd_nobody", documents)).toEqual([]);
});

test("vectors of a long tile are stored in several units of work, next to those of others", async (context) => {
  const { store } = context;
  await store.vectors.useModel(MODEL);
  await addText(context, "3 1");
  await addText(context, "1900 2");
  await addText(context, "500 3");
  await embedAll(context);
  expect((await store.tiles.counts()).indexPending).toBe(0);
  await expectExact(context);
});

test("vectors of passages are never found on another board or for another business", async (context) => {
  const { store, manage, board } = context;
  await store.vectors.useModel(MODEL);
  const second = await addBoard(store, manage);
  const other = await seedBusiness(store, "Other Lab");
  await addText(context, "30 1");
  await addText({ store, scope: second.scope }, "30 1");
  await addText({ store, scope: other.scope }, "30 1");
  await embedAll(context);
  await expectExact(context);
  await expectExact({ store, ...second });
  expect(await store.vectors.nearest(other.business.id, board.id, createEmbedding("x"), 9)).toEqual([]);
  expect(await store.vectors.embeddings(other.business.id, board.id, [0, 1, 2])).toEqual([]);
});

test("vectors of a tile that changed meanwhile are not stored; moving a tile changes no vectors", async (context) => {
  const { store, scope } = context;
  await store.vectors.useModel(MODEL);
  const kept = await addText(context, "3 1");
  const changed = await addText(context, "3 2");
  const deleted = await addText(context, "3 3");
  await drain(context);
  const read = await store.vectors.unembedded(9, 1_000);
  expect(read.map(({ tileId }) => tileId)).toEqual([kept.id, changed.id, deleted.id]);
  await store.tiles.update(scope, changed.id, { content: "4 9" }, T0 + 1);
  await store.tiles.remove(scope, deleted.id, T0 + 1);
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0 + 1));
  await store.tiles.update(scope, kept.id, { zoneId: zone.id }, T0 + 1);
  await drain(context);
  await store.tiles.restore(scope, deleted.id, newJob(), T0 + 2);
  await drain(context);
  await store.vectors.embed(embedded(read));
  expect((await near(context, createEmbedding("x"), 99)).map((line) => line.split(" ")[1])).toEqual([kept.id, kept.id, kept.id]);
  const left = await store.vectors.unembedded(9, 1_000);
  expect(left.map(({ tileId }) => tileId).sort()).toEqual([changed.id, deleted.id].sort());
  expect((await store.tiles.counts()).indexPending).toBe(2);
  await store.vectors.embed(embedded(left));
  await expectExact(context);
});
