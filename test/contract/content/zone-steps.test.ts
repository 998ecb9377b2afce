import { expect } from "vitest";
import type { StepLimit } from "#domain/content/changes.ts";
import type { Zone } from "#domain/content/zone.ts";
import { getCreated, newJob, newZone, T0 } from "../../support/boards.ts";
import { addText, expectRejection, listTileIds, type StoreContext } from "../store-context.ts";
import { test } from "../store-test.ts";

const TWO_TILES: StepLimit = { tiles: 2, bytes: 1_000_000 };

/** Creates a zone with texts of this length. */
async function fillZone(context: StoreContext, count: number, length = 10): Promise<{ readonly zone: Zone; readonly ids: string[] }> {
  const zone = getCreated(await context.store.zones.create(context.scope, newZone("Large"), T0));
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await addText(context, "x".repeat(length), { zoneId: zone.id })).id);
  return { zone, ids };
}

const remove = ({ store, scope }: StoreContext, zone: Zone, now: number, limit = TWO_TILES) =>
  store.zones.remove(scope, zone.id, now, undefined, limit);
const restore = ({ store, scope }: StoreContext, zone: Zone, now: number, deletedUntil?: number) =>
  store.zones.restore(scope, zone.id, () => newJob(), now, deletedUntil, TWO_TILES);

/** Deletes or restores the whole zone. Returns the number of steps. */
async function removeAll(context: StoreContext, zone: Zone, now: number): Promise<number> {
  for (let steps = 1; ; steps++) if (await remove(context, zone, now + steps)) return steps;
}
async function restoreAll(context: StoreContext, zone: Zone, now: number): Promise<number> {
  let steps = 1;
  for (let step = await restore(context, zone, now); step.deletedUntil !== null; steps++)
    step = await restore(context, zone, now, step.deletedUntil);
  return steps;
}

test("zones with many tiles are deleted and restored in steps of a few tiles", async (context) => {
  const { store, business } = context;
  const { zone, ids } = await fillZone(context, 5);
  const goneBefore = await addText(context, "Gone before", { zoneId: zone.id });
  await store.tiles.remove(context.scope, goneBefore.id, T0);
  expect(await remove(context, zone, T0 + 1)).toBe(false);
  expect(await store.zones.find(business.id, zone.id)).toEqual(zone);
  expect(await listTileIds(context)).toEqual(ids.slice(2));
  expect(await removeAll(context, zone, T0 + 1)).toBe(2);
  expect(await listTileIds(context)).toEqual([]);
  expect(await store.zones.find(business.id, zone.id)).toBeNull();
  expect(await restoreAll(context, zone, T0 + 9)).toBe(3);
  expect(await listTileIds(context)).toEqual(ids);
});

test("zones with many tiles are deleted in steps of bounded bytes, of at least one tile each", async (context) => {
  const { zone, ids } = await fillZone(context, 4, 1_000);
  const limit = { tiles: 100, bytes: 1_500 };
  expect(await remove(context, zone, T0 + 1, limit)).toBe(false);
  expect(await listTileIds(context)).toEqual(ids.slice(2));
  expect(await remove(context, zone, T0 + 1, { tiles: 100, bytes: 1 })).toBe(false);
  expect(await listTileIds(context)).toEqual(ids.slice(3));
  expect(await remove(context, zone, T0 + 1, limit)).toBe(true);
});

test("zones whose deletion was interrupted get their tiles back, and can be deleted again", async (context) => {
  const { store, business } = context;
  const { zone, ids } = await fillZone(context, 5);
  await remove(context, zone, T0 + 1);
  expect(await restoreAll(context, zone, T0 + 2)).toBe(1);
  expect(await listTileIds(context)).toEqual(ids);
  await remove(context, zone, T0 + 3);
  expect(await removeAll(context, zone, T0 + 1_000)).toBe(2);
  expect(await store.zones.find(business.id, zone.id)).toBeNull();
  await restoreAll(context, zone, T0 + 2_000);
  expect(await listTileIds(context)).toEqual(ids);
});

test("zones whose restoring was interrupted get the rest of their tiles when it is repeated", async (context) => {
  const { store, scope, business, board } = context;
  const { zone, ids } = await fillZone(context, 5);
  await removeAll(context, zone, T0 + 1);
  await restore(context, zone, T0 + 9);
  expect(await listTileIds(context)).toHaveLength(2);
  expect(await restoreAll(context, zone, T0 + 10)).toBe(2);
  expect(await listTileIds(context)).toEqual(ids);
  const current = await store.zones.find(business.id, zone.id);
  const revisions = await store.boards.revisions(board);
  expect(await store.zones.restore(scope, zone.id, () => newJob(), T0 + 20)).toEqual({
    zone: current,
    lostExternalIds: [],
    deletedUntil: null,
  });
  expect(await store.boards.revisions(board)).toEqual(revisions);
});

test("zones are not restored further once they are deleted again, and tiles that are deleted meanwhile stay deleted", async (context) => {
  const { zone, ids } = await fillZone(context, 6);
  await removeAll(context, zone, T0 + 1);
  const first = await restore(context, zone, T0 + 9);
  const second = await restore(context, zone, T0 + 9, first.deletedUntil!);
  expect(await remove(context, zone, T0 + 10)).toBe(false);
  for (let step = second; step.deletedUntil !== null;) step = await restore(context, zone, T0 + 11, step.deletedUntil);
  const left = await listTileIds(context);
  expect(left).toHaveLength(4);
  await removeAll(context, zone, T0 + 20);
  await expectRejection(restore(context, zone, T0 + 30, T0 + 29), "not_found");
  await restoreAll(context, zone, T0 + 40);
  expect(await listTileIds(context)).toEqual(ids);
});

test("zones with many tiles are deleted only in the expected version", async (context) => {
  const { store, scope } = context;
  const { zone, ids } = await fillZone(context, 3);
  await store.zones.update(scope, zone.id, { name: "Renamed" }, T0 + 1);
  await expectRejection(store.zones.remove(scope, zone.id, T0 + 2, zone.version, TWO_TILES), "precondition_failed");
  expect(await listTileIds(context)).toEqual(ids);
});
