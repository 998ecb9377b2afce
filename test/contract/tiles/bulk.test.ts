import { expect, it } from "vitest";
import type { BulkAction, BulkFilter } from "#domain/content/changes.ts";
import { ingested, getCreated, newZone, T0 } from "../../support/boards.ts";
import { addLink, addText, expectRejection, listTileIds, unknownId } from "../store-context.ts";
import { FAILURE, change } from "./bulk-change.ts";
import { test, withStore } from "../store-test.ts";

test("bulk changes select tiles by every filter, in order of creation", async (context) => {
  const { store, scope } = context;
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const text = await addText(context, "Old", { externalId: "one" });
  const inZone = await addText(context, "In the zone", { zoneId: zone.id, externalId: "two" }, T0 + 5);
  const link = await addLink(context, "https://one.example/", {}, T0 + 6);
  const find = async (filter: BulkFilter) => (await change(context, filter, { kind: "delete" }, { isDryRun: true })).matched;
  expect(await find({ tileIds: [link.id, unknownId("til"), text.id] })).toEqual([text.id, link.id]);
  expect(await find({ externalIds: ["two", "none"] })).toEqual([inZone.id]);
  expect(await find({ externalIds: ["one", "two"], tileIds: [text.id] })).toEqual([text.id]);
  expect(await find({ zoneId: zone.id })).toEqual([inZone.id]);
  expect(await find({ statuses: ["processing"] })).toEqual([link.id]);
  expect(await find({ types: ["TEXT"] })).toEqual([text.id, inZone.id]);
  expect(await find({ createdBefore: T0 + 5 })).toEqual([text.id]);
  expect(await find({ updatedBefore: T0 + 6 })).toEqual([text.id, inZone.id]);
  expect(await find({ types: ["TEXT"], zoneId: zone.id, tileIds: [text.id] })).toEqual([]);
  expect(await listTileIds(context)).toEqual([text.id, inZone.id, link.id]);
});

test("bulk changes connect tiles with chat, disconnect them, and let them follow their zones; only what differs changes", async (context) => {
  const { store, scope, board, business } = context;
  const ids = [await addText(context, "One"), await addText(context, "Two", { connectedToChat: false })].map(({ id }) => id);
  const [one, two] = ids as [string, string];
  const connect = (connectedToChat: boolean | null, now: number) =>
    change(context, { types: ["TEXT"] }, { kind: "connect", connectedToChat }, { now });
  const read = async () => {
    const tiles = await Promise.all(ids.map((id) => store.tiles.find(business.id, id)));
    return tiles.map((tile) => [tile?.connectedToChat, tile?.version, tile?.updatedAt]);
  };
  const { content } = await store.boards.revisions({ businessId: business.id, id: board.id });
  expect(await connect(false, T0 + 1)).toMatchObject({ matched: ids, changed: 1 });
  expect((await store.boards.revisions({ businessId: business.id, id: board.id })).content).toBeGreaterThan(content);
  expect(await read()).toEqual([
    [false, 2, T0 + 1],
    [false, 1, T0],
  ]);
  expect(await store.search.connectedTiles(business.id, board.id, ids)).toEqual([]);
  expect(await connect(false, T0 + 2)).toMatchObject({ matched: ids, changed: 0 });
  expect(await connect(true, T0 + 3)).toMatchObject({ changed: 2 });
  expect((await store.search.connectedTiles(business.id, board.id, ids)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  await store.tiles.remove(scope, two, T0 + 4);
  expect(await connect(null, T0 + 5)).toMatchObject({ matched: [one], changed: 1 });
  expect(await connect(null, T0 + 6)).toMatchObject({ matched: [one], changed: 0 });
  expect((await store.tiles.find(business.id, one))?.connectedToChat).toBeNull();
});

it.each([
  { kind: "move", zoneId: null, sortOrders: new Map() },
  { kind: "delete" },
  { kind: "connect", connectedToChat: false },
] satisfies BulkAction[])("a bulk change ends a step once the texts are long, after at least one tile: $kind", (action) =>
  withStore(async (context) => {
    const ids: string[] = [];
    for (const length of [600, 500, 3_000, 10]) ids.push((await addText(context, "x".repeat(length))).id);
    const steps: (readonly string[])[] = [];
    for (let after: number | null = 0; after !== null;) {
      const { matched, next } = await change(context, { types: ["TEXT"] }, action, { maxBytes: 1_000, after });
      steps.push(matched);
      after = next;
    }
    expect(steps).toEqual([ids.slice(0, 2), [ids[2]], [ids[3]]]);
  }),
);

test("a change of labels ends a step once the tiles have many, even if it removes a single key", async (context) => {
  const values = Array.from({ length: 50 }, (_, i) => `${i}`);
  const ids: string[] = [];
  for (const properties of [{ many: values }, { many: values }, { few: "1" }])
    ids.push((await addText(context, "Text", { properties })).id);
  const step = (action: BulkAction) => change(context, { types: ["TEXT"] }, action, { maxBytes: 10_000, isDryRun: true });
  expect((await step({ kind: "set_properties", properties: { many: null } })).matched).toEqual(ids.slice(0, 1));
  expect((await step({ kind: "add_tags", tags: ["tide"] })).matched).toEqual(ids.slice(0, 1));
  expect((await step({ kind: "connect", connectedToChat: false })).matched).toEqual(ids);
});

test("bulk changes run in steps that return the start of the next one", async (context) => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push((await addText(context, `Text ${n}`)).id);
  const first = await change(context, { types: ["TEXT"] }, { kind: "delete" }, { limit: 2 });
  expect(first).toMatchObject({ matched: ids.slice(0, 2), changed: 2, next: expect.any(Number) });
  const second = await change(context, { types: ["TEXT"] }, { kind: "delete" }, { limit: 2, after: first.next! });
  const third = await change(context, { types: ["TEXT"] }, { kind: "delete" }, { limit: 2, after: second.next! });
  expect(third).toMatchObject({ matched: ids.slice(4), changed: 1, next: null });
  expect(await listTileIds(context)).toEqual([]);
});

test("bulk changes delete tiles with their jobs, and restore both, except tiles of deleted zones", async (context) => {
  const { store, scope, business } = context;
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const [text, link] = [await addText(context, "Text"), await addLink(context, "https://one.example/")];
  const inZone = await addText(context, "In the zone", { zoneId: zone.id });
  const before = await store.tiles.find(business.id, text.id);
  const tileIds = [text.id, link.id, inZone.id];
  expect(await change(context, { tileIds }, { kind: "delete" })).toMatchObject({ matched: tileIds, changed: 3, next: null });
  expect(await listTileIds(context)).toEqual([]);
  expect(await store.queue.claim(9, 9, T0 + 11)).toEqual([]);
  expect((await change(context, { tileIds }, { kind: "delete" })).matched).toEqual([]);
  await store.zones.remove(scope, zone.id, T0 + 12);
  expect(await change(context, { tileIds }, { kind: "restore" }, { now: T0 + 13 })).toMatchObject({
    matched: tileIds,
    changed: 2,
    next: null,
  });
  expect(await listTileIds(context)).toEqual([text.id, link.id]);
  expect(await store.tiles.find(business.id, text.id)).toMatchObject({ ...before, version: before!.version + 2, updatedAt: T0 + 13 });
  expect((await store.queue.claim(9, 9, T0 + 14)).map(({ tileId }) => tileId)).toEqual([link.id]);
});

test("bulk changes cannot restore tiles after the restore period; of one external id the first tile keeps it", async (context) => {
  const { store, scope, business } = context;
  const old = await addText(context, "Old");
  await store.tiles.remove(scope, old.id, T0 - 5);
  const first = await addText(context, "First", { externalId: "sync" });
  await store.tiles.remove(scope, first.id, T0 + 1);
  const second = await addText(context, "Second", { externalId: "sync" });
  await store.tiles.remove(scope, second.id, T0 + 2);
  expect(await change(context, { types: ["TEXT"] }, { kind: "restore" })).toMatchObject({
    matched: [first.id, second.id],
    changed: 2,
    lostExternalIds: [{ tileId: second.id, externalId: "sync" }],
  });
  expect((await store.tiles.find(business.id, first.id))?.externalId).toBe("sync");
  expect((await store.tiles.find(business.id, second.id))?.externalId).toBe(null);
});

test("bulk changes move tiles, with positions if given; tiles already there are not changed", async (context) => {
  const { store, scope, business } = context;
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const [one, two] = [await addText(context, "One"), await addText(context, "Two")];
  const tileIds = [one.id, two.id];
  const sortOrders = new Map([[two.id, -7]]);
  expect((await change(context, { tileIds }, { kind: "move", zoneId: zone.id, sortOrders })).changed).toBe(2);
  expect(await store.tiles.find(business.id, one.id)).toMatchObject({ zoneId: zone.id, sortOrder: one.sortOrder, version: 2 });
  expect(await store.tiles.find(business.id, two.id)).toMatchObject({ zoneId: zone.id, sortOrder: -7, updatedAt: T0 + 10 });
  const revisions = await store.boards.revisions(scope.target);
  expect(await change(context, { tileIds }, { kind: "move", zoneId: zone.id, sortOrders })).toMatchObject({
    matched: tileIds,
    changed: 0,
  });
  expect(await store.boards.revisions(scope.target)).toEqual(revisions);
  expect((await change(context, { zoneId: zone.id }, { kind: "move", zoneId: null })).changed).toBe(2);
  await store.zones.remove(scope, zone.id, T0 + 20);
  await expectRejection(change(context, { tileIds }, { kind: "move", zoneId: zone.id }), "invalid");
});

test("bulk changes retry tiles that can be ingested", async (context) => {
  const { store, scope, business } = context;
  const text = await addText(context, "Text");
  const failed = await addLink(context, "https://one.example/");
  const ready = await addLink(context, "https://two.example/");
  const byHand = await addLink(context, "https://three.example/");
  const jobs = await store.queue.claim(9, 9, T0);
  const jobFor = (id: string) => jobs.find(({ tileId }) => tileId === id)!;
  await store.queue.fail(jobFor(failed.id), FAILURE, T0 + 1);
  await store.queue.complete(jobFor(ready.id), ingested("A page about tides."), T0 + 1);
  await store.tiles.update(scope, byHand.id, { content: "By hand" }, T0 + 2);
  const waiting = await addLink(context, "https://four.example/");
  const tileIds = [text.id, failed.id, ready.id, byHand.id, waiting.id];
  expect(await change(context, { tileIds }, { kind: "retry" })).toMatchObject({ matched: tileIds, changed: 2, next: null });
  expect(await store.tiles.find(business.id, failed.id)).toMatchObject({ status: "processing", error: null });
  expect(await store.tiles.find(business.id, ready.id)).toMatchObject({ status: "processing", extractedText: "A page about tides." });
  expect(await store.tiles.find(business.id, byHand.id)).toMatchObject({ status: "ready" });
  const claimed = await store.queue.claim(9, 9, T0 + 20);
  expect(claimed.map(({ tileId }) => tileId).sort()).toEqual([failed.id, ready.id, waiting.id].sort());
  expect(
    await store.queue.complete(
      claimed.find(({ tileId }) => tileId === ready.id)!,
      ingested("New."),
      T0 + 21,
    ),
  ).toBe(true);
});
