import { expect } from "vitest";
import type { NewTile, TileCreation } from "#domain/content/tile-store.ts";
import { addBoard, getCreated, getCreatedTile, ingested, linkTile, newZone, T0, textTile } from "../../support/boards.ts";
import { addLink, addText, expectRejection, listTileIds, type StoreContext, unknownId } from "../store-context.ts";
import { test } from "../store-test.ts";

type Scoped = Pick<StoreContext, "store" | "scope">;
const create = async ({ store, scope }: Scoped, tile: NewTile, now = T0 + 1): Promise<TileCreation> =>
  getCreated(await store.tiles.create(scope, tile, now));

const skip = (tile: NewTile): NewTile => ({ ...tile, onDuplicate: "skip" });
const update = (tile: NewTile): NewTile => ({ ...tile, onDuplicate: "update" });
const KEPT = { created: false, changed: false, duplicate: true };

/** Reads the only waiting link. */
async function readLink({ store }: Scoped, text: string, now = T0 + 1): Promise<void> {
  const [job] = await store.queue.claim(1, 9, now);
  expect(await store.queue.complete(job!, ingested(text), now)).toBe(true);
}

test("a link with the same normalised address is skipped, on its board only", async (context) => {
  const { store, scope, manage } = context;
  const first = await addLink(context, "https://One.example:443/a/?b=2&a=1");
  for (const url of [
    "https://one.example/a?a=1&utm_source=feed&b=2#top",
    "https://one.example/a?a=1&b=2",
    "https://ONE.example/a/?b=2&a=1",
  ])
    expect(await create(context, skip(linkTile(url)))).toEqual({ tile: first, ...KEPT });
  for (const url of ["http://one.example/a?a=1&b=2", "https://one.example/a?a=1", "https://one.example/A?a=1&b=2"])
    expect(await create(context, skip(linkTile(url)))).toMatchObject({ created: true });
  expect(await create(context, linkTile("https://one.example/a?a=1&b=2"))).toMatchObject({ created: true });
  const second = await addBoard(store, manage);
  expect(await create({ store, scope: second.scope }, skip(linkTile("https://one.example/a?a=1&b=2")))).toMatchObject({ created: true });
  await store.tiles.remove(scope, first.id, T0 + 2);
  expect((await create(context, skip(linkTile("https://one.example/a?a=1&b=2")))).tile?.id).not.toBe(first.id);
});

test("a text is skipped if a tile was made of exactly the same text, also after the text was replaced", async (context) => {
  const { store, scope } = context;
  const first = await addText(context, "High tide at noon 🌊");
  const link = await addLink(context, "https://one.example/");
  await readLink(context, "Low tide at six.");
  expect(await create(context, skip(textTile("High tide at noon 🌊")))).toEqual({ tile: first, ...KEPT });
  expect(await create(context, skip(textTile("High tide at noon")))).toMatchObject({ created: true });
  expect(await create(context, skip(textTile("Low tide at six.")))).toMatchObject({ created: true });
  await store.tiles.update(scope, link.id, { content: "By hand" }, T0 + 2);
  expect(await create(context, skip(textTile("By hand")))).toMatchObject({ created: true });
  await store.tiles.update(scope, first.id, { content: "Another text" }, T0 + 2);
  expect(await create(context, skip(textTile("Another text")))).toMatchObject({ created: false, tile: { id: first.id } });
  expect(await create(context, skip(textTile("High tide at noon 🌊")))).toMatchObject({ created: true });
});

test("the tile with the external id comes before duplicates, and the oldest duplicate before others", async (context) => {
  const named = await addText(context, "Named", { externalId: "a" });
  const old = await addText(context, "Text");
  await addText(context, "Text");
  expect(await create(context, skip(textTile("Text", { externalId: "a" })))).toEqual({ tile: named, ...KEPT });
  expect(await create(context, skip(textTile("Text")))).toEqual({ tile: old, ...KEPT });
  expect(await create(context, skip(textTile("Text", { externalId: "b" })))).toEqual({ tile: old, ...KEPT });
  expect(await create(context, update(textTile("Text", { externalId: "a" })))).toMatchObject({
    tile: { id: named.id, extractedText: "Text" },
    created: false,
    changed: true,
    duplicate: true,
  });
});

test("a duplicate is updated as by its external id, and gets one if it has none", async (context) => {
  const { store, scope } = context;
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const first = await addText(context, "Text");
  const change = update(textTile("Text", { externalId: "a", zoneId: zone.id, title: "Title", titleOverridden: true }));
  const changed = await create(context, change);
  expect(changed).toMatchObject({ created: false, changed: true, duplicate: true });
  expect(changed.tile).toMatchObject({ id: first.id, externalId: "a", zoneId: zone.id, title: "Title" });
  expect(await create(context, change)).toEqual({ ...changed, changed: false });
  expect((await create(context, update(textTile("Text", { externalId: "b" })))).tile).toMatchObject({ id: first.id, externalId: "a" });
  expect(await create(context, textTile("New", { externalId: "a" }))).toMatchObject({ tile: { id: first.id }, changed: true });
  await expectRejection(create(context, skip(textTile("New", { zoneId: unknownId("zon") }))), "invalid");
});

test("an update of a link reads it again and keeps its text until then, except for one replaced by hand", async (context) => {
  const { store, scope, business } = context;
  const link = await addLink(context, "https://one.example/a");
  const again = update(linkTile("https://one.example/a?utm_source=x"));
  // It is waiting already.
  expect(await create(context, again)).toMatchObject({ tile: { id: link.id, status: "processing" }, ...KEPT });
  await readLink(context, "First");
  expect(await store.queue.nextDue()).toBeNull();
  expect(await create(context, again)).toMatchObject({
    tile: { id: link.id, status: "processing", extractedText: "First", sourceUrl: "https://one.example/a" },
    created: false,
    changed: true,
    duplicate: true,
  });
  await readLink(context, "Second");
  expect(await store.tiles.find(business.id, link.id)).toMatchObject({ status: "ready", extractedText: "Second" });
  await store.tiles.update(scope, link.id, { content: "By hand" }, T0 + 2);
  expect(await create(context, again)).toMatchObject({ tile: { status: "ready", extractedText: "By hand" }, ...KEPT });
  expect(await store.queue.nextDue()).toBeNull();
});

test("concurrent creations that skip duplicates make one tile, and so do the items of a batch", async (context) => {
  const { store, scope } = context;
  const items = Array.from({ length: 12 }, (_, n) => skip(n % 2 === 0 ? textTile("Text") : linkTile(`https://one.example/?utm_id=${n}`)));
  const created = await Promise.all(items.map((tile) => create(context, tile)));
  expect(created.filter((one) => one.created)).toHaveLength(2);
  expect(await listTileIds(context)).toHaveLength(2);
  const batch = getCreated(
    await store.tiles.createMany(
      [...items, ...[1, 2].map(() => skip(textTile("New")))].map((tile) => ({ scope, tile })),
      T0,
    ),
  );
  expect(batch.map((one) => "created" in one && one.created)).toEqual([...items.map(() => false), true, false]);
});

test("a listing is filtered by the normalised address", async (context) => {
  const { store, scope } = context;
  const link = await addLink(context, "https://one.example/a/?b=2&a=1");
  const again = getCreatedTile(await store.tiles.create(scope, linkTile("https://one.example/a?a=1&b=2&fbclid=x"), T0));
  await addLink(context, "https://one.example/");
  const query = { order: "asc", withText: false, sourceUrl: "https://one.example/a?a=1&b=2#x" } as const;
  expect((await store.tiles.list(scope, query, null, 9, 1_000)).tiles.map(({ id }) => id)).toEqual([link.id, again.id]);
  expect(await store.tiles.count(scope, query)).toBe(2);
  expect(await store.tiles.count(scope, { ...query, statuses: ["ready"] })).toBe(0);
});
