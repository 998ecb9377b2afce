import { expect } from "vitest";
import type { Ingested } from "#domain/content/job.ts";
import { ingested, newJob, T0 } from "../../support/boards.ts";
import { addLink, addText } from "../store-context.ts";
import { FAILURE, finish, events } from "./finish-job.ts";
import { test } from "../store-test.ts";

test("a completed job makes the tile ready with its result, and cannot be completed again", async ({ store, business, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/doc");
  const result: Ingested = {
    type: "PDF",
    title: "Its title",
    text: "Its text 🎉",
    metadata: { author: "A. Writer", stats: { likes: 3 } },
    warnings: [{ code: "paywall", message: "Only the start." }],
  };
  await finish({ store }, result, T0 + 5);
  expect(await store.tiles.find(business.id, tile.id)).toMatchObject({
    status: "ready",
    type: "PDF",
    title: "Its title",
    titleOverridden: false,
    extractedText: "Its text 🎉",
    rawContent: "https://one.example/doc",
    metadata: result.metadata,
    warnings: result.warnings,
    error: null,
    textOverridden: false,
    createdAt: T0,
    updatedAt: T0 + 5,
    zoneId: null,
  });
  expect(await store.queue.nextDue()).toBeNull();
  expect(await store.tiles.counts()).toEqual({ processing: 0, indexPending: 1 });
});

test("a completed job stores the segments of a transcript until the text changes", async ({ store, business, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/video");
  expect(tile.segments).toEqual([]);
  const segments = [
    { start: 0, end: 5, seconds: 0.4 },
    { start: 6, end: 11, seconds: 3_600.25 },
  ];
  await finish({ store }, ingested("First then.", { segments }), T0 + 1);
  expect((await store.tiles.find(business.id, tile.id))?.segments).toEqual(segments);
  expect(await store.tiles.findSegments(business.id, tile.id)).toEqual(segments);
  expect(await store.tiles.findSegments("biz_other", tile.id)).toEqual([]);
  await store.tiles.update(scope, tile.id, { title: "By hand" }, T0 + 2);
  expect((await store.tiles.find(business.id, tile.id))?.segments).toEqual(segments);
  const other = await addText({ store, scope }, "Second then.", { segments });
  await store.tiles.remove(scope, other.id, T0 + 3);
  expect(await store.tiles.findSegments(business.id, other.id)).toEqual([]);
  await store.tiles.update(scope, tile.id, { content: "By hand" }, T0 + 3);
  expect((await store.tiles.find(business.id, tile.id))?.segments).toEqual([]);
  expect(await store.tiles.findSegments(business.id, tile.id)).toEqual([]);
});

test("a failed job keeps an existing text with a warning, and the tile is indexed again", async ({ store, business, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/page");
  await finish({ store }, ingested("Words", { warnings: [{ code: "paywall", message: "Only the start." }] }), T0 + 1);
  for (const now of [T0 + 2, T0 + 5]) {
    await store.tiles.retry(scope, tile.id, newJob(), now);
    const [job] = await store.queue.claim(1, 1, now);
    expect(await store.queue.fail(job!, FAILURE, now + 1)).toBe(true);
    expect(await store.tiles.find(business.id, tile.id)).toMatchObject({
      status: "ready",
      extractedText: "Words",
      error: null,
      warnings: [{ code: "paywall" }, { code: "refresh_failed", message: expect.stringContaining(FAILURE.message) }],
    });
    expect(await store.tiles.counts()).toEqual({ processing: 0, indexPending: 1 });
  }
  expect(await events({ store, business })).toEqual([]);
});

test("a completed refresh keeps the previous text if the text changed", async ({ store, business, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/page");
  const refresh = async (text: string, now: number): Promise<unknown> => {
    await store.tiles.retry(scope, tile.id, newJob(), now);
    await finish({ store }, ingested(text), now + 1);
    return (await store.tiles.find(business.id, tile.id))?.previousText;
  };
  await finish({ store }, ingested("One"), T0 + 1);
  expect((await store.tiles.find(business.id, tile.id))?.previousText).toBeNull();
  expect(await refresh("One", T0 + 2)).toBeNull();
  expect(await refresh("Two", T0 + 4)).toEqual({ text: "One", until: T0 + 5 });
  expect(await refresh("Two", T0 + 6)).toEqual({ text: "One", until: T0 + 5 });
  expect(await refresh("Three", T0 + 8)).toEqual({ text: "Two", until: T0 + 9 });
});

test("a completed job never replaces an edited title, nor a title by an empty one", async ({ store, business, scope }) => {
  const named = await addLink({ store, scope }, "https://one.example/", { title: "By hand", titleOverridden: true });
  await finish({ store }, ingested("Text", { title: "Page title" }), T0 + 1);
  const untitled = await addLink({ store, scope }, "https://two.example/");
  await finish({ store }, ingested("Text", { title: null }), T0 + 2);
  expect(await store.tiles.find(business.id, named.id)).toMatchObject({ title: "By hand", titleOverridden: true });
  expect(await store.tiles.find(business.id, untitled.id)).toMatchObject({ title: "https://two.example/" });
});

test("a failed job makes the tile failed, with the reason", async ({ store, business, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/");
  const [job] = await store.queue.claim(1, 1, T0);
  expect(await store.queue.fail(job!, FAILURE, T0 + 1)).toBe(true);
  expect(await store.tiles.find(business.id, tile.id)).toMatchObject({
    status: "failed",
    error: FAILURE,
    extractedText: "",
    updatedAt: T0 + 1,
  });
  expect(await store.queue.nextDue()).toBeNull();
});
