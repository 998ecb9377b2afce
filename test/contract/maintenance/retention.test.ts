import { expect } from "vitest";
import { createIdeas, DAY, draftResult, listIds, startGeneration } from "../generations/draft-generations.ts";
import { addBoard, T0, textTile } from "../../support/boards.ts";
import { test } from "../store-test.ts";

const LATER = T0 + 500 * DAY;

test("a purge of a live board erases generations that ended before the given time, with their ideas, and keeps their tiles", async (context) => {
  const { store, board, business } = context;
  const old = await startGeneration(context);
  const tile = textTile("# High tide", { title: "High tide" });
  await store.generations.complete(old.held, draftResult, tile, T0 + 5);
  const ideas = await startGeneration(context, { endpoint: "/api/v1/idea", assetType: null });
  await store.generations.complete(ideas.held, createIdeas("idea_1", "idea_2"), null, T0 + 6);
  const recent = await startGeneration(context);
  await store.generations.complete(recent.held, draftResult, null, T0 + 20);
  const running = await startGeneration(context);
  expect(await store.generations.findIdea(board, "idea_1")).not.toBeNull();
  expect(await store.purge(T0 + 10, T0 + 30)).toBe(4);
  expect((await listIds(context)).sort()).toEqual([recent.generation.id, running.generation.id].sort());
  expect(await store.generations.findIdea(board, "idea_1")).toBeNull();
  expect(await store.tiles.find(business.id, tile.id)).toMatchObject({ title: "High tide" });
  expect(await store.purge(T0 + 10, T0 + 30)).toBe(0);
});

test("a purge of a live board erases entries of the audit log and the usage of keys after 400 days", async ({
  store,
  business,
  manage,
}) => {
  const { board, scope } = await addBoard(store, manage, "Old");
  await store.boards.update(scope, { name: "New" }, LATER - 399 * DAY);
  const usage = { input: 1, output: 1 };
  const [old, recent] = [LATER - 401 * DAY, LATER - 399 * DAY].map((at) => Math.floor(at / DAY)) as [number, number];
  for (const day of [old, recent])
    await store.usage.add({ businessId: business.id, keyId: "key_1", day, endpoint: "/api/v1/ask", usage } as never);
  expect(await store.purge(T0, LATER)).toBe(2);
  expect((await store.auditPage(business.id, 10, null)).entries.map(({ action, subject }) => [action, subject])).toEqual([
    ["board.update", board.id],
  ]);
  expect((await store.usage.totals(business.id, { from: 0, before: 1e6 })).get("key_1")).toMatchObject({ calls: 1 });
});
