import { expect } from "vitest";
import { createChangeId, FEED_WINDOW_MS } from "#domain/events/feed.ts";
import { addBoard, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addText } from "../store-context.ts";
import { test } from "../store-test.ts";
import { ALL, describe, readAll, sequenceAll } from "./read-all.ts";

test("the feed is read page by page, and continues where the last page ended", async (context) => {
  const { store, business } = context;
  for (const title of ["1", "2", "3"]) await addText(context, title, { title });
  await sequenceAll(store);
  const first = await store.feed.read(business.id, { ...ALL, limit: 2 });
  expect(describe(first!.changes)).toEqual(["tile.created 1", "tile.created 2"]);
  expect(first).toMatchObject({ hasMore: true, next: first!.changes[1]!.position });
  const second = await store.feed.read(business.id, { ...ALL, limit: 2, after: first!.next });
  expect(describe(second!.changes)).toEqual(["tile.created 3"]);
  expect(second!.hasMore).toBe(false);
  expect(await store.feed.read(business.id, { ...ALL, after: second!.next })).toEqual({ changes: [], next: second!.next, hasMore: false });
  await addText(context, "4", { title: "4" });
  expect(await store.feed.read(business.id, { ...ALL, after: second!.next })).toMatchObject({ changes: [] });
  await sequenceAll(store);
  expect(describe((await store.feed.read(business.id, { ...ALL, after: second!.next }))!.changes)).toEqual(["tile.created 4"]);
});

test("the feed shows the changes of one business, of one board, and of some events", async (context) => {
  const { store, business, manage, board } = context;
  const other = await seedBusiness(store, "Other Lab");
  const second = await addBoard(store, manage);
  await addText(context, "1", { title: "1" });
  await addText({ store, scope: other.scope }, "2", { title: "2" });
  const third = await addText({ store, scope: second.scope }, "3", { title: "3" });
  await store.tiles.remove(second.scope, third.id, T0);
  expect(describe(await readAll(store, business.id))).toEqual(["tile.created 1", "tile.created 3", "tile.deleted 3"]);
  expect(describe(await readAll(store, other.business.id))).toEqual(["tile.created 2"]);
  expect(describe(await readAll(store, business.id, { boardId: board.id }))).toEqual(["tile.created 1"]);
  expect(describe(await readAll(store, business.id, { events: ["tile.deleted"] }))).toEqual(["tile.deleted 3"]);
});

test("a filtered feed looks at a bounded number of changes at once, and misses none", async (context) => {
  const { store, business, manage, scope } = context;
  const second = await addBoard(store, manage);
  for (let i = 0; i < 5; i++) {
    await store.tiles.createMany(
      Array.from({ length: 450 }, () => ({ scope, tile: textTile("Text") })),
      T0,
    );
  }
  await addText({ store, scope: second.scope }, "Last", { title: "Last" });
  await sequenceAll(store);
  const query = { ...ALL, boardId: second.scope.target.id };
  expect(await store.feed.read(business.id, query)).toMatchObject({ changes: [], hasMore: true });
  expect(describe(await readAll(store, business.id, query))).toEqual(["tile.created Last"]);
});

test("a purge erases changes after 30 days, and a reader that has not seen them learns of it", async (context) => {
  const { store, business } = context;
  await addText(context, "Old", { title: "Old" }, T0);
  await addText(context, "Older by a wrong clock", { title: "Wrong" }, T0 + FEED_WINDOW_MS);
  await addText(context, "Newer", { title: "Newer" }, T0 + 1);
  await addText(context, "New", { title: "New" }, T0 + FEED_WINDOW_MS);
  const changes = await readAll(store, business.id);
  await store.purge(T0 - FEED_WINDOW_MS, T0 + FEED_WINDOW_MS + 2);
  expect(describe(await readAll(store, business.id))).toEqual(["tile.created New"]);
  expect(await store.feed.read(business.id, { ...ALL, after: changes[1]!.position })).toBeNull();
  expect((await store.feed.read(business.id, { ...ALL, after: changes[2]!.position }))?.changes).toHaveLength(1);
  await store.purge(T0, T0 + 3 * FEED_WINDOW_MS);
  expect(await readAll(store, business.id)).toEqual([]);
  await addText(context, "Later", { title: "Later" }, T0 + 3 * FEED_WINDOW_MS);
  const [later] = await readAll(store, business.id);
  expect(later!.position).toBeGreaterThan(changes[3]!.position);
});

test("the sequencer is woken by recorded events, and readers of the business by their positions", async (context) => {
  const { store, business } = context;
  const other = await seedBusiness(store, "Other Lab");
  let [recorded, mine, others] = [0, 0, 0];
  const stops = [
    store.feed.onRecorded(() => recorded++),
    store.feed.watch(business.id, () => mine++),
    store.feed.watch(other.business.id, () => others++),
  ];
  await addText(context, "1");
  expect(recorded).toBeGreaterThan(0);
  expect(await store.feed.oldestWaiting()).toBe(T0);
  expect(mine).toBe(0);
  expect(await store.feed.sequence(T0)).toEqual({ events: 1, overflow: 0, hasMore: false });
  expect([mine, others]).toEqual([1, 0]);
  expect(await store.feed.oldestWaiting()).toBeNull();
  expect(await store.feed.sequence(T0)).toEqual({ events: 0, overflow: 0, hasMore: false });
  for (const stop of stops) stop();
  await addText(context, "2");
  await sequenceAll(store);
  expect([mine, others]).toEqual([1, 0]);
});

test("a business with many events delays no other: businesses take turns, and each keeps its order", async (context) => {
  const { store, business, scope } = context;
  const other = await seedBusiness(store, "Other Lab");
  const tiles = Array.from({ length: 600 }, (_, i) => ({ scope, tile: textTile("Text", { title: `${i}` }) }));
  await store.tiles.createMany(tiles, T0);
  for (const title of ["a", "b"]) await addText({ store, scope: other.scope }, title, { title });
  expect(await store.feed.sequence(T0, other.business.id)).toMatchObject({ hasMore: false });
  expect(describe((await store.feed.read(other.business.id, ALL))!.changes)).toEqual(["tile.created a", "tile.created b"]);
  expect((await store.feed.oldestWaiting()) ?? null).toBe(T0);
  expect(await store.feed.sequence(T0, other.business.id)).toEqual({ events: 0, overflow: 0, hasMore: false });
  expect(describe(await readAll(store, business.id))).toEqual(tiles.map((_, i) => `tile.created ${i}`));
});

test("concurrent sequencers give each event one position, without gaps", async (context) => {
  const { store, business, scope } = context;
  await store.tiles.createMany(
    Array.from({ length: 60 }, () => ({ scope, tile: textTile("Text") })),
    T0,
  );
  await Promise.all([store.feed.sequence(T0), store.feed.sequence(T0), addText(context, "More"), store.feed.sequence(T0)]);
  const positions = (await readAll(store, business.id)).map(({ position }) => position);
  expect(positions).toEqual(Array.from({ length: 61 }, (_, i) => positions[0]! + i));
  expect((await store.feed.state()).position).toBe(positions.at(-1));
});

test("ids of changes are opaque, ordered by time, and differ after a restore", async () => {
  const id = createChangeId("abc", { position: 1, at: T0 });
  expect(id).toMatch(/^evt_[0-9a-z]{26}$/);
  expect(createChangeId("abc", { position: 1, at: T0 })).toBe(id);
  expect(createChangeId("def", { position: 1, at: T0 })).not.toBe(id);
  expect(createChangeId("abc", { position: 2, at: T0 + 1 }) > id).toBe(true);
});
