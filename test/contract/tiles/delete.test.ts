import { expect } from "vitest";
import { ingested, getCreated, newJob, newZone, T0 } from "../../support/boards.ts";
import { addLink, addText, expectRejection, listTileIds } from "../store-context.ts";
import { test } from "../store-test.ts";

test("a deleted tile is hidden from all other methods, and can be found for restoring", async ({ store, business, scope }) => {
  const tile = await addText({ store, scope }, "Text");
  await store.tiles.remove(scope, tile.id, T0 + 10);
  expect(await store.tiles.find(business.id, tile.id)).toBeNull();
  expect(await listTileIds({ store, scope })).toEqual([]);
  await expectRejection(store.tiles.remove(scope, tile.id, T0 + 11), "not_found");
  await expectRejection(store.tiles.update(scope, tile.id, { title: "Late" }, T0 + 11), "not_found");
  expect(await store.tiles.findDeletedHead(business.id, tile.id, T0 + 9)).toMatchObject({ id: tile.id, textBytes: "Text".length });
  expect(await store.tiles.findDeletedHead(business.id, tile.id, T0 + 10)).toBeNull();
});

test("a deleted tile is restored unchanged, at its position", async ({ store, business, scope }) => {
  const tile = await addText({ store, scope }, "Text", { externalId: "a", title: "Title", titleOverridden: true });
  const before = (await store.tiles.find(business.id, tile.id))!;
  const later = await addText({ store, scope }, "Later");
  await store.tiles.remove(scope, tile.id, T0 + 1);
  const restored = await store.tiles.restore(scope, tile.id, newJob(), T0 + 2);
  expect(restored).toEqual({ ...before, version: restored.version, updatedAt: T0 + 2 });
  expect(await listTileIds({ store, scope })).toEqual([tile.id, later.id]);
  expect(await store.queue.nextDue()).toBeNull();
});

test("a deleted tile that is restored twice concurrently is restored once, with all its data", async ({ store, business, scope }) => {
  const tile = await addText({ store, scope }, "Text", { externalId: "a" });
  await store.tiles.remove(scope, tile.id, T0 + 1);
  await Promise.all([1, 2].map(() => store.tiles.restore(scope, tile.id, newJob(), T0 + 2)));
  expect(await store.tiles.find(business.id, tile.id)).toMatchObject({ externalId: "a", extractedText: "Text", status: "ready" });
});

test("a deleted tile that was processing gets a new job when restored, and the old one stays lost", async ({ store, business, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/");
  const [held] = await store.queue.claim(1, 1, T0);
  await store.tiles.remove(scope, tile.id, T0 + 1);
  expect(await store.queue.complete(held!, ingested("Too late"), T0 + 2)).toBe(false);
  expect(await store.queue.nextDue()).toBeNull();
  await store.tiles.restore(scope, tile.id, newJob("one.example"), T0 + 3);
  expect(await store.queue.complete(held!, ingested("Too late"), T0 + 4)).toBe(false);
  const [again] = await store.queue.claim(1, 1, T0 + 5);
  expect(again).toMatchObject({ tileId: tile.id, attempt: 1 });
  expect(await store.tiles.find(business.id, tile.id)).toMatchObject({ status: "processing", extractedText: "" });
});

test("a deleted tile cannot be restored before its zone", async ({ store, business, scope }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const tile = await addText({ store, scope }, "Text", { zoneId: zone.id });
  await store.tiles.remove(scope, tile.id, T0 + 1);
  await store.zones.remove(scope, zone.id, T0 + 2);
  await expectRejection(store.tiles.restore(scope, tile.id, newJob(), T0 + 3), "conflict");
  expect(await store.tiles.find(business.id, tile.id)).toBeNull();
  await store.zones.restore(scope, zone.id, () => newJob(), T0 + 4);
  expect(await store.tiles.restore(scope, tile.id, newJob(), T0 + 5)).toMatchObject({ id: tile.id, zoneId: zone.id });
});
