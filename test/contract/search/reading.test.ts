import { expect } from "vitest";
import { addBoard, ingested, getCreated, newJob, newZone, seedBusiness, T0 } from "../../support/boards.ts";
import { addLink, addText } from "../store-context.ts";
import { drain } from "./model.ts";
import { listReadable } from "./readable.ts";
import { test } from "../store-test.ts";

test("content for chat is every ready tile outside zones or in a connected zone, with the current flag", async (context) => {
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
});

test("content for chat excludes tiles that are processing, failed or deleted, also with their zone", async (context) => {
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
});

test("content for chat excludes other boards and businesses", async (context) => {
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
});

test("content for chat is read with its text and title", async ({ store, board, scope }) => {
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
});

test("unindexed tiles of a question are the newest in order of creation, limited in bytes, at least one, and match the filter", async ({
  store,
  board,
  scope,
}) => {
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
});
