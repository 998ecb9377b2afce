import { expect } from "vitest";
import { newId } from "#domain/core/system.ts";
import { authorizeOn, getCreated, T0 } from "../../support/boards.ts";
import { test } from "../store-test.ts";

test("pages of boards join to the whole list, whether the business has few boards or many, and after a board was deleted", async ({
  store,
  business,
  manage,
}) => {
  const create = async (n: number) =>
    getCreated(await store.boards.create(manage, { id: newId("brd", T0 + n), name: `Board ${n}`, slug: `board-no${n}` }, T0 + n));
  const joinPages = async (limit: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let after = null; ;) {
      const page = await store.boards.listPage(business.id, after, limit);
      ids.push(...page.map(({ id }) => id));
      after = page.at(-1) ?? null;
      if (after === null) return ids;
    }
  };
  const listIds = async () => (await store.boards.list(business.id)).map(({ id }) => id);
  for (let n = 0; n < 7; n++) await create(n);
  const [, second, third] = await store.boards.list(business.id);
  await store.boards.update(authorizeOn(third!), { isDefault: true }, T0 + 10);
  for (const limit of [1, 3, 100]) expect(await joinPages(limit)).toEqual(await listIds());
  for (let n = 7; n < 520; n++) await create(n);
  for (const limit of [100, 500]) expect(await joinPages(limit)).toEqual(await listIds());
  const ids = await listIds();
  await store.boards.remove(authorizeOn(second!), T0 + 600);
  expect((await store.boards.listPage(business.id, second!, 2)).map(({ id }) => id)).toEqual(ids.slice(3, 5));
  expect(await store.boards.listPage("biz_other", second!, 2)).toEqual([]);
});

test("boards of one name get free slugs, however many there are, and close the gaps of the first", async ({ store, business, manage }) => {
  const create = async () => {
    const board = { id: newId("brd", T0), name: "Same", slug: "same" };
    return getCreated(await store.boards.create(manage, board, T0));
  };
  const boards = [];
  for (let n = 0; n < 150; n++) boards.push(await create());
  expect(boards.map(({ slug }) => slug)).toEqual(["same", ...Array.from({ length: 149 }, (_, n) => `same-${n + 2}`)]);
  await store.boards.discard(authorizeOn(boards[4]!), T0 + 1);
  expect((await create()).slug).toBe("same-5");
  expect((await create()).slug).toBe("same-151");
  expect(await store.boards.list(business.id)).toHaveLength(152);
});
