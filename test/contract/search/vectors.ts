import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PassageEmbeddings } from "#domain/answers/vectors.ts";
import { addBoard, getCreated, newJob, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addText, withStore, type OpenStore, type StoreContext } from "../store-context.ts";
import { drain } from "./model.ts";
import { BYTES, embedded, createPassageEmbedding, createEmbedding, createTileVectors } from "./binary-embedding.ts";

const MODEL = "model-a";
/** Indexes and embeds until nothing is pending. */
async function embedAll({ store }: Pick<StoreContext, "store">, limit = 5): Promise<void> {
  await drain({ store });
  for (;;) {
    const tiles = await store.vectors.unembedded(limit, 1_000_000);
    if (tiles.length === 0) return;
    await store.vectors.embed(embedded(tiles));
  }
}

async function discardAll({ store }: Pick<StoreContext, "store">): Promise<void> {
  while (await store.vectors.discardStep());
}

const distance = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((sum, byte, i) => sum + (byte ^ b[i]!).toString(2).replaceAll("0", "").length, 0);

/** The nearest passages as distance, tile and position in the tile; equal distances are ordered by document. */
async function near({ store, board }: Pick<StoreContext, "store" | "board">, embedding: Uint8Array, limit: number): Promise<string[]> {
  const found = await store.vectors.nearest(board.businessId, board.id, embedding, limit);
  const sorted = found.toSorted((a, b) => a.distance - b.distance || a.document - b.document);
  expect(found).toEqual(sorted);
  const chunks = await store.search.connectedChunks(
    board.businessId,
    board.id,
    found.map(({ document }) => document),
  );
  expect(chunks.map(({ document }) => document)).toEqual(found.map(({ document }) => document));
  return found.map((one, i) => `${one.distance} ${chunks[i]!.tileId} ${chunks[i]!.start / 10}`);
}

/** The expected nearest passages, by comparing every ready tile of the board. */
async function expected({ store, scope }: Pick<StoreContext, "store" | "scope">, embedding: Uint8Array): Promise<string[]> {
  const tiles = (await store.tiles.list(scope, { order: "asc", withText: true, status: "ready" }, null, 1_000, Infinity)).tiles;
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

export function describeVectors(open: OpenStore): void {
  describe("vectors of passages", () => {
    it(
      "are found as by exhaustive comparison, after any sequence of changes",
      withStore(open, async (context) => {
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
      }),
    );

    it("are found exactly for any limit", async () => {
      await withStore(open, async (context) => {
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
      })();
    });

    it(
      "are returned as stored, those of sentences too",
      withStore(open, async (context) => {
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
      }),
    );

    it(
      "of a long tile are stored in several units of work, next to those of others",
      withStore(open, async (context) => {
        const { store } = context;
        await store.vectors.useModel(MODEL);
        await addText(context, "3 1");
        await addText(context, "1900 2");
        await addText(context, "500 3");
        await embedAll(context);
        expect((await store.tiles.counts()).indexPending).toBe(0);
        await expectExact(context);
      }),
    );

    it(
      "are never found on another board or for another business",
      withStore(open, async (context) => {
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
      }),
    );

    it(
      "of a tile that changed meanwhile are not stored; moving a tile changes no vectors",
      withStore(open, async (context) => {
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
      }),
    );

    it(
      "of another model are removed, and none are stored or found while another one is in use",
      withStore(open, async (context) => {
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
      }),
    );

    it(
      "of another model are discarded in small steps, and from where the steps were interrupted",
      withStore(open, async (context) => {
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
      }),
    );

    it(
      "are computed in turns between boards, so that neither a large board nor a long tile blocks others",
      withStore(open, async (context) => {
        const { store, manage } = context;
        await store.vectors.useModel(MODEL);
        const boards = [
          context,
          { store, ...(await addBoard(store, manage, "Two")) },
          { store, ...(await addBoard(store, manage, "Three")) },
        ];
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
      }),
    );

    it(
      "are not needed for tiles without text, which count as embedded; those of a wrong length are rejected",
      withStore(open, async (context) => {
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
      }),
    );

    it(
      "are removed with purged tiles",
      withStore(open, async (context) => {
        const { store, manage } = context;
        await store.vectors.useModel(MODEL);
        const second = await addBoard(store, manage);
        await addText({ store, scope: second.scope }, "9 1");
        await embedAll(context);
        await store.boards.remove(second.scope, T0 + 1);
        await store.purge(T0 + 2, T0 + 2);
        expect(await store.vectors.nearest(second.board.businessId, second.board.id, createEmbedding("x"), 9)).toEqual([]);
        expect(await store.vectors.embeddings(second.board.businessId, second.board.id, [0, 1, 2])).toEqual([]);
      }),
    );
  });
}
