import { STEP_LIMIT } from "#domain/content/changes.ts";
import { expect } from "vitest";
import type { NewTile, TileCreation } from "#domain/content/tile-store.ts";
import { addBoard, getCreated, getCreatedTile, linkTile, newJob, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addText, expectRejection, listTileIds, type StoreContext, unknownId } from "../store-context.ts";
import { test } from "../store-test.ts";

const create = async ({ store, scope }: Pick<StoreContext, "store" | "scope">, tile: NewTile, now = T0): Promise<TileCreation> =>
  getCreated(await store.tiles.create(scope, tile, now));

const SKIPPED = { tile: null, created: false, deleted: true };
const text = (externalId: string) => textTile("Again", { externalId, skipDeleted: true });
const link = (url: string, more: Partial<NewTile> = {}) => linkTile(url, { skipDeleted: true, ...more });

test("a creation that skips what was deleted makes nothing for the external id or the address of a deleted tile", async (context) => {
  const { store, scope, manage } = context;
  const note = await create(context, text("a"));
  const page = await create(context, link("https://one.example/a/?b=2&a=1"));
  expect([note.created, page.created]).toEqual([true, true]);
  expect(await create(context, text("a"))).toMatchObject({ created: false, changed: false });
  await store.tiles.remove(scope, note.tile!.id, T0 + 1);
  await store.tiles.remove(scope, page.tile!.id, T0 + 1);
  expect(await create(context, text("a"))).toEqual(SKIPPED);
  expect(await create(context, link("https://one.example/a?a=1&utm_source=feed&b=2#top"))).toEqual(SKIPPED);
  expect(await create(context, link("https://new.example/", { externalId: "a" }))).toEqual(SKIPPED);
  expect(await create(context, link("https://one.example/a?a=1&b=2", { externalId: "new" }))).toEqual(SKIPPED);
  expect(getCreated(await store.tiles.createMany([{ scope, tile: text("a") }], T0))).toEqual([SKIPPED]);
  expect(await listTileIds(context)).toEqual([]);
  expect(await store.queue.nextDue()).toBeNull();
  await expectRejection(create(context, { ...text("a"), zoneId: unknownId("zon") }), "invalid");

  const second = await addBoard(store, manage);
  const other = await seedBusiness(store, "Other Lab");
  expect(await create({ store, scope: second.scope }, text("a"))).toMatchObject({ created: true });
  expect(await create({ store, scope: other.scope }, text("a"))).toMatchObject({ created: true });
  expect(await create(context, textTile("Again", { externalId: "a" }))).toMatchObject({ created: true });
  expect(await create(context, text("a"))).toMatchObject({ created: false, changed: false });
});

test("a creation that skips what was deleted knows tiles that were deleted with their zone or by a bulk change, and forgets restored ones", async (context) => {
  const { store, scope } = context;
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  await create(context, link("https://zone.example/", { zoneId: zone.id, externalId: "z" }));
  await addText(context, "Text", { externalId: "b" });
  await store.zones.remove(scope, zone.id, T0 + 1);
  const change = (kind: "delete" | "restore") =>
    store.tiles.changeMany(
      scope,
      { filter: { externalIds: ["b"] }, action: { kind }, after: 0, limit: STEP_LIMIT, deletedAfter: T0 - 1 },
      () => newJob(),
      T0 + 1,
    );
  expect(await change("delete")).toMatchObject({ changed: 1 });
  expect(await create(context, link("https://zone.example"))).toEqual(SKIPPED);
  expect(await create(context, text("z"))).toEqual(SKIPPED);
  expect(await create(context, text("b"))).toEqual(SKIPPED);
  await store.zones.restore(scope, zone.id, () => newJob(), T0 + 2);
  expect(await change("restore")).toMatchObject({ changed: 1, lostExternalIds: [] });
  expect(await create(context, link("https://zone.example/"))).toMatchObject({ created: true });
  expect(await create(context, text("z"))).toMatchObject({ created: false, changed: true });
  expect(await create(context, text("b"))).toMatchObject({ created: false, changed: true });
});

test("a creation that skips what was deleted still knows tiles that were erased, but not those of erased boards", async (context) => {
  const { store, scope, manage } = context;
  const note = await addText(context, "Text", { externalId: "a" });
  await store.tiles.remove(scope, note.id, T0 + 1);
  expect(await store.purge(T0 + 2, T0 + 3)).toBe(1);
  expect(await create(context, text("a"))).toEqual(SKIPPED);
  const second = await addBoard(store, manage);
  const there = getCreatedTile(await store.tiles.create(second.scope, text("a"), T0));
  await store.tiles.remove(second.scope, there.id, T0 + 1);
  await addText({ store, scope: second.scope }, "Left", {});
  await store.boards.remove(second.scope, T0 + 1);
  await store.purge(T0 + 2, T0 + 3);
  await store.boards.restore(second.scope, T0 + 4);
  expect(await create({ store, scope: second.scope }, text("a"))).toMatchObject({ created: true });
});

test("a creation that skips what was deleted makes one tile for concurrent requests", async (context) => {
  const results = await Promise.all(Array.from({ length: 20 }, () => create(context, text("a"))));
  expect(results.filter(({ created }) => created)).toHaveLength(1);
  expect(await listTileIds(context)).toHaveLength(1);
});
