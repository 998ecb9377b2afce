import { expect } from "vitest";
import type { Ingested } from "#domain/content/job.ts";
import type { EventType, TileEventPayload } from "#domain/settings/webhook.ts";
import { addBoard, ingested, linkTile, newJob, newWebhook, seedBusiness, T0 } from "../../support/boards.ts";
import { addLink, addText } from "../store-context.ts";
import { FAILURE, finish, events } from "./finish-job.ts";
import { test } from "../store-test.ts";

const ALL: readonly EventType[] = ["tile.ready", "tile.failed", "tile.updated"];

test("tile events report a ready tile exactly once, to the current webhook, and notify the sender", async (context) => {
  const { store, business, board, scope } = context;
  const webhook = newWebhook(business.id);
  await store.webhooks.put(webhook, "operator");
  let woken = 0;
  store.webhooks.onDelivery(() => woken++);
  const tile = await addLink({ store, scope }, "https://one.example/");
  expect(await events(context)).toEqual([]);
  await finish(context, ingested("Text", { title: "Title", type: "PDF" }), T0 + 5);
  expect(woken).toBeGreaterThan(0);
  const [delivery, ...others] = await store.webhooks.deliveries(business.id, 9);
  expect(others).toEqual([]);
  expect(delivery).toMatchObject({
    webhookId: webhook.id,
    url: webhook.url,
    event: "tile.ready",
    status: "pending",
    createdAt: T0 + 5,
  });
  const payload: TileEventPayload = { tileId: tile.id, boardId: board.id, title: "Title", type: "PDF" };
  expect(JSON.parse(delivery!.payload)).toEqual(payload);
  await store.tiles.retry(scope, tile.id, newJob(), T0 + 6);
  await finish(context, ingested("Other text", { title: "Other title" }), T0 + 7);
  await addText({ store, scope }, "A text tile tells of nothing");
  expect(await events(context)).toEqual(["tile.ready"]);
});

test("tile events report a later refresh only if enabled and if something changed", async (context) => {
  const { store, business, scope } = context;
  await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
  const tile = await addLink({ store, scope }, "https://one.example/");
  const rounds: readonly Ingested[] = [
    ingested("Text"),
    ingested("Text"),
    ingested("Other text"),
    ingested("Other text", { title: "Other title" }),
    ingested("Other text", { title: "Other title" }),
  ];
  for (const [i, round] of rounds.entries()) {
    if (i > 0) await store.tiles.retry(scope, tile.id, newJob(), T0 + i);
    await finish(context, round, T0 + i);
  }
  expect(await events(context)).toEqual(["tile.ready", "tile.updated", "tile.updated"]);
});

test("tile events report a tile that becomes ready only after failure, deletion and restoration", async (context) => {
  const { store, business, scope } = context;
  await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
  const tile = await addLink({ store, scope }, "https://one.example/");
  const [job] = await store.queue.claim(1, 1, T0);
  await store.queue.fail(job!, FAILURE, T0 + 1);
  await store.tiles.retry(scope, tile.id, newJob(), T0 + 2);
  await store.tiles.remove(scope, tile.id, T0 + 3);
  await store.tiles.restore(scope, tile.id, newJob(), T0 + 4);
  await finish(context, ingested("Text"), T0 + 5);
  expect(await events(context)).toEqual(["tile.failed", "tile.ready"]);
});

test("tile events report a changed link of a tile as a refresh", async (context) => {
  const { store, business, scope } = context;
  await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
  await addLink({ store, scope }, "https://one.example/", { externalId: "a" });
  await finish(context, ingested("Text"), T0 + 1);
  await store.tiles.create(scope, linkTile("https://two.example/", { externalId: "a" }), T0 + 2);
  await finish(context, ingested("Other text"), T0 + 3);
  expect(await events(context)).toEqual(["tile.ready", "tile.updated"]);
});

test("tile events of failures are off until enabled", async (context) => {
  const { store, business, scope } = context;
  await store.webhooks.put(newWebhook(business.id), "operator");
  await addLink({ store, scope }, "https://one.example/");
  const [job] = await store.queue.claim(1, 1, T0);
  await store.queue.fail(job!, FAILURE, T0 + 1);
  expect(await events(context)).toEqual([]);
});

test("tile events are not sent for tiles that were deleted or edited meanwhile, nor on a deleted board", async (context) => {
  const { store, business, scope, manage } = context;
  await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
  const second = await addBoard(store, manage);
  const deleted = await addLink({ store, scope }, "https://one.example/");
  const byHand = await addLink({ store, scope }, "https://two.example/");
  await addLink({ store, scope: second.scope }, "https://three.example/");
  await addLink({ store, scope: second.scope }, "https://four.example/");
  const jobs = await store.queue.claim(4, 1, T0);
  await store.tiles.remove(scope, deleted.id, T0 + 1);
  await store.tiles.update(scope, byHand.id, { content: "By hand" }, T0 + 1);
  await store.boards.remove(second.scope, T0 + 1);
  for (const job of jobs.slice(0, 3)) await store.queue.complete(job, ingested("Text"), T0 + 2);
  await store.queue.fail(jobs[3]!, FAILURE, T0 + 2);
  expect(await events(context)).toEqual([]);
});

test("tile events are sent to the webhook of their own business only", async (context) => {
  const { store, business, scope } = context;
  const other = await seedBusiness(store, "Other Lab");
  await store.webhooks.put(newWebhook(other.business.id, { events: ALL }), "operator");
  await addLink({ store, scope }, "https://one.example/");
  await finish(context, ingested("Text"), T0 + 1);
  await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
  expect(await events(context)).toEqual([]);
  expect(await events({ store, business: other.business })).toEqual([]);
});
