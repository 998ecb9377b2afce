import { expect } from "vitest";
import { getCreatedTile, linkTile, newJob, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { test } from "../store-test.ts";

const DAY = 24 * 3_600_000;

test("an upload is read completely, from parts of any size, by its own business only", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  const bytes = Uint8Array.from({ length: 3_000 }, (_, i) => i % 256);
  for (let part = 0; part < 3; part++)
    await store.files.append(business.id, "til_1", part, bytes.subarray(part * 1_000, (part + 1) * 1_000), T0);
  expect(Uint8Array.from((await store.files.read(business.id, "til_1"))!)).toEqual(bytes);
  expect(await store.files.read(other.business.id, "til_1")).toBeNull();
  expect(await store.files.size(business.id, "til_1")).toBe(3_000);
  expect(await store.files.size(other.business.id, "til_1")).toBeNull();
  await store.files.drop(business.id, "til_1");
  expect(await store.files.read(business.id, "til_1")).toBeNull();
});

test("an upload creates a job without a link, and keeps its file name when completed", async ({ store, business, scope }) => {
  const file = { name: "plan.pdf", mediaType: "application/pdf" };
  const draft = { ...linkTile("https://none.example/"), sourceUrl: null, rawContent: "plan.pdf", file, job: newJob("upload") };
  const tile = getCreatedTile(await store.tiles.create(scope, draft, T0));
  expect(tile).toMatchObject({ file, sourceUrl: null, status: "processing" });
  const [job] = await store.queue.claim(1, 1, T0);
  expect(job).toMatchObject({ tileId: tile.id, url: null, file });
  await store.queue.complete(job!, { type: "PDF", title: "Plan", text: "Words", metadata: {}, warnings: [] }, T0 + 1);
  expect(await store.tiles.find(business.id, tile.id)).toMatchObject({ file, rawContent: "plan.pdf", extractedText: "Words" });
  expect(await store.tiles.retry(scope, tile.id, newJob("upload"), T0 + 2)).toMatchObject({ status: "processing", file });
  expect(await store.queue.claim(1, 1, T0 + 3)).toMatchObject([{ url: null, file }]);
});

test("an upload is deleted with its tile, or after a day without a tile", async ({ store, business, scope }) => {
  const kept = getCreatedTile(await store.tiles.create(scope, textTile("Kept"), T0));
  const gone = getCreatedTile(await store.tiles.create(scope, textTile("Gone"), T0));
  for (const id of [kept.id, gone.id, "til_unfinished"]) await store.files.append(business.id, id, 0, Uint8Array.of(1), T0);
  await store.files.append(business.id, "til_under_way", 0, Uint8Array.of(1), T0 + 2 * DAY);
  await store.tiles.remove(scope, gone.id, T0 + 1);
  await store.purge(T0 + 2, T0 + 2 * DAY);
  const left = [kept.id, gone.id, "til_unfinished", "til_under_way"];
  const found = await Promise.all(left.map(async (id) => (await store.files.read(business.id, id)) !== null));
  expect(found).toEqual([true, false, false, true]);
});
