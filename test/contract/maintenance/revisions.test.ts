import { expect } from "vitest";
import { LEASE_MS } from "#domain/content/job.ts";
import type { TileError } from "#domain/content/tile.ts";
import { addBoard, ingested, getCreated, getCreatedTile, newJob, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addLink, addText, type StoreContext } from "../store-context.ts";
import { test } from "../store-test.ts";

const FAILURE: TileError = { code: "x", message: "Gone.", stage: "fetch", retryable: true, attempts: 1 };

/** Every kind of write to zones and tiles of a board, in a possible order. */
async function* writes({ store, scope }: StoreContext): AsyncGenerator<string> {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  yield "a new zone";
  await store.zones.update(scope, zone.id, { connectedToChat: false }, T0);
  yield "a changed zone";
  const text = await addText({ store, scope }, "Text", { zoneId: zone.id, externalId: "a" });
  yield "a new tile";
  await addText({ store, scope }, "Other", { externalId: "a" });
  yield "a tile made again";
  await store.tiles.createMany([{ scope, tile: textTile("Batch") }], T0);
  yield "a batch";
  await store.tiles.update(scope, text.id, { title: "Title" }, T0);
  yield "a changed tile";
  await store.tiles.remove(scope, text.id, T0);
  yield "a deleted tile";
  await store.tiles.restore(scope, text.id, newJob(), T0);
  yield "a restored tile";
  await store.zones.remove(scope, zone.id, T0);
  yield "a deleted zone";
  await store.zones.restore(scope, zone.id, () => newJob(), T0);
  yield "a restored zone";
  const link = await addLink({ store, scope }, "https://one.example/");
  yield "a new link";
  const [first] = await store.queue.claim(1, 1, T0);
  await store.queue.retryLater(first!, FAILURE, T0, T0);
  yield "a try that failed";
  const [second] = await store.queue.claim(1, 1, T0);
  await store.queue.fail(second!, FAILURE, T0);
  yield "a failed tile";
  await store.tiles.retry(scope, link.id, newJob(), T0);
  yield "a retried tile";
  const [third] = await store.queue.claim(1, 1, T0);
  await store.queue.complete(third!, ingested("Text"), T0);
  yield "a finished tile";
  await addLink({ store, scope }, "https://two.example/", { job: newJob("two.example", { maxAttempts: 1 }) });
  yield "a link with one try";
  await store.queue.claim(1, 1, T0);
  await store.queue.claim(1, 1, T0 + LEASE_MS + 2);
  yield "a tile whose worker was lost";
}

test("the revision of a board changes with every write to its zones and tiles, and with no other", async (context) => {
  const { store, business, board, manage } = context;
  const second = await addBoard(store, manage);
  const other = await seedBusiness(store, "Other Lab");
  const untouched = async () => [
    (await store.boards.revisions({ businessId: business.id, id: second.board.id })).content,
    (await store.boards.revisions({ businessId: other.business.id, id: other.board.id })).content,
  ];
  const before = await untouched();
  const seen = new Set([(await store.boards.revisions({ businessId: business.id, id: board.id })).content]);
  for await (const write of writes(context)) {
    const revision = (await store.boards.revisions({ businessId: business.id, id: board.id })).content;
    expect(seen.has(revision), write).toBe(false);
    seen.add(revision);
  }
  expect(await untouched()).toEqual(before);
});

test("the revision of existing tiles changes with every write but the creation of a tile, and never repeats a number", async (context) => {
  const { store, business, board } = context;
  const creations = ["a new tile", "a batch", "a new link", "a link with one try"];
  const read = async () => (await store.boards.revisions({ businessId: business.id, id: board.id })).existing;
  const seen = [await read()];
  for await (const write of writes(context)) {
    const revision = await read();
    if (creations.includes(write)) expect(revision, write).toBe(seen.at(-1));
    else {
      expect(seen.includes(revision), write).toBe(false);
      seen.push(revision);
    }
  }
});

test("the revision of zones changes with every write to zones, and not with writes to tiles", async ({ store, business, board, scope }) => {
  const revision = () => Promise.resolve(store.boards.revisions({ businessId: business.id, id: board.id })).then(({ zones }) => zones);
  const seen = [await revision()];
  const zone = getCreated(await store.zones.create(scope, newZone("A"), T0));
  seen.push(await revision());
  const tile = getCreatedTile(await store.tiles.create(scope, textTile("A note", { zoneId: zone.id }), T0));
  await store.tiles.update(scope, tile.id, { title: "Note" }, T0);
  expect(await revision()).toBe(seen.at(-1));
  await store.zones.update(scope, zone.id, { name: "B" }, T0);
  seen.push(await revision());
  await store.zones.remove(scope, zone.id, T0);
  seen.push(await revision());
  await store.zones.restore(scope, zone.id, () => ({ id: "job", host: "h", maxAttempts: 1 }), T0);
  seen.push(await revision());
  expect(new Set(seen).size).toBe(seen.length);
});

test("the change feed notifies each watcher of changes of its board, until it unsubscribes", async ({
  store,
  business,
  board,
  scope,
  manage,
}) => {
  const second = await addBoard(store, manage);
  const told = { first: 0, again: 0, second: 0 };
  const soon = (isTold: () => boolean) => expect.poll(isTold, { interval: 5 }).toBe(true);
  const stops = [
    store.changes.watch(business.id, board.id, () => told.first++),
    store.changes.watch(business.id, board.id, () => told.again++),
    store.changes.watch(business.id, second.board.id, () => told.second++),
  ];
  // A watch starts with a notification for changes made meanwhile.
  await soon(() => told.first === 1 && told.again === 1 && told.second === 1);
  await addText({ store, scope }, "Text");
  await soon(() => told.first > 1 && told.again > 1);
  stops[1]!();
  const before = { ...told };
  await store.zones.create(scope, newZone("Zone"), T0);
  await soon(() => told.first > before.first);
  expect(told.again).toBe(before.again);
  expect(told.second).toBe(1);
  for (const stop of stops) stop();
});

test("the change feed misses no change made while a watch starts", async ({ store, business, board, scope }) => {
  for (let n = 0; n < 20; n++) {
    const { content } = await store.boards.revisions({ businessId: business.id, id: board.id });
    const changed = Promise.withResolvers<void>();
    const stop = store.changes.watch(business.id, board.id, () => {
      void Promise.resolve(store.boards.revisions({ businessId: business.id, id: board.id })).then(
        (now) => now.content !== content && changed.resolve(),
      );
    });
    await addText({ store, scope }, `Text ${n}`);
    await changed.promise;
    stop();
  }
});
