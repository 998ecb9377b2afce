import { expect } from "vitest";
import type { ZoneCursor } from "#domain/content/zone.ts";
import { addBoard, getCreated, newZone, seedBusiness, T0 } from "../../support/boards.ts";
import { expectRejection, unknownId } from "../store-context.ts";
import { test } from "../store-test.ts";

test("zones get the given position, or the next free one", async ({ store, scope }) => {
  const first = getCreated(await store.zones.create(scope, newZone("First"), T0));
  const second = getCreated(await store.zones.create(scope, newZone("Second"), T0));
  const far = getCreated(await store.zones.create(scope, newZone("Far", { sortOrder: 40 }), T0));
  const before = getCreated(await store.zones.create(scope, newZone("Before", { sortOrder: -7 }), T0));
  const last = getCreated(await store.zones.create(scope, newZone("Last"), T0));
  expect([first, second, far, before, last].map(({ sortOrder }) => sortOrder)).toEqual([0, 1, 40, -7, 41]);
  expect(await store.zones.list(scope, null, null)).toEqual([before, first, second, far, last]);
});

test("zones get different positions when created concurrently", async ({ store, scope }) => {
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => store.zones.create(scope, newZone(`Zone ${i}`), T0)));
  expect(outcomes.map((outcome) => getCreated(outcome).sortOrder).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
});

test("zones with equal positions are ordered by id, and pages of any size join to the whole list", async ({ store, scope }) => {
  for (let i = 0; i < 7; i++) await store.zones.create(scope, newZone(`Zone ${i}`, { sortOrder: i % 3 }), T0);
  const whole = await store.zones.list(scope, null, null);
  const expected = whole.toSorted((a, b) => a.sortOrder - b.sortOrder || (a.id < b.id ? -1 : 1));
  expect(whole).toEqual(expected);
  for (let size = 1; size <= 8; size++) {
    const paged: typeof whole = [];
    for (let after: ZoneCursor | null = null; ;) {
      const page = await store.zones.list(scope, after, size);
      expect(page.length).toBeLessThanOrEqual(size);
      if (page.length === 0) break;
      paged.push(...page);
      after = page.at(-1)!;
    }
    expect(paged).toEqual(whole);
  }
});

test("zones store every field as given", async ({ store, business, board, scope }) => {
  const given = newZone("Fields", { connectedToChat: false, color: "teal", emoji: "🧪", size: "xl", sortOrder: 3 });
  const zone = getCreated(await store.zones.create(scope, given, T0 + 1));
  expect(zone).toEqual({
    ...given,
    businessId: business.id,
    boardId: board.id,
    sortOrder: 3,
    version: zone.version,
    createdAt: T0 + 1,
    updatedAt: T0 + 1,
  });
  expect(await store.zones.find(business.id, zone.id)).toEqual(zone);
});

test("a patch of a zone changes only its fields, and null clears a field", async ({ store, business, scope }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Before", { color: "red", emoji: "🎯" }), T0));
  const named = await store.zones.update(scope, zone.id, { name: "After" }, T0 + 1);
  expect(named).toEqual({ ...zone, name: "After", version: named.version, updatedAt: T0 + 1 });
  const cleared = await store.zones.update(
    scope,
    zone.id,
    { color: null, emoji: null, connectedToChat: false, size: "sm", sortOrder: 9 },
    T0 + 2,
  );
  expect(cleared).toMatchObject({ name: "After", color: null, emoji: null, connectedToChat: false, size: "sm", sortOrder: 9 });
  expect(await store.zones.find(business.id, zone.id)).toEqual(cleared);
});

test("zones reject a change of an outdated version, and accept one of two of the same", async ({ store, business, scope }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const outcomes = await Promise.allSettled(["A", "B"].map((name) => store.zones.update(scope, zone.id, { name }, T0 + 1, zone.version)));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const current = await store.zones.find(business.id, zone.id);
  await expectRejection(store.zones.update(scope, zone.id, { name: "C" }, T0 + 2, zone.version), "precondition_failed");
  expect(await store.zones.find(business.id, zone.id)).toEqual(current);
});

test("zones do not exist for another board or business", async ({ store, board, scope, manage }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const other = await seedBusiness(store, "Other Lab");
  const second = await addBoard(store, manage);
  expect(await store.zones.find(other.business.id, zone.id)).toBeNull();
  expect(await store.zones.list(other.scope, null, null)).toEqual([]);
  expect(await store.zones.list(second.scope, null, null)).toEqual([]);
  for (const foreign of [other.scope, second.scope]) {
    await expectRejection(store.zones.update(foreign, zone.id, { name: "Taken" }, T0 + 1), "not_found");
    await expectRejection(store.zones.remove(foreign, zone.id, T0 + 1), "not_found");
  }
  await expectRejection(store.zones.update(scope, unknownId("zon"), { name: "None" }, T0 + 1), "not_found");
  expect(await store.zones.find(board.businessId, zone.id)).toEqual(zone);
});
