import { describe, expect, it } from "vitest";
import type { ZoneCursor } from "#domain/content/zone.ts";
import { addBoard, ingested, linkTile, getCreated, newJob, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addLink, addText, expectRejection, withStore, listTileIds, type OpenStore, unknownId } from "../store-context.ts";

export function describeZones(open: OpenStore): void {
  describe("zones", () => {
    it(
      "get the given position, or the next free one",
      withStore(open, async ({ store, scope }) => {
        const first = getCreated(await store.zones.create(scope, newZone("First"), T0));
        const second = getCreated(await store.zones.create(scope, newZone("Second"), T0));
        const far = getCreated(await store.zones.create(scope, newZone("Far", { sortOrder: 40 }), T0));
        const before = getCreated(await store.zones.create(scope, newZone("Before", { sortOrder: -7 }), T0));
        const last = getCreated(await store.zones.create(scope, newZone("Last"), T0));
        expect([first, second, far, before, last].map(({ sortOrder }) => sortOrder)).toEqual([0, 1, 40, -7, 41]);
        expect(await store.zones.list(scope, null, null)).toEqual([before, first, second, far, last]);
      }),
    );

    it(
      "get different positions when created concurrently",
      withStore(open, async ({ store, scope }) => {
        const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => store.zones.create(scope, newZone(`Zone ${i}`), T0)));
        expect(outcomes.map((outcome) => getCreated(outcome).sortOrder).sort((a, b) => a - b)).toEqual(
          Array.from({ length: 20 }, (_, i) => i),
        );
      }),
    );

    it(
      "with equal positions are ordered by id, and pages of any size join to the whole list",
      withStore(open, async ({ store, scope }) => {
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
      }),
    );

    it(
      "store every field as given",
      withStore(open, async ({ store, business, board, scope }) => {
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
      }),
    );

    it(
      "change only the fields of a patch, and null clears a field",
      withStore(open, async ({ store, business, scope }) => {
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
      }),
    );

    it(
      "reject a change of an outdated version, and accept one of two of the same",
      withStore(open, async ({ store, business, scope }) => {
        const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
        const outcomes = await Promise.allSettled(
          ["A", "B"].map((name) => store.zones.update(scope, zone.id, { name }, T0 + 1, zone.version)),
        );
        expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
        const current = await store.zones.find(business.id, zone.id);
        await expectRejection(store.zones.update(scope, zone.id, { name: "C" }, T0 + 2, zone.version), "precondition_failed");
        expect(await store.zones.find(business.id, zone.id)).toEqual(current);
      }),
    );

    it(
      "are deleted with exactly their tiles",
      withStore(open, async ({ store, business, scope }) => {
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
      }),
    );

    it(
      "are restored with exactly the tiles deleted with them",
      withStore(open, async ({ store, business, scope }) => {
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
      }),
    );

    it(
      "are deleted and restored with thousands of tiles and links",
      withStore(open, async ({ store, scope }) => {
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
        const restore = (deletedUntil?: number) =>
          store.zones.restore(scope, zone.id, (url) => newJob(new URL(url!).host), T0 + 2, deletedUntil);
        for (let step = await restore(); step.deletedUntil !== null;) step = await restore(step.deletedUntil);
        expect(await listTileIds({ store, scope })).toEqual(whole);
        expect(await store.tiles.counts()).toMatchObject({ processing: 24 });
        expect(await store.queue.claim(100, 1, T0 + 3)).toHaveLength(24);
      }),
    );

    it(
      "create jobs for processing tiles when restored, and notify the worker",
      withStore(open, async ({ store, scope }) => {
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
      }),
    );

    it(
      "are found after deletion only within the restore period",
      withStore(open, async ({ store, business, scope }) => {
        const other = await seedBusiness(store, "Other Lab");
        const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
        expect(await store.zones.findDeleted(business.id, zone.id, 0)).toBeNull();
        await store.zones.remove(scope, zone.id, T0 + 10);
        expect(await store.zones.findDeleted(business.id, zone.id, T0 + 9)).toMatchObject({ id: zone.id });
        expect(await store.zones.findDeleted(business.id, zone.id, T0 + 10)).toBeNull();
        expect(await store.zones.findDeleted(other.business.id, zone.id, 0)).toBeNull();
      }),
    );

    it(
      "do not exist for another board or business",
      withStore(open, async ({ store, board, scope, manage }) => {
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
      }),
    );
  });
}
