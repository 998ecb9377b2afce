import { describe, expect, it } from "vitest";
import { newId } from "#domain/core/system.ts";
import { addBoard, authorizeOn, getCreated, newZone, seedBusiness, T0 } from "../../support/boards.ts";
import { addText, expectRejection, withStore, type OpenStore } from "../store-context.ts";

const newBoard = (name: string, slug: string) => ({ id: newId("brd", T0), name, slug });

export function describeBoards(open: OpenStore): void {
  describe("boards", () => {
    it(
      "start with the default board of a new business",
      withStore(open, async ({ store, business, board }) => {
        expect(await store.boards.list(business.id)).toEqual([board]);
        expect(board).toMatchObject({
          businessId: business.id,
          name: "Main board",
          slug: "main-board",
          isDefault: true,
          createdAt: T0,
          updatedAt: T0,
        });
        expect(await store.boards.business(business.id)).toEqual(business);
      }),
    );

    it(
      "are listed default first, then by creation, whatever their ids",
      withStore(open, async ({ store, business, board, manage }) => {
        const late = newBoard("Late id", "late");
        const early = newBoard("Early id", "early");
        expect(late.id === early.id).toBe(false);
        for (const one of [late, early].sort((a, b) => (a.id < b.id ? 1 : -1))) await store.boards.create(manage, one, T0);
        const [, second, third] = await store.boards.list(business.id);
        await store.boards.update(authorizeOn(third!), { isDefault: true }, T0 + 1);
        const listed = await store.boards.list(business.id);
        expect(listed.map(({ id }) => id)).toEqual([third!.id, board.id, second!.id]);
        expect(listed.map(({ isDefault }) => isDefault)).toEqual([true, false, false]);
      }),
    );

    it(
      "get the next free slug if theirs is used, also by a deleted board",
      withStore(open, async ({ store, manage }) => {
        const slugs: string[] = [];
        for (let i = 0; i < 3; i++) {
          const board = getCreated(await store.boards.create(manage, newBoard("Notes", "notes"), T0));
          slugs.push(board.slug);
          await store.boards.remove(authorizeOn(board), T0 + 1);
        }
        expect(slugs).toEqual(["notes", "notes-2", "notes-3"]);
      }),
    );

    it(
      "created concurrently with one name get different slugs",
      withStore(open, async ({ store, manage }) => {
        const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.boards.create(manage, newBoard("Same", "same"), T0)));
        const slugs = outcomes.map((outcome) => getCreated(outcome).slug);
        expect(new Set(slugs)).toEqual(new Set(["same", ...Array.from({ length: 19 }, (_, i) => `same-${i + 2}`)]));
      }),
    );

    it(
      "can have the slugs of another business",
      withStore(open, async ({ store, board }) => {
        const other = await seedBusiness(store, "Other Lab");
        expect(other.board.slug).toBe(board.slug);
      }),
    );

    it(
      "cannot delete the default board until another one is the default",
      withStore(open, async ({ store, business, board, scope, manage }) => {
        const second = await addBoard(store, manage);
        await expectRejection(store.boards.remove(scope, T0 + 1), "conflict");
        expect(await store.boards.find(business.id, board.id)).toEqual(board);
        await store.boards.update(second.scope, { isDefault: true }, T0 + 1);
        await store.boards.remove(scope, T0 + 2);
        expect((await store.boards.list(business.id)).map(({ id }) => id)).toEqual([second.board.id]);
      }),
    );

    it(
      "have exactly one default after concurrent changes of it",
      withStore(open, async ({ store, business, manage }) => {
        const boards = await Promise.all(Array.from({ length: 8 }, (_, i) => addBoard(store, manage, `Board ${i}`)));
        await Promise.all(boards.map(({ scope }) => store.boards.update(scope, { isDefault: true }, T0 + 1)));
        expect((await store.boards.list(business.id)).filter(({ isDefault }) => isDefault)).toHaveLength(1);
      }),
    );

    it(
      "keep their slug when renamed, with a new version and time of change",
      withStore(open, async ({ store, business, board, scope }) => {
        const renamed = await store.boards.update(scope, { name: "Renamed" }, T0 + 5, board.version);
        expect(renamed).toEqual({ ...board, name: "Renamed", version: renamed.version, updatedAt: T0 + 5 });
        expect(renamed.version).toBeGreaterThan(board.version);
        expect(await store.boards.find(business.id, board.id)).toEqual(renamed);
      }),
    );

    it(
      "reject a change of an outdated version",
      withStore(open, async ({ store, business, board, scope }) => {
        const first = await store.boards.update(scope, { name: "First" }, T0 + 1, board.version);
        await expectRejection(store.boards.update(scope, { name: "Second" }, T0 + 2, board.version), "precondition_failed");
        expect(await store.boards.find(business.id, board.id)).toEqual(first);
      }),
    );

    it(
      "accept only one of two changes of the same version",
      withStore(open, async ({ store, board, scope }) => {
        const outcomes = await Promise.allSettled(["A", "B"].map((name) => store.boards.update(scope, { name }, T0 + 1, board.version)));
        expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      }),
    );

    it(
      "are deleted with their content, and accept nothing new",
      withStore(open, async ({ store, business, manage }) => {
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
      }),
    );

    it(
      "can be found after deletion only within the restore period, by their own business",
      withStore(open, async ({ store, business, manage }) => {
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
      }),
    );

    it(
      "are restored completely, at their position in the list",
      withStore(open, async ({ store, business, board: main, manage }) => {
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
      }),
    );

    it(
      "do not exist for another business",
      withStore(open, async ({ store, board, scope }) => {
        const other = await seedBusiness(store, "Other Lab");
        expect(await store.boards.find(other.business.id, board.id)).toBeNull();
        expect((await store.boards.list(other.business.id)).map(({ id }) => id)).toEqual([other.board.id]);
        expect(await store.boards.list("biz_unknown")).toEqual([]);
        expect(await store.boards.business("biz_unknown")).toBeNull();
        await store.boards.update(scope, { name: "Renamed" }, T0 + 1);
        expect(await store.boards.find(other.business.id, other.board.id)).toEqual(other.board);
      }),
    );

    it(
      "record each change of settings in the audit log of their business",
      withStore(open, async ({ store, business, manage }) => {
        const other = await seedBusiness(store, "Other Lab");
        const { board, scope } = await addBoard(store, manage, "Noted", T0 + 1);
        await store.boards.update(scope, { name: "Noted again" }, T0 + 2);
        await store.boards.remove(scope, T0 + 3);
        await store.boards.restore(scope, T0 + 4);
        const entries = (await store.auditPage(business.id, 10, null)).entries;
        expect(entries.map(({ action, at }) => [action, at])).toEqual([
          ["board.restore", T0 + 4],
          ["board.delete", T0 + 3],
          ["board.update", T0 + 2],
          ["board.create", T0 + 1],
        ]);
        for (const entry of entries) expect(entry).toMatchObject({ businessId: business.id, actor: "operator", subject: board.id });
        expect((await store.auditPage(business.id, 2, null)).entries.map(({ action }) => action)).toEqual([
          "board.restore",
          "board.delete",
        ]);
        const first = await store.auditPage(business.id, 3, null);
        expect(first.entries).toEqual(entries.slice(0, 3));
        await store.boards.update(scope, { name: "Meanwhile" }, T0 + 5);
        expect(await store.auditPage(business.id, 3, first.next)).toEqual({ entries: entries.slice(3), next: null });
        expect(await store.auditPage(other.business.id, 3, first.next)).toEqual({ entries: [], next: null });
        expect((await store.auditPage(other.business.id, 10, null)).entries).toEqual([]);
      }),
    );
  });

  describe("creating a business if there is none", () => {
    it("returns the existing one, also for concurrent calls", async () => {
      const store = await open();
      try {
        const ask = (name: string) =>
          store.boards.createBusiness({ id: newId("biz", T0), name, createdAt: T0 }, newBoard("Main", "main"), { onlyIfNone: true });
        const answers = await Promise.all(["A", "B", "C", "D"].map(ask));
        expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
        expect(await store.boards.businesses()).toEqual([answers[0]]);
        expect(await store.boards.list(answers[0]!.id)).toHaveLength(1);
      } finally {
        await store.close();
      }
    });
  });
}
