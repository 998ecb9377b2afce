import { expect } from "vitest";
import type { TileError } from "#domain/content/tile.ts";
import { getCreated, getCreatedTile, ingested, linkTile, T0, textTile } from "../../support/boards.ts";
import { addLink, type StoreContext } from "../store-context.ts";
import { test } from "../store-test.ts";

const URL = "https://one.example/";
const FAILURE: TileError = { code: "no_text", message: "No text.", stage: "extract", retryable: false, attempts: 1 };

const readPage = async ({ store, business }: StoreContext, id: string): Promise<string | null> => {
  const bytes = await store.files.read(business.id, id);
  return bytes === null ? null : Buffer.from(bytes).toString();
};
const claim = async ({ store }: StoreContext, now = T0 + 1) => (await store.queue.claim(1, 9, now))[0]!;

test("the page of a link waits with its job, also through attempts, and is erased once it was read", async (context) => {
  const { store, business } = context;
  const { id } = await addLink(context, URL, { html: "<p>Häfen" });
  expect(await store.tiles.find(business.id, id)).toMatchObject({ status: "processing", file: null, sourceUrl: URL });
  const first = await claim(context);
  expect(first).toMatchObject({ tileId: id, url: URL, file: null, hasPage: true });
  await store.queue.release([first], T0 + 2);
  const second = await claim(context, T0 + 3);
  expect(second.hasPage).toBe(true);
  await store.queue.retryLater(second, FAILURE, T0 + 4, T0 + 4);
  const third = await claim(context, T0 + 9);
  expect([third.hasPage, await readPage(context, id)]).toEqual([true, "<p>Häfen"]);
  expect(await store.queue.complete(third, ingested("Häfen"), T0 + 9)).toBe(true);
  expect(await readPage(context, id)).toBeNull();
  await store.tiles.retry(context.scope, id, linkTile(URL).job!, T0 + 10);
  expect(await claim(context, T0 + 11)).toMatchObject({ tileId: id, hasPage: false });
});

test("the page of a link is erased if it has no text, or if its text is set by hand", async (context) => {
  const { store, scope } = context;
  const failed = await addLink(context, URL, { html: "<p>" });
  await store.queue.fail(await claim(context), FAILURE, T0 + 1);
  const edited = await addLink(context, URL, { html: "<p>" });
  await store.tiles.update(scope, edited.id, { content: "By hand" }, T0 + 2);
  expect([await readPage(context, failed.id), await readPage(context, edited.id)]).toEqual([null, null]);
});

test("a deleted link that waits is restored with its page", async (context) => {
  const { store, scope } = context;
  const { id } = await addLink(context, URL, { html: "<p>Page" });
  await store.tiles.remove(scope, id, T0 + 1);
  expect(await store.queue.claim(1, 9, T0 + 1)).toEqual([]);
  await store.tiles.restore(scope, id, linkTile(URL).job!, T0 + 2);
  expect(await claim(context, T0 + 3)).toMatchObject({ tileId: id, hasPage: true });
});

test("a link that gets another page is read again, and one that gets another source has none", async (context) => {
  const { store, scope } = context;
  const upsert = async (more: Parameters<typeof linkTile>[1], url = URL) =>
    getCreated(await store.tiles.create(scope, linkTile(url, { externalId: "a", ...more }), T0 + 1));
  const { tile } = await upsert({ html: "<p>First" });
  const id = tile!.id;
  const running = await claim(context);
  expect(await upsert({ html: "<p>Second" })).toMatchObject({ created: false, changed: true, tile: { id, status: "processing" } });
  expect(await store.queue.complete(running, ingested("First"), T0 + 2)).toBe(false);
  expect(await readPage(context, id)).toBe("<p>Second");
  expect(await upsert({})).toMatchObject({ changed: false });
  await store.queue.complete(await claim(context), ingested("Second"), T0 + 2);
  expect(await upsert({ html: "<p>Third" })).toMatchObject({ changed: true, tile: { id, status: "processing", extractedText: "Second" } });
  expect(await claim(context)).toMatchObject({ tileId: id, hasPage: true });
  expect(await upsert({}, "https://two.example/")).toMatchObject({ changed: true });
  expect(await claim(context)).toMatchObject({ url: "https://two.example/", hasPage: false });
  expect(await upsert({ html: "<p>Page" }, "https://two.example/")).toMatchObject({ changed: true });
  expect(getCreatedTile(await store.tiles.create(scope, textTile("Text", { externalId: "a" }), T0 + 3))).toMatchObject({
    id,
    status: "ready",
  });
  expect(await readPage(context, id)).toBeNull();
});
