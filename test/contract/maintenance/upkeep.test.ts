import { expect } from "vitest";
import { addBoard, getCreated, newJob, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addLink, addText, expectRejection, listTileIds } from "../store-context.ts";
import { test } from "../store-test.ts";

test("counts include the running work of all businesses", async ({ store, scope }) => {
  await store.ping();
  await store.probe();
  const other = await seedBusiness(store, "Other Lab");
  await addText({ store, scope }, "Text");
  await addLink({ store, scope: other.scope }, "https://one.example/");
  const gone = await addLink({ store, scope }, "https://two.example/");
  expect(await store.tiles.counts()).toEqual({ processing: 2, indexPending: 1 });
  await store.tiles.remove(scope, gone.id, T0);
  expect(await store.tiles.counts()).toEqual({ processing: 1, indexPending: 1 });
});

test("a purge erases what was deleted before the given time, and nothing else", async ({ store, business, scope }) => {
  const early = getCreated(await store.zones.create(scope, newZone("Early"), T0));
  const late = getCreated(await store.zones.create(scope, newZone("Late"), T0));
  const inEarly = await addText({ store, scope }, "In early", { zoneId: early.id });
  const inLate = await addText({ store, scope }, "In late", { zoneId: late.id });
  const alone = await addText({ store, scope }, "Alone");
  const kept = await addText({ store, scope }, "Kept");
  await store.zones.remove(scope, early.id, T0 + 10);
  await store.tiles.remove(scope, alone.id, T0 + 10);
  await store.zones.remove(scope, late.id, T0 + 20);
  expect(await store.purge(T0 + 15, T0 + 30)).toBe(3);
  expect(await store.zones.findDeleted(business.id, early.id, 0)).toBeNull();
  expect(await store.tiles.findDeletedHead(business.id, inEarly.id, 0)).toBeNull();
  expect(await store.tiles.findDeletedHead(business.id, alone.id, 0)).toBeNull();
  expect(await store.tiles.findDeletedHead(business.id, inLate.id, 0)).toMatchObject({ id: inLate.id });
  expect(await listTileIds({ store, scope })).toEqual([kept.id]);
  await store.zones.restore(scope, late.id, () => newJob(), T0 + 31);
  expect(await listTileIds({ store, scope })).toEqual([inLate.id, kept.id]);
  expect(await store.purge(T0 + 15, T0 + 32)).toBe(0);
});

test("a purge erases the content of a board deleted long ago, and keeps its slug reserved", async ({ store, manage, scope }) => {
  const { board, scope: gone } = await addBoard(store, manage, "Gone");
  const zone = getCreated(await store.zones.create(gone, newZone("Zone"), T0));
  await store.tiles.createMany(
    Array.from({ length: 620 }, (_, i) => ({ scope: gone, tile: textTile(`Text ${i}`, { zoneId: zone.id }) })),
    T0,
  );
  await addLink({ store, scope: gone }, "https://one.example/");
  const kept = await addText({ store, scope }, "Kept");
  await store.boards.remove(gone, T0 + 10);
  expect(await store.purge(T0 + 5, T0 + 20)).toBe(0);
  expect(await store.purge(T0 + 15, T0 + 20)).toBeGreaterThanOrEqual(621);
  expect(await listTileIds({ store, scope: gone })).toEqual([]);
  expect(await store.tiles.counts()).toEqual({ processing: 0, indexPending: 1 });
  expect(await store.queue.nextDue()).toBeNull();
  expect(await store.search.statistics(board.businessId, board.id)).toMatchObject({ documents: 0, totalLength: 0 });
  expect(await listTileIds({ store, scope })).toEqual([kept.id]);
  expect((await addBoard(store, manage, "Gone")).board.slug).toBe("gone-2");
});

test("a purge erases the content of a discarded board at any time, and frees its slug", async ({
  store,
  board: main,
  business,
  manage,
  scope,
}) => {
  const { board, scope: begun } = await addBoard(store, manage, "Begun");
  const empty = await addBoard(store, manage, "Zones alone");
  const zone = getCreated(await store.zones.create(begun, newZone("Zone"), T0));
  const alone = getCreated(await store.zones.create(empty.scope, newZone("Alone"), T0));
  await addText({ store, scope: begun }, "Text", { zoneId: zone.id });
  const kept = await addText({ store, scope }, "Kept");
  await store.boards.discard(begun, T0 + 10);
  await store.boards.discard(empty.scope, T0 + 10);
  await expectRejection(store.boards.discard(begun, T0 + 11), "not_found");
  await expectRejection(store.boards.discard(scope, T0 + 11), "conflict");
  expect((await store.boards.list(business.id)).map(({ id }) => id)).toEqual([main.id]);
  expect(await store.boards.listDeleted(business.id, 0)).toEqual([]);
  expect(await store.boards.findDeleted(business.id, board.id, 0)).toBeNull();
  await store.purge(1, T0 + 12);
  expect(await store.purge(1, T0 + 13)).toBe(0);
  expect(await store.zones.findDeleted(business.id, alone.id, 0)).toBeNull();
  expect(await store.tiles.counts()).toEqual({ processing: 0, indexPending: 1 });
  expect(await listTileIds({ store, scope })).toEqual([kept.id]);
  expect((await addBoard(store, manage, "Begun")).board.slug).toBe("begun");
});

test("a purge of one discarded board erases nothing of another", async ({ store, manage }) => {
  const { board, scope: begun } = await addBoard(store, manage, "Begun");
  const other = await addBoard(store, manage, "Also discarded");
  await addText({ store, scope: begun }, "Text");
  await addText({ store, scope: other.scope }, "Text");
  expect(await store.purgeDiscarded(begun)).toBe(0);
  await store.boards.discard(begun, T0 + 10);
  await store.boards.discard(other.scope, T0 + 10);
  expect(await store.purgeDiscarded(begun)).toBe(1);
  expect(await store.purgeDiscarded(begun)).toBe(0);
  expect(await store.search.statistics(board.businessId, board.id)).toMatchObject({ documents: 0 });
  expect(await store.purgeDiscarded(other.scope)).toBe(1);
});

test("a purge erases expired idempotency keys only", async ({ store, business, scope }) => {
  const createIdempotencyRecord = (key: string, expiresAt: number) => ({
    businessId: business.id,
    apiKeyId: "key_1",
    path: "/tiles",
    key,
    requestHash: "h",
    expiresAt,
    render: () => "body",
  });
  await store.tiles.create(scope, textTile("Text"), T0, createIdempotencyRecord("old", T0 + 10));
  await store.tiles.create(scope, textTile("Text"), T0, createIdempotencyRecord("new", T0 + 30));
  expect(await store.purge(T0, T0 + 20)).toBe(1);
  expect(await store.tiles.create(scope, textTile("Text"), T0 + 20, createIdempotencyRecord("new", T0 + 30))).toEqual({
    replayed: true,
    body: "body",
  });
});
