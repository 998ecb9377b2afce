import { expect, it } from "vitest";
import { newId } from "#domain/core/system.ts";
import { addBoard, authorizeOn, getCreated, seedBusiness, T0 } from "../../support/boards.ts";
import { expectRejection } from "../store-context.ts";
import { openEmptyStore, test } from "../store-test.ts";

const newBoard = (name: string, slug: string) => ({ id: newId("brd", T0), name, slug });

test("the boards of a new business start with its default board", async ({ store, business, board }) => {
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
});

test("boards are listed default first, then by creation, whatever their ids", async ({ store, business, board, manage }) => {
  const late = newBoard("Late id", "late");
  const early = newBoard("Early id", "early");
  expect(late.id === early.id).toBe(false);
  for (const one of [late, early].sort((a, b) => (a.id < b.id ? 1 : -1))) await store.boards.create(manage, one, T0);
  const [, second, third] = await store.boards.list(business.id);
  await store.boards.update(authorizeOn(third!), { isDefault: true }, T0 + 1);
  const listed = await store.boards.list(business.id);
  expect(listed.map(({ id }) => id)).toEqual([third!.id, board.id, second!.id]);
  expect(listed.map(({ isDefault }) => isDefault)).toEqual([true, false, false]);
});

test("boards get the next free slug if theirs is used, also by a deleted board", async ({ store, manage }) => {
  const slugs: string[] = [];
  for (let i = 0; i < 3; i++) {
    const board = getCreated(await store.boards.create(manage, newBoard("Notes", "notes"), T0));
    slugs.push(board.slug);
    await store.boards.remove(authorizeOn(board), T0 + 1);
  }
  expect(slugs).toEqual(["notes", "notes-2", "notes-3"]);
});

test("boards created concurrently with one name get different slugs", async ({ store, manage }) => {
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.boards.create(manage, newBoard("Same", "same"), T0)));
  const slugs = outcomes.map((outcome) => getCreated(outcome).slug);
  expect(new Set(slugs)).toEqual(new Set(["same", ...Array.from({ length: 19 }, (_, i) => `same-${i + 2}`)]));
});

test("boards can have the slugs of another business", async ({ store, board }) => {
  const other = await seedBusiness(store, "Other Lab");
  expect(other.board.slug).toBe(board.slug);
});

test("the default board cannot be deleted until another one is the default", async ({ store, business, board, scope, manage }) => {
  const second = await addBoard(store, manage);
  await expectRejection(store.boards.remove(scope, T0 + 1), "conflict");
  expect(await store.boards.find(business.id, board.id)).toEqual(board);
  await store.boards.update(second.scope, { isDefault: true }, T0 + 1);
  await store.boards.remove(scope, T0 + 2);
  expect((await store.boards.list(business.id)).map(({ id }) => id)).toEqual([second.board.id]);
});

test("boards have exactly one default after concurrent changes of it", async ({ store, business, manage }) => {
  const boards = await Promise.all(Array.from({ length: 8 }, (_, i) => addBoard(store, manage, `Board ${i}`)));
  await Promise.all(boards.map(({ scope }) => store.boards.update(scope, { isDefault: true }, T0 + 1)));
  expect((await store.boards.list(business.id)).filter(({ isDefault }) => isDefault)).toHaveLength(1);
});

test("boards keep their slug when renamed, with a new version and time of change", async ({ store, business, board, scope }) => {
  const renamed = await store.boards.update(scope, { name: "Renamed" }, T0 + 5, board.version);
  expect(renamed).toEqual({ ...board, name: "Renamed", version: renamed.version, updatedAt: T0 + 5 });
  expect(renamed.version).toBeGreaterThan(board.version);
  expect(await store.boards.find(business.id, board.id)).toEqual(renamed);
});

test("boards reject a change of an outdated version", async ({ store, business, board, scope }) => {
  const first = await store.boards.update(scope, { name: "First" }, T0 + 1, board.version);
  await expectRejection(store.boards.update(scope, { name: "Second" }, T0 + 2, board.version), "precondition_failed");
  expect(await store.boards.find(business.id, board.id)).toEqual(first);
});

test("boards accept only one of two changes of the same version", async ({ store, board, scope }) => {
  const outcomes = await Promise.allSettled(["A", "B"].map((name) => store.boards.update(scope, { name }, T0 + 1, board.version)));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("boards do not exist for another business", async ({ store, board, scope }) => {
  const other = await seedBusiness(store, "Other Lab");
  expect(await store.boards.find(other.business.id, board.id)).toBeNull();
  expect((await store.boards.list(other.business.id)).map(({ id }) => id)).toEqual([other.board.id]);
  expect(await store.boards.list("biz_unknown")).toEqual([]);
  expect(await store.boards.business("biz_unknown")).toBeNull();
  await store.boards.update(scope, { name: "Renamed" }, T0 + 1);
  expect(await store.boards.find(other.business.id, other.board.id)).toEqual(other.board);
});

test("boards record each change of settings in the audit log of their business", async ({ store, business, manage }) => {
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
  expect((await store.auditPage(business.id, 2, null)).entries.map(({ action }) => action)).toEqual(["board.restore", "board.delete"]);
  const first = await store.auditPage(business.id, 3, null);
  expect(first.entries).toEqual(entries.slice(0, 3));
  await store.boards.update(scope, { name: "Meanwhile" }, T0 + 5);
  expect(await store.auditPage(business.id, 3, first.next)).toEqual({ entries: entries.slice(3), next: null });
  expect(await store.auditPage(other.business.id, 3, first.next)).toEqual({ entries: [], next: null });
  expect((await store.auditPage(other.business.id, 10, null)).entries).toEqual([]);
});

it("creating a business if there is none returns the existing one, also for concurrent calls", async () => {
  const store = await openEmptyStore();
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
