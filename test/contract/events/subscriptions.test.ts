import { expect } from "vitest";
import { MAX_SUBSCRIPTIONS, type Subscription } from "#domain/events/subscription.ts";
import { newId } from "#domain/core/system.ts";
import type { Delivery, DeliveryOutcome } from "#domain/events/delivery.ts";
import type { Store } from "#domain/store.ts";
import { addBoard, getCreated, ingested, newSubscription, newWebhook, newZone, seedBusiness, T0 } from "../../support/boards.ts";
import { finish } from "../queue/finish-job.ts";
import { FAILURE, SEND_MS, SUCCESS } from "../settings/record-delivery.ts";
import { addLink, addText, expectRejection, type StoreContext } from "../store-context.ts";
import { test } from "../store-test.ts";

const GONE: DeliveryOutcome = { ...FAILURE, responseStatus: 410 };
const DAY_MS = 24 * 3_600_000;

const add = ({ store, business }: Pick<StoreContext, "store" | "business">, more: Partial<Subscription> = {}) =>
  store.subscriptions.create(newSubscription(business.id, more), "operator");

/** Distributes the recorded events, and returns the deliveries of a subscription in short. */
async function listDeliveries(store: Store, { businessId, id }: Subscription): Promise<string[]> {
  while ((await store.feed.sequence(T0)).hasMore);
  const { deliveries } = await store.webhooks.deliveryPage(businessId, 500, null, { subscriptionId: id });
  const whole = await Promise.all(deliveries.map((delivery) => store.webhooks.delivery(businessId, delivery.id)));
  return whole.map((delivery) => `${delivery!.event} ${JSON.parse(delivery!.payload).title ?? ""}`.trim()).toSorted();
}

const claim = (store: Store, now = T0, isFailing = false): Promise<Delivery[]> =>
  store.webhooks.claim(100, 8, SEND_MS, now, 0, [], { isFailing });

test("a subscription gets the events that it asked for, of its board, zones, types and tags", async (context) => {
  const { store, business, board, manage, scope } = context;
  const other = await addBoard(store, manage);
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const all = await add(context);
  const deletions = await add(context, { events: ["tile.deleted"] });
  const ofBoard = await add(context, { boardId: board.id });
  const ofZone = await add(context, { zoneIds: [zone.id] });
  const ofType = await add(context, { types: ["PDF"] });
  const ofTag = await add(context, { tags: ["tide"] });
  const { id } = await addText(context, "One", { title: "One", zoneId: zone.id });
  await store.tiles.remove(scope, id, T0);
  await addText({ store, scope: other.scope }, "Two", { title: "Two" });
  await addLink(context, "https://one.example/");
  await finish(context, ingested("Text", { title: "Three", type: "PDF" }), T0);
  const link = "https://one.example/";
  expect(await listDeliveries(store, all)).toEqual(
    ["tile.created One", "tile.created Two", `tile.created ${link}`, "tile.deleted One", "tile.ready Three"].toSorted(),
  );
  expect(await listDeliveries(store, deletions)).toEqual(["tile.deleted One"]);
  expect(await listDeliveries(store, ofBoard)).toEqual(
    ["tile.created One", `tile.created ${link}`, "tile.deleted One", "tile.ready Three"].toSorted(),
  );
  expect(await listDeliveries(store, ofZone)).toEqual(["tile.created One", "tile.deleted One"]);
  expect(await listDeliveries(store, ofType)).toEqual(["tile.ready Three"]);
  expect(await listDeliveries(store, ofTag)).toEqual([]);
  expect(await store.webhooks.deliveries(business.id, 9)).toEqual([]);
});

test("tags are compared as everywhere: without regard to case, ß and the form of accents", async (context) => {
  const { store } = context;
  const both = await add(context, { tags: ["STRASSE", "cafe\u0301"] });
  const other = await add(context, { tags: ["Strase"] });
  await addText(context, "One", { title: "One", tags: ["Straße", "CAFÉ"] });
  await addText(context, "Two", { title: "Two", tags: ["Straße"] });
  expect(await listDeliveries(store, both)).toEqual(["tile.created One"]);
  expect(await listDeliveries(store, other)).toEqual([]);
});

test("properties are compared as by listings: one value of every key, numbers and flags as text, arrays by their items", async (context) => {
  const { store, scope, business } = context;
  const filters = [
    { station: ["7"], open: ["true"] },
    { station: ["7", "9"] },
    { kinds: ["tide", "wind"] },
    { note: ["x".repeat(2_000)] },
    { gone: ["null"] },
    { other: ["7"] },
  ];
  const subscriptions = [];
  for (const properties of filters) subscriptions.push(await add(context, { properties }));
  const both = await add(context, { tags: ["tide"], properties: { station: ["7"] } });
  const drafts = [
    { title: "A", properties: { station: 7, open: true, kinds: ["tide", "swell"], gone: null } },
    { title: "B", properties: { station: "9", note: "x".repeat(2_000) }, tags: ["Tide"] },
    { title: "C" },
    { title: "D", properties: { station: [7, 8].map(String) }, tags: ["Tide"] },
  ];
  const created = [];
  for (const draft of drafts) created.push(await addText(context, draft.title, draft));
  for (const [i, properties] of filters.entries()) {
    const { tiles } = await store.tiles.list(scope, { order: "asc", withText: false, properties }, null, 9, 9_999);
    const found = tiles.map(({ title }) => `tile.created ${title}`).toSorted();
    expect(await listDeliveries(store, subscriptions[i]!)).toEqual(found);
  }
  expect(await listDeliveries(store, both)).toEqual(["tile.created D"]);
  await store.tiles.remove(scope, created[0]!.id, T0);
  expect(await listDeliveries(store, subscriptions[0]!)).toEqual(["tile.created A", "tile.deleted A"]);
  expect((await store.subscriptions.find(business.id, both.id))?.properties).toEqual({ station: ["7"] });
});

test("events of many tiles with long properties are compared step by step", async (context) => {
  const { store } = context;
  const asked = await add(context, { properties: { key: ["a"] } });
  const properties = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`k${i}`, "x".repeat(2_000)]));
  for (let i = 0; i < 20; i++) await addText(context, `${i}`, { title: `${i}`, properties: { ...properties, key: "a" } });
  expect(await store.feed.sequence(T0)).toEqual({ events: 16, overflow: 0, hasMore: true });
  expect(await listDeliveries(store, asked)).toHaveLength(20);
});

test("paused subscriptions, those of other businesses and those of expired keys get nothing", async (context) => {
  const { store, business } = context;
  const other = await seedBusiness(store, "Other Lab");
  const key = { businessId: business.id, name: "Key", prefix: "tsr_", boardId: null, permission: "read", createdAt: T0 } as const;
  await store.apiKeys.create({ ...key, id: "key_old", hash: "old", expiresAt: T0 - 1, createdBy: "operator" });
  const silent = [
    await add(context, { status: "paused" }),
    await add(context, { keyId: "key_old" }),
    await add({ store, business: other.business }),
  ];
  await addText(context, "One");
  for (const subscription of silent) expect(await listDeliveries(store, subscription)).toEqual([]);
});

test("many receivers of many events are served step by step, each event once", async (context) => {
  const { store } = context;
  const subscriptions = [];
  for (let i = 0; i < MAX_SUBSCRIPTIONS; i++) subscriptions.push(await add(context));
  for (let i = 0; i < 6; i++) await addText(context, `${i}`, { title: `${i}` });
  expect(await store.feed.sequence(T0)).toEqual({ events: 2, overflow: 0, hasMore: true });
  const expected = Array.from({ length: 6 }, (_, i) => `tile.created ${i}`);
  for (const subscription of subscriptions) expect(await listDeliveries(store, subscription)).toEqual(expected);
});

test("a business with many receivers of many events delays the events of no other", async (context) => {
  const { store } = context;
  const other = await seedBusiness(store, "Other Lab");
  const asked = await add({ store, business: other.business });
  for (let i = 0; i < MAX_SUBSCRIPTIONS; i++) await add(context);
  for (let i = 0; i < 6; i++) await addText(context, `${i}`);
  await addText({ store, scope: other.scope }, "Mine", { title: "Mine" });
  expect(await store.feed.sequence(T0)).toEqual({ events: 3, overflow: 0, hasMore: true });
  expect(await store.webhooks.deliveryPage(other.business.id, 9, null, { subscriptionId: asked.id })).toMatchObject({
    deliveries: [{ event: "tile.created" }],
  });
});

test("a business has at most 100 subscriptions", async (context) => {
  for (let i = 0; i < MAX_SUBSCRIPTIONS; i++) await add(context);
  await expectRejection(add(context), "invalid");
  const [first] = await context.store.subscriptions.list(context.business.id, null);
  await context.store.subscriptions.remove(context.business.id, first!.id, "operator", T0);
  await add(context);
});

test("subscriptions are read, changed, rotated and removed, each change with an audit entry", async (context) => {
  const { store, business } = context;
  const mine = await add(context, { keyId: "key_1", description: "n8n" });
  const other = await add(context, { createdAt: T0 + 1 });
  expect(await store.subscriptions.list(business.id, null)).toEqual([mine, other]);
  expect(await store.subscriptions.list(business.id, "key_1")).toEqual([mine]);
  expect(await store.subscriptions.find(business.id, mine.id)).toEqual(mine);
  expect(await store.subscriptions.find("biz_other", mine.id)).toBeNull();
  const changes = {
    url: "https://other.example/",
    events: ["tile.ready"],
    tags: ["a"],
    properties: { a: ["1"] },
    includeTile: true,
    retries: false,
  } as const;
  const changed = await store.subscriptions.update(business.id, mine.id, changes, "operator", T0 + 2);
  expect(changed).toEqual({ ...mine, ...changes, updatedAt: T0 + 2 });
  const secrets = { sealedSecret: "new", sealedPrevious: "sealed", previousUntil: T0 + 9 };
  expect(await store.subscriptions.rotate(business.id, mine.id, () => secrets, "operator", T0 + 3)).toMatchObject(secrets);
  expect(await store.subscriptions.counts()).toEqual({ active: 2, paused: 0 });
  expect(await store.subscriptions.remove(business.id, mine.id, "operator", T0 + 4)).toBe(true);
  expect(await store.subscriptions.remove(business.id, mine.id, "operator", T0 + 5)).toBe(false);
  expect(await store.subscriptions.update(business.id, mine.id, {}, "operator", T0 + 5)).toBeNull();
  const actions = (await store.auditPage(business.id, 9, null)).entries.filter(({ subject }) => subject === mine.id);
  expect(actions.map(({ action }) => action)).toEqual(["delete", "rotate", "update", "create"].map((action) => `subscription.${action}`));
});

test("revoking a key removes its subscriptions", async (context) => {
  const { store, business } = context;
  const key = { businessId: business.id, name: "Key", prefix: "tsr_", boardId: null, permission: "read", createdAt: T0 } as const;
  await store.apiKeys.create({ ...key, id: "key_1", hash: "1", expiresAt: null, webhooks: true, createdBy: "operator" });
  await add(context, { keyId: "key_1" });
  const kept = await add(context);
  await store.apiKeys.revoke(business.id, "key_1", "operator", T0 + 1);
  expect(await store.subscriptions.list(business.id, null)).toEqual([kept]);
});

test("a failed delivery of a subscription is tried again when it is due, under the same id, with its attempts in the log", async (context) => {
  const { store, business } = context;
  const { id: subscriptionId } = await add(context);
  await addText(context, "One");
  await store.feed.sequence(T0);
  const [first] = await claim(store);
  expect(first).toMatchObject({ subscriptionId, attempt: 1, maxAttempts: 7, status: "sending" });
  await store.webhooks.recordOutcome(first!, "{}", T0 + 1, FAILURE, T0 + 5_000);
  expect(await store.webhooks.delivery(business.id, first!.id)).toMatchObject({ status: "retrying", retryAt: T0 + 5_000 });
  expect(await store.subscriptions.find(business.id, subscriptionId)).toMatchObject({
    failures: 1,
    failingSince: T0 + 1,
    lastDeliveryAt: T0 + 1,
  });
  expect(await claim(store, T0 + 4_000, true)).toEqual([]);
  expect(await claim(store, T0 + 5_000)).toEqual([]);
  const [second] = await claim(store, T0 + 5_000, true);
  expect(second).toMatchObject({ id: first!.id, attempt: 2 });
  await store.webhooks.recordOutcome(second!, "{}", T0 + 5_001, SUCCESS);
  expect(await store.webhooks.delivery(business.id, first!.id)).toMatchObject({
    status: "succeeded",
    retryAt: null,
    attempts: [
      { at: T0 + 1, responseStatus: 500, error: "It answered 500.", durationMs: 3 },
      { at: T0 + 5_001, responseStatus: 204, error: null, durationMs: 13 },
    ],
  });
  expect(await store.subscriptions.find(business.id, subscriptionId)).toMatchObject({ failures: 0, failingSince: null });
});

test("a receiver that answers 410 pauses its subscription, and so do 50 failures in a row over 24 hours", async (context) => {
  const { store, business } = context;
  const gone = await add(context);
  const failing = await add(context, { failures: 48, failingSince: T0 });
  for (const title of ["1", "2"]) await addText(context, title);
  await store.feed.sequence(T0);
  const [first] = await claim(store).then((all) => all.filter(({ subscriptionId }) => subscriptionId === gone.id));
  await store.webhooks.recordOutcome(first!, "{}", T0 + 1, GONE);
  expect(await store.subscriptions.find(business.id, gone.id)).toMatchObject({
    status: "paused",
    pausedReason: expect.stringMatching(/410/),
  });
  const [one, two] = [(await store.webhooks.claim(1, 1, SEND_MS, T0, 0, [], { isFailing: true }))[0], null];
  expect(two).toBeNull();
  await store.webhooks.recordOutcome(one!, "{}", T0 + 2, FAILURE);
  expect(await store.subscriptions.find(business.id, failing.id)).toMatchObject({ status: "active", failures: 49 });
  const [last] = await store.webhooks.claim(1, 1, SEND_MS, T0, 0, [], { isFailing: true });
  await store.webhooks.recordOutcome(last!, "{}", T0 + DAY_MS, FAILURE);
  const paused = await store.subscriptions.find(business.id, failing.id);
  expect(paused).toMatchObject({ status: "paused", pausedReason: "The last 50 attempts failed, over at least 24 hours." });
  const resumed = await store.subscriptions.update(business.id, failing.id, { status: "active" }, "operator", T0 + DAY_MS);
  expect(resumed).toMatchObject({ status: "active", pausedReason: null, failures: 0, failingSince: null });
});

test("a pause by the receiver ends what waits, also what is being sent then, and is in the audit log", async (context) => {
  const { store, business } = context;
  const { id: subscriptionId } = await add(context);
  for (const title of ["1", "2", "3", "4"]) await addText(context, title);
  await store.feed.sequence(T0);
  const [waiting, last, sending] = await store.webhooks.claim(3, 3, SEND_MS, T0);
  const read = (id: string) => store.webhooks.delivery(business.id, id);
  await store.webhooks.recordOutcome(waiting!, "{}", T0 + 1, FAILURE, T0 + 5_000);
  await store.webhooks.recordOutcome(last!, "{}", T0 + 2, GONE);
  expect(await read(waiting!.id)).toMatchObject({
    status: "failed",
    retryAt: null,
    error: expect.stringMatching(/paused/),
    sentAt: T0 + 1,
  });
  expect(await read(last!.id)).toMatchObject({ status: "failed", responseStatus: 410, error: FAILURE.error });
  await store.webhooks.recordOutcome(sending!, "{}", T0 + 3, FAILURE, T0 + 5_000);
  const { deliveries } = await store.webhooks.deliveryPage(business.id, 9, null, { subscriptionId });
  expect(deliveries.map(({ status, sentAt }) => [status, sentAt])).toEqual([
    ["failed", null],
    ...[T0 + 3, T0 + 2, T0 + 1].map((at) => ["failed", at]),
  ]);
  const [entry] = (await store.auditPage(business.id, 1, null)).entries;
  expect(entry).toMatchObject({ actor: "operator", action: "subscription.pause", subject: subscriptionId, at: T0 + 2 });
  await store.subscriptions.update(business.id, subscriptionId, { status: "active" }, "operator", T0 + 4);
  for (const isFailing of [false, true]) expect(await claim(store, T0 + 9_000, isFailing)).toEqual([]);
});

test("pausing and removing a subscription ends what waits for it", async (context) => {
  const { store, business } = context;
  const [paused, removed] = [await add(context), await add(context)];
  for (const title of ["1", "2"]) await addText(context, title);
  await store.feed.sequence(T0);
  const claimed = await store.webhooks.claim(2, 1, SEND_MS, T0);
  for (const delivery of claimed) await store.webhooks.recordOutcome(delivery, "{}", T0 + 1, FAILURE, T0 + 5_000);
  await store.subscriptions.update(business.id, paused.id, { status: "paused" }, "operator", T0 + 2);
  await store.subscriptions.remove(business.id, removed.id, "operator", T0 + 2);
  for (const { id } of [paused, removed]) {
    const { deliveries } = await store.webhooks.deliveryPage(business.id, 9, null, { subscriptionId: id });
    expect(deliveries.map(({ status }) => status)).toEqual(["failed", "failed"]);
  }
  expect(await claim(store, T0 + 9_000, true)).toEqual([]);
});

test("failed deliveries of a time are sent again evenly, each once, under their ids, to the receiver as it is now", async (context) => {
  const { store, business } = context;
  const webhook = newWebhook(business.id);
  await store.webhooks.put(webhook, "operator");
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) {
    const id = newId("dlv", T0);
    ids.push(id);
    const { url } = webhook;
    await store.webhooks.record(
      { id, businessId: business.id, webhookId: webhook.id, event: "test", url, payload: "{}", createdAt: T0 + i },
      "operator",
    );
  }
  for (const [i, delivery] of (await claim(store)).entries())
    await store.webhooks.recordOutcome(delivery, "{}", T0 + 9, i === 1 ? SUCCESS : FAILURE);
  const receiver = { webhookId: "whk_new", url: "https://new.example/", maxAttempts: 7 };
  const redelivery = { subscriptionId: "", since: T0, until: T0 + 3, receiver };
  const redeliver = () => store.webhooks.redeliverFailed(business.id, redelivery, "operator", T0 + 100, 100, null);
  expect(await redeliver()).toEqual({ scheduled: 2, next: null });
  expect(await redeliver()).toEqual({ scheduled: 0, next: null });
  expect(await claim(store, T0 + 100)).toEqual([expect.objectContaining({ id: ids[0], attempt: 1, ...receiver })]);
  expect((await claim(store, T0 + 200)).map(({ id }) => id)).toEqual([ids[2]]);
  const failed = await store.webhooks.deliveryPage(business.id, 9, null, { status: "failed", since: T0 + 1 });
  expect(failed.deliveries.map(({ id }) => id)).toEqual([ids[3]]);
});

test("steps of a redelivery schedule no delivery again that fails meanwhile", async (context) => {
  const { store, business } = context;
  const { id: subscriptionId, url } = await add(context);
  const one = { businessId: business.id, webhookId: subscriptionId, subscriptionId, event: "test", url, payload: "{}" };
  const count = 501;
  for (let i = 0; i < count; i++) await store.webhooks.record({ ...one, id: newId("dlv", T0), createdAt: T0 + (i >> 8) }, "operator");
  await store.subscriptions.update(business.id, subscriptionId, { status: "paused" }, "operator", T0);
  const redelivery = { subscriptionId, since: T0, until: T0 + 9, receiver: { webhookId: subscriptionId, url, maxAttempts: 1 } };
  const { scheduled, next } = await store.webhooks.redeliverFailed(business.id, redelivery, "operator", T0, 0, null);
  expect([scheduled, next]).toEqual([500, [T0 + 1, expect.any(Number)]]);
  await store.subscriptions.update(business.id, subscriptionId, { status: "paused" }, "operator", T0);
  const last = await store.webhooks.redeliverFailed(business.id, redelivery, "operator", T0, 0, next);
  expect(last).toEqual({ scheduled: 1, next: null });
});

test("a slow receiver delays no other one of its business, and dead ones take slots of their own", async (context) => {
  const { store } = context;
  const slow = await add(context);
  for (let i = 0; i < 20; i++) await addText(context, `${i}`);
  await store.feed.sequence(T0);
  const claimMore = (limit: number, receivers: number) => store.webhooks.claim(limit, 8, SEND_MS, T0, 0, [], { receivers });
  expect(await claimMore(4, 0)).toHaveLength(4);
  const quick = await add(context);
  await addText(context, "Last");
  await store.feed.sequence(T0);
  expect(await claimMore(0, 0)).toEqual([]);
  const [only, ...others] = await claimMore(0, 5);
  expect([only?.subscriptionId, others]).toEqual([quick.id, []]);
  const [first] = await claimMore(1, 0);
  expect(first?.subscriptionId).toBe(slow.id);
  await store.webhooks.recordOutcome(first!, "{}", T0, FAILURE);
  expect(await claimMore(9, 9)).toEqual([]);
  expect(await store.webhooks.claim(9, 1, SEND_MS, T0, 0, [], { isFailing: true })).toEqual([]);
});

test("an interrupted delivery is tried again if it has attempts left", async (context) => {
  const { store, business } = context;
  await add(context);
  await add(context, { retries: false });
  await addText(context, "One");
  await store.feed.sequence(T0);
  const claimed = await claim(store);
  await store.webhooks.recover(T0 + 10 * SEND_MS);
  const statuses = await Promise.all(claimed.map(async ({ id }) => (await store.webhooks.delivery(business.id, id))!.status));
  expect(statuses.toSorted()).toEqual(["failed", "retrying"]);
  expect((await claim(store, T0 + 10 * SEND_MS)).map(({ attempt }) => attempt)).toEqual([2]);
});
