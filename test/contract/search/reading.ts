import { describe, expect, it } from "vitest";
import { addBoard, ingested, getCreated, newJob, newZone, seedBusiness, T0 } from "../../support/boards.ts";
import { addLink, addText, withStore, type OpenStore, type StoreContext } from "../store-context.ts";
import { drain, expectFresh, indexed } from "./model.ts";

/** The tiles that may be read for chat, by each method. */
async function listReadable({ store, board, scope }: Pick<StoreContext, "store" | "board" | "scope">): Promise<string[]> {
  const ids = (await store.tiles.list(scope, { order: "asc", withText: false }, null, 1_000, 1_000)).tiles.map(({ id }) => id);
  const tiles = (await store.search.connectedTiles(board.businessId, board.id, ids)).map(({ id }) => id);
  const documents = Array.from({ length: 500 }, (_, i) => i);
  const chunks = new Set((await store.search.connectedChunks(board.businessId, board.id, documents)).map(({ tileId }) => tileId));
  for (const { tileId } of await store.search.pendingConnected(board.businessId, board.id, 10_000_000)) chunks.add(tileId);
  expect([...chunks].sort()).toEqual(tiles.toSorted());
  expect(await store.search.hasConnected(board.businessId, board.id)).toBe(tiles.length > 0);
  return tiles;
}

export function describeSearchReading(open: OpenStore): void {
  describe("content for chat", () => {
    it(
      "is every ready tile outside zones or in a connected zone, with the current flag",
      withStore(open, async (context) => {
        const { store, scope } = context;
        expect(await listReadable(context)).toEqual([]);
        const on = getCreated(await store.zones.create(scope, newZone("On"), T0));
        const off = getCreated(await store.zones.create(scope, newZone("Off", { connectedToChat: false }), T0));
        const outside = await addText(context, "3 1");
        const inOn = await addText(context, "3 2", { zoneId: on.id });
        const inOff = await addText(context, "3 3", { zoneId: off.id });
        for (const isIndexed of [false, true]) {
          if (isIndexed) await drain(context);
          expect(await listReadable(context)).toEqual([outside.id, inOn.id]);
          await store.zones.update(scope, on.id, { connectedToChat: false }, T0 + 1);
          expect(await listReadable(context)).toEqual([outside.id]);
          await store.zones.update(scope, off.id, { connectedToChat: true }, T0 + 1);
          expect(await listReadable(context)).toEqual([outside.id, inOff.id]);
          await store.zones.update(scope, on.id, { connectedToChat: true }, T0 + 2);
          await store.zones.update(scope, off.id, { connectedToChat: false }, T0 + 2);
        }
        await store.tiles.update(scope, inOff.id, { zoneId: null }, T0 + 3);
        await store.tiles.update(scope, outside.id, { zoneId: off.id }, T0 + 3);
        expect(await listReadable(context)).toEqual([inOn.id, inOff.id]);
      }),
    );

    it(
      "excludes tiles that are processing, failed or deleted, also with their zone",
      withStore(open, async (context) => {
        const { store, board, scope } = context;
        const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
        const inZone = await addText(context, "3 1", { zoneId: zone.id });
        const alone = await addText(context, "3 2");
        const link = await addLink(context, "https://one.example/");
        await drain(context);
        expect(await listReadable(context)).toEqual([inZone.id, alone.id]);
        const [job] = await store.queue.claim(1, 1, T0);
        await store.queue.complete(job!, ingested("3 3"), T0);
        expect(await listReadable(context)).toEqual([inZone.id, alone.id, link.id]);
        await drain(context);
        expect(await listReadable(context)).toEqual([inZone.id, alone.id, link.id]);
        await store.tiles.retry(scope, link.id, newJob(), T0 + 1);
        expect(await listReadable(context)).toEqual([inZone.id, alone.id]);
        const gone = { code: "x", message: "Gone.", stage: "fetch", retryable: false, attempts: 1 };
        const [again] = await store.queue.claim(1, 1, T0 + 2);
        await store.queue.fail(again!, gone, T0 + 2);
        // A tile keeps its text if it cannot be read again.
        expect(await listReadable(context)).toEqual([inZone.id, alone.id, link.id]);
        await store.tiles.remove(scope, link.id, T0 + 2);
        await addLink(context, "https://two.example/", {}, T0 + 2);
        const [never] = await store.queue.claim(1, 1, T0 + 2);
        await store.queue.fail(never!, gone, T0 + 2);
        expect(await listReadable(context)).toEqual([inZone.id, alone.id]);
        await store.zones.remove(scope, zone.id, T0 + 3);
        expect(await listReadable(context)).toEqual([alone.id]);
        await store.tiles.remove(scope, alone.id, T0 + 4);
        expect(await listReadable(context)).toEqual([]);
        const ids = [inZone.id, alone.id, link.id];
        expect(await store.search.connectedTiles(board.businessId, board.id, ids)).toEqual([]);
        await store.zones.restore(scope, zone.id, () => newJob(), T0 + 5);
        expect(await listReadable(context)).toEqual([inZone.id]);
      }),
    );

    it(
      "excludes other boards and businesses",
      withStore(open, async (context) => {
        const { store, business, board, manage } = context;
        const second = await addBoard(store, manage);
        const other = await seedBusiness(store, "Other Lab");
        const tile = await addText(context, "3 1");
        for (const isIndexed of [false, true]) {
          if (isIndexed) await drain(context);
          for (const [businessId, boardId] of [
            [business.id, second.board.id],
            [other.business.id, other.board.id],
            [other.business.id, board.id],
            [business.id, "brd_unknown"],
          ] as const) {
            expect(await store.search.connectedTiles(businessId, boardId, [tile.id])).toEqual([]);
            expect(await store.search.connectedChunks(businessId, boardId, [0, 1, 2])).toEqual([]);
            expect(await store.search.pendingConnected(businessId, boardId, 10_000_000)).toEqual([]);
            expect(await store.search.hasConnected(businessId, boardId)).toBe(false);
          }
        }
      }),
    );

    it(
      "is read with its text and title",
      withStore(open, async ({ store, board, scope }) => {
        const tile = await addText({ store, scope }, "3 1", { title: "Title" });
        const text = { title: "Title", languageHint: null };
        const version = { businessId: board.businessId, boardId: board.id, tileId: tile.id, version: tile.version };
        expect(await store.search.pendingConnected(board.businessId, board.id, 10_000_000)).toEqual([{ ...version, bytes: 3 }]);
        expect(await store.search.pendingTexts([version], 1_000)).toEqual([{ ...version, text: "3 1", ...text }]);
        expect(await store.search.pendingTexts([version], 2)).toEqual([{ ...version, text: "3 ", ...text }]);
        expect(await store.search.pendingTexts([{ ...version, version: tile.version + 1 }], 1_000)).toEqual([]);
        expect(await store.search.connectedTiles(board.businessId, board.id, [tile.id])).toEqual([
          { id: tile.id, version: tile.version, type: "TEXT", sourceUrl: null, extractedText: "3 1", ...text },
        ]);
      }),
    );
  });

  describe("unindexed tiles of a question", () => {
    it(
      "are the newest in order of creation, limited in bytes, at least one, and match the filter",
      withStore(open, async ({ store, board, scope }) => {
        const [first, second, third] = [
          await addText({ store, scope }, "1 1"),
          await addText({ store, scope }, `2 ${"ü".repeat(200)}`),
          await addText({ store, scope }, `3 ${"ü".repeat(200)}`),
        ];
        const waiting = async (bytes: number, filter = {}) =>
          (await store.search.pendingConnected(board.businessId, board.id, bytes, filter)).map(({ tileId }) => tileId);
        expect(await waiting(1_004)).toEqual([first.id, second.id, third.id]);
        expect(await waiting(804)).toEqual([second.id, third.id]);
        expect(await waiting(803)).toEqual([third.id]);
        expect(await waiting(0)).toEqual([third.id]);
        expect(await waiting(1_000, { type: "PDF" })).toEqual([]);
        expect(await waiting(2_000, { type: "TEXT", createdSince: 0 })).toHaveLength(3);
        expect(await waiting(1_000, { createdBefore: 1 })).toEqual([]);
      }),
    );
  });

  describe("tiles to index", () => {
    it(
      "are oldest first, limited in number and characters, at least one",
      withStore(open, async ({ store, scope }) => {
        const tiles = [];
        for (let i = 0; i < 6; i++) tiles.push(await addText({ store, scope }, "x".repeat(100)));
        const ids = tiles.map(({ id }) => id);
        expect((await store.search.pending(4, 10_000)).map(({ tileId }) => tileId)).toEqual(ids.slice(0, 4));
        expect((await store.search.pending(9, 250)).map(({ tileId }) => tileId)).toEqual(ids.slice(0, 3));
        expect((await store.search.pending(9, 1)).map(({ tileId }) => tileId)).toEqual(ids.slice(0, 1));
        expect(await store.tiles.counts()).toEqual({ processing: 0, indexPending: 6 });
      }),
    );

    it(
      "are those of all businesses in equal shares, and in turn",
      withStore(open, async (context) => {
        const { store, business } = context;
        const other = await seedBusiness(store, "Other Lab");
        for (let i = 0; i < 6; i++) {
          await addText(context, `3 ${i}`);
          await addText({ store, scope: other.scope }, `3 ${i}`);
        }
        const names = new Map([business.id, other.business.id].sort().map((id, at) => [id, at]));
        const take = async (limit: number, bytes = 1_000) =>
          (await store.search.pending(limit, bytes)).map(({ businessId }) => names.get(businessId)!).join("");
        expect([await take(4), await take(4), await take(1), await take(1)]).toEqual(["0011", "1100", "0", "1"]);
        expect(await take(9, 1)).toHaveLength(2);
      }),
    );

    it(
      "are those whose text changed, not those only moved",
      withStore(open, async (context) => {
        const { store, scope } = context;
        const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
        const tile = await addText(context, "3 1");
        await drain(context);
        const waiting = async () => (await store.search.pending(9, 9_999)).map(({ tileId }) => tileId);
        expect(await waiting()).toEqual([]);
        await store.tiles.update(scope, tile.id, { zoneId: zone.id, sortOrder: 4 }, T0 + 1);
        await store.zones.update(scope, zone.id, { connectedToChat: false }, T0 + 1);
        expect(await waiting()).toEqual([]);
        await store.tiles.update(scope, tile.id, { title: "Other" }, T0 + 2);
        expect(await waiting()).toEqual([tile.id]);
        await drain(context);
        await store.tiles.update(scope, tile.id, { content: "4 2" }, T0 + 3);
        expect(await waiting()).toEqual([tile.id]);
        await store.tiles.remove(scope, tile.id, T0 + 4);
        expect(await waiting()).toEqual([]);
      }),
    );

    it(
      "stay pending if they change during analysis, and the old analysis is not stored",
      withStore(open, async (context) => {
        const { store, board, scope } = context;
        const changed = await addText(context, "5 1");
        const deleted = await addText(context, "6 2");
        const kept = await addText(context, "7 3");
        const work = indexed(await store.search.pending(9, 9_999));
        await store.tiles.update(scope, changed.id, { content: "8 4" }, T0 + 1);
        await store.tiles.remove(scope, deleted.id, T0 + 1);
        await store.search.index(work);
        expect((await store.search.statistics(board.businessId, board.id)).documents).toBe(7);
        expect((await store.search.pending(9, 9_999)).map(({ tileId }) => tileId)).toEqual([changed.id]);
        await expectFresh(context);
        await drain(context);
        await store.search.index(work);
        await store.search.index([...work, ...work]);
        expect((await store.search.statistics(board.businessId, board.id)).documents).toBe(15);
        await expectFresh(context);
        expect(await listReadable(context)).toEqual([changed.id, kept.id]);
      }),
    );

    it(
      "that occur twice in a batch are stored once",
      withStore(open, async (context) => {
        await addText(context, "5 1");
        const work = indexed(await context.store.search.pending(9, 9_999));
        await Promise.all([context.store.search.index([...work, ...work]), context.store.search.index(work)]);
        await expectFresh(context);
        await context.store.search.index([]);
      }),
    );
  });
}
