import { expect } from "vitest";
import { addBoard, ingested, linkTile, getCreated, getCreatedTile, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addLink, addText, listTileIds } from "../store-context.ts";
import { test } from "../store-test.ts";

test("an upsert by external id changes nothing, not even the time of change, if all fields are equal", async ({
  store,
  business,
  board,
  scope,
}) => {
  const first = await addText({ store, scope }, "Text", { externalId: "a", title: "Title", titleOverridden: true });
  const before = await store.tiles.find(business.id, first.id);
  const revision = (await store.boards.revisions({ businessId: business.id, id: board.id })).content;
  const again = await addText({ store, scope }, "Text", { externalId: "a", title: "Title", titleOverridden: true }, T0 + 9);
  expect(again).toEqual(before);
  expect(await store.tiles.find(business.id, first.id)).toEqual(before);
  expect((await store.boards.revisions({ businessId: business.id, id: board.id })).content).toBe(revision);
});

test("an upsert by external id replaces the text, keeping id and position", async ({ store, business, scope }) => {
  const first = await addText({ store, scope }, "Old", { externalId: "a" });
  const again = await addText({ store, scope }, "New", { externalId: "a" }, T0 + 9);
  expect(again).toMatchObject({
    id: first.id,
    sequence: first.sequence,
    createdAt: T0,
    updatedAt: T0 + 9,
    extractedText: "New",
    rawContent: "New",
  });
  expect(again.version).toBeGreaterThan(first.version);
  expect(await store.tiles.find(business.id, first.id)).toEqual(again);
  expect(await listTileIds({ store, scope })).toEqual([first.id]);
});

test("an upsert by external id changes title and zone if given, and keeps them otherwise", async ({ store, scope }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  await addText({ store, scope }, "Text", { externalId: "a" });
  const titled = await addText(
    { store, scope },
    "Text",
    { externalId: "a", title: "By hand", titleOverridden: true, zoneId: zone.id },
    T0 + 1,
  );
  expect(titled).toMatchObject({
    title: "By hand",
    titleOverridden: true,
    zoneId: zone.id,
    extractedText: "Text",
    updatedAt: T0 + 1,
  });
  const again = await addText({ store, scope }, "Other text", { externalId: "a" }, T0 + 2);
  expect(again).toMatchObject({ title: "By hand", titleOverridden: true, zoneId: zone.id, extractedText: "Other text" });
});

test("an upsert by external id keeps a given title that equals the automatic one", async ({ store, business, scope }) => {
  const url = "https://one.example/";
  const link = (title: string, titleOverridden: boolean, now: number) =>
    store.tiles.create(scope, linkTile(url, { externalId: "a", title, titleOverridden }), now);
  const { id, title } = getCreatedTile(await link(url, false, T0));
  expect(getCreated(await link(title, true, T0 + 1))).toMatchObject({ changed: true });
  expect(getCreated(await link(title, true, T0 + 2))).toMatchObject({ changed: false });
  const [job] = await store.queue.claim(1, 1, T0 + 3);
  await store.queue.complete(job!, ingested("Text", { title: "Title of the page" }), T0 + 4);
  expect(await store.tiles.find(business.id, id)).toMatchObject({ title, titleOverridden: true });
});

test("an upsert with an unchanged link does not ingest again, whether running, ready or failed", async ({ store, business, scope }) => {
  const first = await addLink({ store, scope }, "https://one.example/", { externalId: "a" });
  const [held] = await store.queue.claim(1, 1, T0);
  await addLink({ store, scope }, "https://one.example/", { externalId: "a" }, T0 + 1);
  expect(await store.queue.complete(held!, ingested("Its text"), T0 + 2)).toBe(true);
  const done = await store.tiles.find(business.id, first.id);
  expect(await addLink({ store, scope }, "https://one.example/", { externalId: "a" }, T0 + 3)).toEqual(done);
  expect(done).toMatchObject({ status: "ready", extractedText: "Its text", title: "A page" });
  expect(await store.queue.nextDue()).toBeNull();
});

test("an upsert with an unchanged link keeps an edited text", async ({ store, business, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/", { externalId: "a" });
  const byHand = await store.tiles.update(scope, tile.id, { content: "By hand" }, T0 + 1);
  expect(await addLink({ store, scope }, "https://one.example/", { externalId: "a" }, T0 + 2)).toEqual(byHand);
  expect(await store.tiles.find(business.id, tile.id)).toEqual(byHand);
  expect(await store.queue.nextDue()).toBeNull();
});

test("an upsert with another link ingests again, and the old job is lost", async ({ store, business, scope }) => {
  const first = await addLink({ store, scope }, "https://one.example/", { externalId: "a" });
  const [held] = await store.queue.claim(1, 1, T0);
  const again = await addLink({ store, scope }, "https://two.example/", { externalId: "a" }, T0 + 1);
  expect(again).toMatchObject({
    id: first.id,
    status: "processing",
    sourceUrl: "https://two.example/",
    rawContent: "https://two.example/",
    title: "https://two.example/",
    extractedText: "",
  });
  expect(await store.queue.complete(held!, ingested("Old text"), T0 + 2)).toBe(false);
  const [job, none] = await store.queue.claim(5, 5, T0 + 3);
  expect(job).toMatchObject({ tileId: first.id, url: "https://two.example/", host: "two.example" });
  expect(none).toBeUndefined();
  expect(await store.queue.complete(job!, ingested("New text"), T0 + 4)).toBe(true);
  expect(await store.tiles.find(business.id, first.id)).toMatchObject({ status: "ready", extractedText: "New text" });
});

test("an upsert turns a link into text and back", async ({ store, scope }) => {
  await addLink({ store, scope }, "https://one.example/", { externalId: "a" });
  const text = await addText({ store, scope }, "Now text", { externalId: "a" }, T0 + 1);
  expect(text).toMatchObject({ type: "TEXT", status: "ready", sourceUrl: null, extractedText: "Now text" });
  expect(await store.queue.nextDue()).toBeNull();
  const link = await addLink({ store, scope }, "https://one.example/", { externalId: "a" }, T0 + 2);
  expect(link).toMatchObject({ type: "WEBSITE", status: "processing", sourceUrl: "https://one.example/", extractedText: "" });
});

test("concurrent upserts by external id create one tile", async ({ store, scope }) => {
  const tiles = await Promise.all(Array.from({ length: 30 }, (_, i) => addText({ store, scope }, `Text ${i}`, { externalId: "a" })));
  expect(new Set(tiles.map(({ id }) => id)).size).toBe(1);
  expect(await listTileIds({ store, scope })).toHaveLength(1);
});

test("an upsert by external id creates another tile on another board, in another business and after deletion", async ({
  store,
  scope,
  manage,
}) => {
  const first = await addText({ store, scope }, "Text", { externalId: "a" });
  const second = await addBoard(store, manage);
  const other = await seedBusiness(store, "Other Lab");
  for (const elsewhere of [second.scope, other.scope]) {
    const twin = getCreatedTile(await store.tiles.create(elsewhere, textTile("Text", { externalId: "a" }), T0));
    expect(twin.id).not.toBe(first.id);
  }
  await store.tiles.remove(scope, first.id, T0 + 1);
  const anew = await addText({ store, scope }, "Text", { externalId: "a" }, T0 + 2);
  expect(anew.id).not.toBe(first.id);
  const restored = await store.tiles.restore(scope, first.id, linkTile("https://x.example").job!, T0 + 3);
  expect(restored).toMatchObject({ id: first.id, externalId: null });
  expect((await addText({ store, scope }, "Newer", { externalId: "a" }, T0 + 4)).id).toBe(anew.id);
});
