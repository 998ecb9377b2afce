import { expect } from "vitest";
import type { TileError } from "#domain/content/tile.ts";
import { ingested, getCreated, newJob, newZone, T0 } from "../../support/boards.ts";
import { addLink, addText, expectRejection } from "../store-context.ts";
import { test } from "../store-test.ts";

const FAILURE: TileError = { code: "not_found", message: "The page does not exist.", stage: "fetch", retryable: false, attempts: 1 };

test("a changed tile has only the fields of the patch changed", async ({ store, business, scope }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const { id } = await addText({ store, scope }, "Text");
  const tile = (await store.tiles.find(business.id, id))!;
  const titled = await store.tiles.update(scope, id, { title: "By hand" }, T0 + 1);
  expect(titled).toEqual({ ...tile, title: "By hand", titleOverridden: true, version: titled.version, updatedAt: T0 + 1 });
  const moved = await store.tiles.update(scope, id, { zoneId: zone.id, sortOrder: -3 }, T0 + 2);
  expect(moved).toEqual({ ...titled, zoneId: zone.id, sortOrder: -3, version: moved.version, updatedAt: T0 + 2 });
  const out = await store.tiles.update(scope, id, { zoneId: null, content: "Other" }, T0 + 3);
  expect(out).toEqual({
    ...moved,
    zoneId: null,
    rawContent: "Other",
    extractedText: "Other",
    version: out.version,
    updatedAt: T0 + 3,
  });
  expect(await store.tiles.find(business.id, id)).toEqual(out);
});

test("a change of an outdated version is rejected, and one of two of the same is accepted", async ({ store, business, scope }) => {
  const tile = await addText({ store, scope }, "Text");
  const outcomes = await Promise.allSettled(["A", "B"].map((title) => store.tiles.update(scope, tile.id, { title }, T0 + 1, tile.version)));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const current = await store.tiles.find(business.id, tile.id);
  await expectRejection(store.tiles.update(scope, tile.id, { content: "C" }, T0 + 2, tile.version), "precondition_failed");
  expect(await store.tiles.find(business.id, tile.id)).toEqual(current);
});

test("a tile that gets content while processing is ready with it, and its job is cancelled", async ({ store, business, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/");
  const [held] = await store.queue.claim(1, 1, T0);
  const changed = await store.tiles.update(scope, tile.id, { content: "By hand" }, T0 + 1);
  expect(changed).toMatchObject({
    status: "ready",
    extractedText: "By hand",
    rawContent: "By hand",
    textOverridden: true,
    error: null,
    sourceUrl: "https://one.example/",
  });
  expect([...(await store.queue.renew([held!], T0 + 2))]).toEqual([]);
  expect(await store.queue.complete(held!, ingested("Extracted"), T0 + 2)).toBe(false);
  expect(await store.queue.fail(held!, FAILURE, T0 + 2)).toBe(false);
  expect(await store.queue.retryLater(held!, FAILURE, T0 + 3, T0 + 2)).toBe(false);
  expect(await store.tiles.find(business.id, tile.id)).toEqual(changed);
  expect(await store.queue.nextDue()).toBeNull();
});

test("a tile that gets a title or zone while processing keeps it when ingestion ends", async ({ store, business, scope }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const tile = await addLink({ store, scope }, "https://one.example/");
  const [held] = await store.queue.claim(1, 1, T0);
  await store.tiles.update(scope, tile.id, { title: "By hand", zoneId: zone.id }, T0 + 1);
  expect(await store.queue.complete(held!, ingested("Extracted", { title: "Page title" }), T0 + 2)).toBe(true);
  expect(await store.tiles.find(business.id, tile.id)).toMatchObject({
    status: "ready",
    title: "By hand",
    zoneId: zone.id,
    extractedText: "Extracted",
  });
});

test("a tile that had failed is ready with edited content, without its error", async ({ store, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/");
  const [held] = await store.queue.claim(1, 1, T0);
  await store.queue.fail(held!, FAILURE, T0 + 1);
  expect(await store.tiles.update(scope, tile.id, { content: "By hand" }, T0 + 2)).toMatchObject({
    status: "ready",
    error: null,
    textOverridden: true,
  });
});

test("a retried tile that failed or was ready is processing again, with a new job", async ({ store, business, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/");
  const [first] = await store.queue.claim(1, 1, T0);
  await store.queue.fail(first!, FAILURE, T0 + 1);
  expect(await store.tiles.find(business.id, tile.id)).toMatchObject({ status: "failed", error: FAILURE });
  let woken = 0;
  const stop = store.queue.onWork(() => woken++);
  expect(await store.tiles.retry(scope, tile.id, newJob(), T0 + 2)).toMatchObject({ status: "processing", error: null });
  stop();
  expect(woken).toBeGreaterThan(0);
  const [second] = await store.queue.claim(1, 1, T0 + 3);
  expect(second).toMatchObject({ tileId: tile.id, attempt: 1 });
  await store.queue.complete(second!, ingested("Text"), T0 + 4);
  expect(await store.tiles.retry(scope, tile.id, newJob(), T0 + 5)).toMatchObject({ status: "processing" });
  expect(await store.queue.claim(1, 1, T0 + 6)).toMatchObject([{ tileId: tile.id, attempt: 1 }]);
});

test("a retried tile with an edited text is only read again if replacing the text is requested", async ({ store, business, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/");
  const now = async () => store.tiles.find(business.id, tile.id);
  await store.tiles.update(scope, tile.id, { content: "By hand" }, T0 + 1);
  await expectRejection(store.tiles.update(scope, tile.id, { refreshMinutes: 60 }, T0 + 2), "conflict");
  await expectRejection(store.tiles.update(scope, tile.id, { content: "Again", refreshMinutes: 60 }, T0 + 2), "conflict");
  expect(await store.tiles.update(scope, tile.id, { refreshMinutes: null }, T0 + 2)).toMatchObject({ textOverridden: true });

  expect(await store.tiles.retry(scope, tile.id, newJob(), T0 + 3, true)).toMatchObject({ status: "processing" });
  const [first] = await store.queue.claim(1, 1, T0 + 4);
  await store.queue.fail(first!, FAILURE, T0 + 5);
  expect(await now()).toMatchObject({
    status: "ready",
    extractedText: "By hand",
    textOverridden: true,
    warnings: [{ code: "refresh_failed" }],
  });
  await expectRejection(store.tiles.retry(scope, tile.id, newJob(), T0 + 6), "conflict");

  await store.tiles.retry(scope, tile.id, newJob(), T0 + 7, true);
  const [second] = await store.queue.claim(1, 1, T0 + 8);
  await store.queue.complete(second!, ingested("Of the page"), T0 + 9);
  expect(await now()).toMatchObject({
    status: "ready",
    extractedText: "Of the page",
    rawContent: "https://one.example/",
    textOverridden: false,
    warnings: [],
    previousText: { text: "By hand", until: T0 + 9 },
  });
  expect(await store.tiles.update(scope, tile.id, { refreshMinutes: 60 }, T0 + 10)).toMatchObject({ refreshMinutes: 60 });
});

test("a retry is rejected for text, edited text, while processing and when deleted", async ({ store, business, scope }) => {
  const text = await addText({ store, scope }, "Text");
  const byHand = await addLink({ store, scope }, "https://one.example/");
  await store.tiles.update(scope, byHand.id, { content: "By hand" }, T0 + 1);
  const processing = await addLink({ store, scope }, "https://two.example/");
  for (const { id } of [text, byHand, processing]) {
    const before = await store.tiles.find(business.id, id);
    await expectRejection(store.tiles.retry(scope, id, newJob(), T0 + 2), "conflict");
    expect(await store.tiles.find(business.id, id)).toEqual(before);
  }
  await store.tiles.remove(scope, text.id, T0 + 3);
  await expectRejection(store.tiles.retry(scope, text.id, newJob(), T0 + 4), "not_found");
  expect(await store.queue.claim(9, 9, T0 + 5)).toHaveLength(1);
});
