import { expect } from "vitest";
import { STEP_LIMIT } from "#domain/content/changes.ts";
import { addBoard, getCreated, ingested, linkTile, newJob, newZone, T0, textTile } from "../../support/boards.ts";
import { FAILURE, finish } from "../queue/finish-job.ts";
import { addLink, addText } from "../store-context.ts";
import { test } from "../store-test.ts";
import { describe, readAll } from "./read-all.ts";

test("the feed has the creation, the changes and the deletion of a tile, in their order, with its fields of that time", async (context) => {
  const { store, business, board, scope } = context;
  const tile = await addText(context, "Text", { title: "First", externalId: "a" }, T0 + 1);
  await store.tiles.update(scope, tile.id, { title: "Second" }, T0 + 2);
  await store.tiles.create(scope, textTile("Other text", { externalId: "a" }), T0 + 3);
  await store.tiles.create(scope, textTile("Other text", { externalId: "a" }), T0 + 4);
  await store.tiles.update(scope, tile.id, {}, T0 + 5);
  await store.tiles.update(scope, tile.id, { content: "By hand" }, T0 + 6);
  await store.tiles.remove(scope, tile.id, T0 + 7);
  await store.tiles.restore(scope, tile.id, newJob(), T0 + 8);
  const changes = await readAll(store, business.id);
  const payload = { tileId: tile.id, boardId: board.id, type: "TEXT", externalId: "a", sourceUrl: null, zoneId: null, tags: [] };
  expect(changes.map(({ event, at, payload: one, boardId }) => [event, at, one, boardId])).toEqual([
    ["tile.created", T0 + 1, { ...payload, title: "First" }, board.id],
    ["tile.updated", T0 + 2, { ...payload, title: "Second" }, board.id],
    ["tile.updated", T0 + 3, { ...payload, title: "Second" }, board.id],
    ["tile.updated", T0 + 6, { ...payload, title: "Second" }, board.id],
    ["tile.deleted", T0 + 7, { ...payload, title: "Second" }, board.id],
    ["tile.created", T0 + 8, { ...payload, title: "Second" }, board.id],
  ]);
});

test("the feed has the end of each ingestion, whether or not a webhook exists, and no refresh that changed nothing", async (context) => {
  const { store, business, scope } = context;
  const tile = await addLink(context, "https://one.example/");
  await finish(context, ingested("Text", { title: "Title", type: "PDF" }), T0 + 1);
  await store.tiles.retry(scope, tile.id, newJob(), T0 + 2);
  await finish(context, ingested("Text", { title: "Title", type: "PDF" }), T0 + 3);
  await store.tiles.retry(scope, tile.id, newJob(), T0 + 4);
  await finish(context, ingested("Other text", { title: "Title", type: "PDF" }), T0 + 5);
  await addLink(context, "https://two.example/");
  const [job] = await store.queue.claim(1, 1, T0 + 6);
  await store.queue.fail(job!, FAILURE, T0 + 6);
  const changes = await readAll(store, business.id);
  expect(changes.map(({ event }) => event)).toEqual([
    ...["tile.created", "tile.ready", "tile.updated"],
    ...["tile.created", "tile.failed"],
  ]);
  expect(changes[1]?.payload).toMatchObject({ title: "Title", type: "PDF", sourceUrl: "https://one.example/" });
});

test("the feed has every tile of bulk changes and of a zone that is deleted and restored", async (context) => {
  const { store, business, scope } = context;
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  for (const title of ["One", "Two"]) await addText(context, title, { title });
  const bulk = { filter: { types: ["TEXT"] }, after: 0, limit: STEP_LIMIT, deletedAfter: 0 } as const;
  for (const action of [
    { kind: "move", zoneId: zone.id },
    { kind: "connect", connectedToChat: false },
    { kind: "add_tags", tags: ["red"] },
    { kind: "retry" },
  ] as const)
    await store.tiles.changeMany(scope, { ...bulk, action }, () => newJob(), T0 + 1);
  await store.zones.remove(scope, zone.id, T0 + 2);
  await store.zones.restore(scope, zone.id, () => newJob(), T0 + 3);
  await store.tiles.changeMany(scope, { ...bulk, action: { kind: "delete" } }, () => newJob(), T0 + 4);
  const changes = await readAll(store, business.id);
  const steps = Array.from({ length: changes.length / 2 }, (_, i) => describe(changes.slice(2 * i, 2 * i + 2)).toSorted());
  const pair = (event: string) => [`${event} One`, `${event} Two`];
  expect(steps).toEqual(["created", "updated", "updated", "updated", "deleted", "created", "deleted"].map((name) => pair(`tile.${name}`)));
  expect(changes[2]?.payload).toMatchObject({ zoneId: zone.id, tags: [] });
  expect(changes[6]?.payload).toMatchObject({ tags: ["red"] });
  expect(changes.at(-1)?.payload).toMatchObject({ tags: ["red"] });
});

test("the feed has nothing of a change that was refused, nor of work that ends on a deleted board", async (context) => {
  const { store, business, manage, scope } = context;
  const { scope: other } = await addBoard(store, manage);
  await addLink({ store, scope: other }, "https://one.example/");
  const [job] = await store.queue.claim(1, 1, T0);
  await store.boards.remove(other, T0 + 1);
  await store.queue.complete(job!, ingested("Text"), T0 + 2);
  await expect(store.tiles.create(scope, linkTile("https://two.example/", { zoneId: "zon_missing" }), T0)).rejects.toThrow();
  expect(describe(await readAll(store, business.id))).toEqual(["tile.created https://one.example/", "tile.deleted A page"]);
});

test("the feed has every tile of a board that is deleted and restored, step by step, and none of its deleted tiles", async (context) => {
  const { store, business, manage } = context;
  const { scope } = await addBoard(store, manage);
  await store.tiles.createMany(
    Array.from({ length: 300 }, (_, i) => ({ scope, tile: textTile(`${i}`, { title: `${i}` }) })),
    T0,
  );
  const gone = await addText({ store, scope }, "Gone", { title: "Gone" });
  await store.tiles.remove(scope, gone.id, T0);
  const [last] = (await readAll(store, business.id)).slice(-1);
  await store.boards.remove(scope, T0 + 1);
  expect(await store.feed.sequence(T0)).toEqual({ events: 0, overflow: 0, hasMore: true });
  await store.boards.restore(scope, T0 + 2);
  const changes = await readAll(store, business.id, { after: last!.position });
  const numbers = Array.from({ length: 300 }, (_, i) => `${i}`);
  expect(describe(changes)).toEqual([...numbers.map((n) => `tile.deleted ${n}`), ...numbers.map((n) => `tile.created ${n}`)]);
  expect(changes.map(({ at }) => at)).toEqual([...numbers.map(() => T0 + 1), ...numbers.map(() => T0 + 2)]);
});
