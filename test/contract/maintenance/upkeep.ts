import { describe, expect, it } from "vitest";
import { LEASE_MS } from "#domain/content/job.ts";
import type { TileError } from "#domain/content/tile.ts";
import { addBoard, ingested, getCreated, getCreatedTile, newJob, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addLink, addText, expectRejection, withStore, listTileIds, type OpenStore, type StoreContext } from "../store-context.ts";

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

export function describeUpkeep(open: OpenStore): void {
  describe("the revision of a board", () => {
    it(
      "changes with every write to its zones and tiles, and with no other",
      withStore(open, async (context) => {
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
      }),
    );
  });

  describe("the revision of existing tiles", () => {
    it(
      "changes with every write but the creation of a tile, and never repeats a number",
      withStore(open, async (context) => {
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
      }),
    );
  });

  describe("the revision of zones", () => {
    it(
      "changes with every write to zones, and not with writes to tiles",
      withStore(open, async ({ store, business, board, scope }) => {
        const revision = () =>
          Promise.resolve(store.boards.revisions({ businessId: business.id, id: board.id })).then(({ zones }) => zones);
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
      }),
    );
  });

  describe("the change feed", () => {
    it(
      "notifies each watcher of changes of its board, until it unsubscribes",
      withStore(open, async ({ store, business, board, scope, manage }) => {
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
      }),
    );

    it(
      "misses no change made while a watch starts",
      withStore(open, async ({ store, business, board, scope }) => {
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
      }),
    );
  });

  describe("counts and ping", () => {
    it(
      "include running work of all businesses",
      withStore(open, async ({ store, scope }) => {
        await store.ping();
        await store.probe();
        const other = await seedBusiness(store, "Other Lab");
        await addText({ store, scope }, "Text");
        await addLink({ store, scope: other.scope }, "https://one.example/");
        const gone = await addLink({ store, scope }, "https://two.example/");
        expect(await store.tiles.counts()).toEqual({ processing: 2, indexPending: 1 });
        await store.tiles.remove(scope, gone.id, T0);
        expect(await store.tiles.counts()).toEqual({ processing: 1, indexPending: 1 });
      }),
    );
  });

  describe("a purge", () => {
    it(
      "erases what was deleted before the given time, and nothing else",
      withStore(open, async ({ store, business, scope }) => {
        const early = getCreated(await store.zones.create(scope, newZone("Early"), T0));
        const late = getCreated(await store.zones.create(scope, newZone("Late"), T0));
        const inEarly = await addText({ store, scope }, "In early", { zoneId: early.id });
        const inLate = await addText({ store, scope }, "In late", { zoneId: late.id });
        const alone = await addText({ store, scope }, "Alone");
        const kept = await addText({ store, scope }, "Kept");
        await store.zones.remove(scope, early.id, T0 + 10);
        await store.tiles.remove(scope, alone.id, T0 + 10);
        await store.zones.remove(scope, late.id, T0 + 20);
        expect(await store.purge(T0 + 15, T0 + 30)).toBe(3);
        expect(await store.zones.findDeleted(business.id, early.id, 0)).toBeNull();
        expect(await store.tiles.findDeletedHead(business.id, inEarly.id, 0)).toBeNull();
        expect(await store.tiles.findDeletedHead(business.id, alone.id, 0)).toBeNull();
        expect(await store.tiles.findDeletedHead(business.id, inLate.id, 0)).toMatchObject({ id: inLate.id });
        expect(await listTileIds({ store, scope })).toEqual([kept.id]);
        await store.zones.restore(scope, late.id, () => newJob(), T0 + 31);
        expect(await listTileIds({ store, scope })).toEqual([inLate.id, kept.id]);
        expect(await store.purge(T0 + 15, T0 + 32)).toBe(0);
      }),
    );

    it(
      "erases the content of a board deleted long ago, and keeps its slug reserved",
      withStore(open, async ({ store, manage, scope }) => {
        const { board, scope: gone } = await addBoard(store, manage, "Gone");
        const zone = getCreated(await store.zones.create(gone, newZone("Zone"), T0));
        await store.tiles.createMany(
          Array.from({ length: 620 }, (_, i) => ({ scope: gone, tile: textTile(`Text ${i}`, { zoneId: zone.id }) })),
          T0,
        );
        await addLink({ store, scope: gone }, "https://one.example/");
        const kept = await addText({ store, scope }, "Kept");
        await store.boards.remove(gone, T0 + 10);
        expect(await store.purge(T0 + 5, T0 + 20)).toBe(0);
        expect(await store.purge(T0 + 15, T0 + 20)).toBeGreaterThanOrEqual(621);
        expect(await listTileIds({ store, scope: gone })).toEqual([]);
        expect(await store.tiles.counts()).toEqual({ processing: 0, indexPending: 1 });
        expect(await store.queue.nextDue()).toBeNull();
        expect(await store.search.statistics(board.businessId, board.id)).toMatchObject({ documents: 0, totalLength: 0 });
        expect(await listTileIds({ store, scope })).toEqual([kept.id]);
        expect((await addBoard(store, manage, "Gone")).board.slug).toBe("gone-2");
      }),
    );

    it(
      "erases the content of a discarded board at any time, and frees its slug",
      withStore(open, async ({ store, board: main, business, manage, scope }) => {
        const { board, scope: begun } = await addBoard(store, manage, "Begun");
        const empty = await addBoard(store, manage, "Zones alone");
        const zone = getCreated(await store.zones.create(begun, newZone("Zone"), T0));
        const alone = getCreated(await store.zones.create(empty.scope, newZone("Alone"), T0));
        await addText({ store, scope: begun }, "Text", { zoneId: zone.id });
        const kept = await addText({ store, scope }, "Kept");
        await store.boards.discard(begun, T0 + 10);
        await store.boards.discard(empty.scope, T0 + 10);
        await expectRejection(store.boards.discard(begun, T0 + 11), "not_found");
        await expectRejection(store.boards.discard(scope, T0 + 11), "conflict");
        expect((await store.boards.list(business.id)).map(({ id }) => id)).toEqual([main.id]);
        expect(await store.boards.listDeleted(business.id, 0)).toEqual([]);
        expect(await store.boards.findDeleted(business.id, board.id, 0)).toBeNull();
        await store.purge(1, T0 + 12);
        expect(await store.purge(1, T0 + 13)).toBe(0);
        expect(await store.zones.findDeleted(business.id, alone.id, 0)).toBeNull();
        expect(await store.tiles.counts()).toEqual({ processing: 0, indexPending: 1 });
        expect(await listTileIds({ store, scope })).toEqual([kept.id]);
        expect((await addBoard(store, manage, "Begun")).board.slug).toBe("begun");
      }),
    );

    it(
      "of one discarded board erases nothing of another",
      withStore(open, async ({ store, manage }) => {
        const { board, scope: begun } = await addBoard(store, manage, "Begun");
        const other = await addBoard(store, manage, "Also discarded");
        await addText({ store, scope: begun }, "Text");
        await addText({ store, scope: other.scope }, "Text");
        expect(await store.purgeDiscarded(begun)).toBe(0);
        await store.boards.discard(begun, T0 + 10);
        await store.boards.discard(other.scope, T0 + 10);
        expect(await store.purgeDiscarded(begun)).toBe(1);
        expect(await store.purgeDiscarded(begun)).toBe(0);
        expect(await store.search.statistics(board.businessId, board.id)).toMatchObject({ documents: 0 });
        expect(await store.purgeDiscarded(other.scope)).toBe(1);
      }),
    );

    it(
      "erases expired idempotency keys only",
      withStore(open, async ({ store, business, scope }) => {
        const createIdempotencyRecord = (key: string, expiresAt: number) => ({
          businessId: business.id,
          apiKeyId: "key_1",
          path: "/tiles",
          key,
          requestHash: "h",
          expiresAt,
          render: () => "body",
        });
        await store.tiles.create(scope, textTile("Text"), T0, createIdempotencyRecord("old", T0 + 10));
        await store.tiles.create(scope, textTile("Text"), T0, createIdempotencyRecord("new", T0 + 30));
        expect(await store.purge(T0, T0 + 20)).toBe(1);
        expect(await store.tiles.create(scope, textTile("Text"), T0 + 20, createIdempotencyRecord("new", T0 + 30))).toEqual({
          replayed: true,
          body: "body",
        });
      }),
    );
  });
}
