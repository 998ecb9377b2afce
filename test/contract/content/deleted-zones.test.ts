import { expect } from "vitest";
import { ingested, linkTile, getCreated, newJob, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addLink, addText, expectRejection, listTileIds } from "../store-context.ts";
import { test } from "../store-test.ts";

test("zones are deleted with exactly their tiles", async ({ store, business, scope }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const inside = await addText({ store, scope }, "Inside", { zoneId: zone.id });
  const outside = await addText({ store, scope }, "Outside");
  await store.zones.remove(scope, zone.id, T0 + 1);
  expect(await store.zones.list(scope, null, null)).toEqual([]);
  expect(await store.zones.find(business.id, zone.id)).toBeNull();
  expect(await store.tiles.find(business.id, inside.id)).toBeNull();
  expect(await listTileIds({ store, scope })).toEqual([outside.id]);
  await expectRejection(store.zones.remove(scope, zone.id, T0 + 2), "not_found");
  await expectRejection(store.zones.update(scope, zone.id, { name: "Late" }, T0 + 2), "not_found");
});

test("zones are restored with exactly the tiles deleted with them", async ({ store, business, scope }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const kept = await addText({ store, scope }, "Kept", { zoneId: zone.id });
  const goneBefore = await addText({ store, scope }, "Gone before", { zoneId: zone.id });
  const movedOut = await addText({ store, scope }, "Moved out", { zoneId: zone.id });
  await store.tiles.remove(scope, goneBefore.id, T0 + 1);
  await store.tiles.update(scope, movedOut.id, { zoneId: null }, T0 + 1);
  await store.zones.remove(scope, zone.id, T0 + 2);
  await store.tiles.remove(scope, movedOut.id, T0 + 2);
  const { zone: restored, deletedUntil } = await store.zones.restore(scope, zone.id, () => newJob(), T0 + 3);
  expect(deletedUntil).toBeNull();
  expect(restored).toMatchObject({ id: zone.id, name: "Zone", sortOrder: zone.sortOrder });
  expect(await listTileIds({ store, scope })).toEqual([kept.id]);
  expect(await store.tiles.find(business.id, kept.id)).toMatchObject({ zoneId: zone.id, extractedText: "Kept" });
  expect(await store.tiles.findDeletedHead(business.id, goneBefore.id, 0)).toMatchObject({ id: goneBefore.id });
});

test("zones are deleted and restored with thousands of tiles and links", async ({ store, scope }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const drafts = Array.from({ length: 2_400 }, (_, i) =>
    i % 100 === 0
      ? linkTile(`https://${i}.example/`, { zoneId: zone.id, job: newJob(`${i}.example`) })
      : textTile(`Text ${i}`, { zoneId: zone.id }),
  );
  for (let i = 0; i < drafts.length; i += 400)
    getCreated(
      await store.tiles.createMany(
        drafts.slice(i, i + 400).map((tile) => ({ scope, tile })),
        T0,
      ),
    );
  const whole = await listTileIds({ store, scope });
  expect(whole).toHaveLength(2_400);
  while (!(await store.zones.remove(scope, zone.id, T0 + 1)));
  expect(await listTileIds({ store, scope })).toEqual([]);
  expect(await store.tiles.counts()).toMatchObject({ processing: 0 });
  expect(await store.queue.nextDue()).toBeNull();
  const restore = (deletedUntil?: number) => store.zones.restore(scope, zone.id, (url) => newJob(new URL(url!).host), T0 + 2, deletedUntil);
  for (let step = await restore(); step.deletedUntil !== null;) step = await restore(step.deletedUntil);
  expect(await listTileIds({ store, scope })).toEqual(whole);
  expect(await store.tiles.counts()).toMatchObject({ processing: 24 });
  expect(await store.queue.claim(100, 1, T0 + 3)).toHaveLength(24);
});

test("restored zones create jobs for their processing tiles, and notify the worker", async ({ store, scope }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const tile = await addLink({ store, scope }, "https://one.example/page", { zoneId: zone.id });
  const [held] = await store.queue.claim(1, 1, T0);
  await store.zones.remove(scope, zone.id, T0 + 1);
  expect(await store.queue.complete(held!, ingested("Too late"), T0 + 2)).toBe(false);
  expect(await store.queue.nextDue()).toBeNull();
  let woken = 0;
  const stop = store.queue.onWork(() => woken++);
  await store.zones.restore(scope, zone.id, (url) => newJob(new URL(url!).host), T0 + 3);
  stop();
  expect(woken).toBeGreaterThan(0);
  const [again] = await store.queue.claim(1, 1, T0 + 4);
  expect(again).toMatchObject({ tileId: tile.id, host: "one.example", attempt: 1 });
});

test("zones are found after deletion only within the restore period", async ({ store, business, scope }) => {
  const other = await seedBusiness(store, "Other Lab");
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  expect(await store.zones.findDeleted(business.id, zone.id, 0)).toBeNull();
  await store.zones.remove(scope, zone.id, T0 + 10);
  expect(await store.zones.findDeleted(business.id, zone.id, T0 + 9)).toMatchObject({ id: zone.id });
  expect(await store.zones.findDeleted(business.id, zone.id, T0 + 10)).toBeNull();
  expect(await store.zones.findDeleted(other.business.id, zone.id, 0)).toBeNull();
});
