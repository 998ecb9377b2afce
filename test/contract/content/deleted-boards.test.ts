import { expect } from "vitest";
import { addBoard, getCreated, newZone, seedBusiness, T0 } from "../../support/boards.ts";
import { addText, expectRejection } from "../store-context.ts";
import { test } from "../store-test.ts";

test("boards are deleted with their content, and accept nothing new", async ({ store, business, manage }) => {
  const { board, scope } = await addBoard(store, manage);
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const tile = await addText({ store, scope }, "Text", { zoneId: zone.id });
  await store.boards.remove(scope, T0 + 10);
  expect(await store.boards.find(business.id, board.id)).toBeNull();
  expect((await store.boards.list(business.id)).map(({ id }) => id)).not.toContain(board.id);
  expect(await store.zones.find(business.id, zone.id)).toBeNull();
  expect(await store.tiles.find(business.id, tile.id)).toBeNull();
  await expectRejection(store.zones.create(scope, newZone("Late"), T0 + 11), "not_found");
  await expectRejection(addText({ store, scope }, "Late"), "not_found");
  await expectRejection(store.boards.update(scope, { name: "Late" }, T0 + 11), "not_found");
  await expectRejection(store.boards.remove(scope, T0 + 11), "not_found");
});

test("boards can be found after deletion only within the restore period, by their own business", async ({ store, business, manage }) => {
  const other = await seedBusiness(store, "Other Lab");
  const { board, scope } = await addBoard(store, manage);
  expect(await store.boards.findDeleted(business.id, board.id, 0)).toBeNull();
  await store.boards.remove(scope, T0 + 10);
  expect(await store.boards.findDeleted(business.id, board.id, T0 + 9)).toMatchObject({ id: board.id });
  expect(await store.boards.findDeleted(business.id, board.id, T0 + 10)).toBeNull();
  expect(await store.boards.findDeleted(other.business.id, board.id, 0)).toBeNull();
  const later = await addBoard(store, manage, "Later");
  expect(await store.boards.listDeleted(business.id, T0 + 10)).toEqual([]);
  await store.boards.remove(later.scope, T0 + 11);
  const listed = await store.boards.listDeleted(business.id, T0 + 9);
  expect(listed.map(({ name, deletedAt }) => [name, deletedAt])).toEqual([
    ["Later", T0 + 11],
    [board.name, T0 + 10],
  ]);
  expect(await store.boards.listDeleted(business.id, T0 + 10)).toMatchObject([{ id: later.board.id }]);
  expect(await store.boards.listDeleted(other.business.id, 0)).toEqual([]);
});

test("boards are restored completely, at their position in the list", async ({ store, business, board: main, manage }) => {
  const { board, scope } = await addBoard(store, manage);
  const last = await addBoard(store, manage, "Third board");
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const tile = await addText({ store, scope }, "Text", { zoneId: zone.id });
  const gone = await addText({ store, scope }, "Deleted before");
  await store.tiles.remove(scope, gone.id, T0 + 5);
  await store.boards.remove(scope, T0 + 10);
  const restored = await store.boards.restore(scope, T0 + 20);
  expect(restored).toMatchObject({ id: board.id, name: board.name, slug: board.slug, isDefault: false });
  expect((await store.boards.list(business.id)).map(({ id }) => id)).toEqual([main.id, board.id, last.board.id]);
  expect(await store.zones.find(business.id, zone.id)).toEqual(zone);
  expect(await store.tiles.find(business.id, tile.id)).toEqual(tile);
  expect(await store.tiles.find(business.id, gone.id)).toBeNull();
});
