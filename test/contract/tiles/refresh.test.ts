import { expect } from "vitest";
import { addBoard, T0 } from "../../support/boards.ts";
import { addLink, addText } from "../store-context.ts";
import { test } from "../store-test.ts";

const MINUTE = 60_000;

test("a scheduled refresh is returned once when due, then after its interval", async ({ store, business, board, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/feed");
  const other = await addLink({ store, scope }, "https://two.example/feed");
  await store.tiles.update(scope, tile.id, { refreshMinutes: 30 }, T0);
  await store.tiles.update(scope, other.id, { refreshMinutes: 60 }, T0);
  const due = (now: number) => store.tiles.takeDueRefreshes(9, now);
  const one = { businessId: business.id, boardId: board.id, tileId: tile.id };
  const two = { businessId: business.id, boardId: board.id, tileId: other.id };
  expect(await due(T0 + 30 * MINUTE - 1)).toEqual([]);
  expect(await due(T0 + 30 * MINUTE)).toEqual([one]);
  expect(await due(T0 + 30 * MINUTE)).toEqual([]);
  expect([...(await due(T0 + 61 * MINUTE))].sort((a, b) => (a.tileId < b.tileId ? -1 : 1))).toEqual(
    [one, two].sort((a, b) => (a.tileId < b.tileId ? -1 : 1)),
  );
  expect(await due(T0 + 62 * MINUTE)).toEqual([]);
  expect(await store.tiles.takeDueRefreshes(1, T0 + 1_000 * MINUTE)).toHaveLength(1);
});

test("a scheduled refresh can have an interval of thirty days", async ({ store, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/feed");
  await store.tiles.update(scope, tile.id, { refreshMinutes: 43_200 }, T0);
  expect(await store.tiles.takeDueRefreshes(9, T0 + 43_200 * MINUTE)).toHaveLength(1);
  expect(await store.tiles.takeDueRefreshes(9, T0 + 2 * 43_200 * MINUTE - 1)).toEqual([]);
  expect(await store.tiles.takeDueRefreshes(9, T0 + 2 * 43_200 * MINUTE)).toHaveLength(1);
});

test("a scheduled refresh is never claimed twice concurrently", async ({ store, scope }) => {
  for (let i = 0; i < 6; i++) {
    const { id } = await addLink({ store, scope }, `https://one.example/${i}`);
    await store.tiles.update(scope, id, { refreshMinutes: 15 }, T0);
  }
  const taken = await Promise.all(Array.from({ length: 4 }, () => store.tiles.takeDueRefreshes(9, T0 + 15 * MINUTE)));
  const ids = taken.flat().map(({ tileId }) => tileId);
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(6);
});

test("a scheduled refresh keeps its next time through other changes, and ends when removed or when tile or board are deleted", async ({
  store,
  scope,
  manage,
}) => {
  const tile = await addLink({ store, scope }, "https://one.example/feed");
  await store.tiles.update(scope, tile.id, { refreshMinutes: 30 }, T0);
  await store.tiles.update(scope, tile.id, { title: "By hand", refreshMinutes: 30 }, T0 + 20 * MINUTE);
  expect(await store.tiles.takeDueRefreshes(9, T0 + 30 * MINUTE)).toHaveLength(1);
  await store.tiles.update(scope, tile.id, { refreshMinutes: null }, T0 + 31 * MINUTE);
  expect(await store.tiles.takeDueRefreshes(9, T0 + 1_000 * MINUTE)).toEqual([]);
  await store.tiles.update(scope, tile.id, { refreshMinutes: 30 }, T0);
  await store.tiles.remove(scope, tile.id, T0 + 1);
  const second = await addBoard(store, manage);
  const gone = await addLink({ store, scope: second.scope }, "https://two.example/feed");
  await store.tiles.update(second.scope, gone.id, { refreshMinutes: 30 }, T0);
  await store.boards.remove(second.scope, T0 + 2);
  expect(await store.tiles.takeDueRefreshes(9, T0 + 1_000 * MINUTE)).toEqual([]);
});

test("a scheduled refresh is rejected for text", async ({ store, scope }) => {
  const text = await addText({ store, scope }, "Text");
  for (const refreshMinutes of [30, null])
    await expect(store.tiles.update(scope, text.id, { refreshMinutes }, T0)).rejects.toMatchObject({ code: "field_without_effect" });
});
