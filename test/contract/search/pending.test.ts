import { expect } from "vitest";
import { getCreated, newZone, seedBusiness, T0 } from "../../support/boards.ts";
import { addText } from "../store-context.ts";
import { drain, expectFresh, indexed } from "./model.ts";
import { listReadable } from "./readable.ts";
import { test } from "../store-test.ts";

test("tiles to index are oldest first, limited in number and characters, at least one", async ({ store, scope }) => {
  const tiles = [];
  for (let i = 0; i < 6; i++) tiles.push(await addText({ store, scope }, "x".repeat(100)));
  const ids = tiles.map(({ id }) => id);
  expect((await store.search.pending(4, 10_000)).map(({ tileId }) => tileId)).toEqual(ids.slice(0, 4));
  expect((await store.search.pending(9, 250)).map(({ tileId }) => tileId)).toEqual(ids.slice(0, 3));
  expect((await store.search.pending(9, 1)).map(({ tileId }) => tileId)).toEqual(ids.slice(0, 1));
  expect(await store.tiles.counts()).toEqual({ processing: 0, indexPending: 6 });
});

test("tiles to index are those of all businesses in equal shares, and in turn", async (context) => {
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
});

test("tiles to index are those whose text changed, not those only moved", async (context) => {
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
});

test("tiles to index stay pending if they change during analysis, and the old analysis is not stored", async (context) => {
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
});

test("tiles that occur twice in a batch of the index are stored once", async (context) => {
  await addText(context, "5 1");
  const work = indexed(await context.store.search.pending(9, 9_999));
  await Promise.all([context.store.search.index([...work, ...work]), context.store.search.index(work)]);
  await expectFresh(context);
  await context.store.search.index([]);
});
