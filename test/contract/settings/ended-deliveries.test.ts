import { expect } from "vitest";
import { newId } from "#domain/core/system.ts";
import type { Delivery, DeliveryOutcome, DeliveryCursor } from "#domain/events/delivery.ts";
import type { Webhook } from "#domain/settings/webhook.ts";
import { newWebhook, seedBusiness, T0 } from "../../support/boards.ts";
import { SEND_MS, SUCCESS, FAILURE, recordDelivery, statuses } from "./record-delivery.ts";
import { test } from "../store-test.ts";

test("deliveries that were closed keep their outcome", async ({ store, business }) => {
  const webhook = newWebhook(business.id);
  await store.webhooks.put(webhook, "operator");
  const id = await recordDelivery(store, webhook);
  const [claimed] = await store.webhooks.claim(1, 1, SEND_MS, T0);
  expect(await store.webhooks.recordOutcome(claimed!, "{}", T0 + 1, SUCCESS)).toBe(true);
  const closed = await store.webhooks.delivery(business.id, id);
  expect(await store.webhooks.recordOutcome(claimed!, "{}", T0 + 2, FAILURE)).toBe(false);
  expect(await store.webhooks.delivery(business.id, id)).toEqual(closed);
  const waiting = await recordDelivery(store, webhook, T0 + 3);
  expect(await store.webhooks.recordOutcome({ ...claimed!, id: waiting }, "{}", T0 + 4, FAILURE)).toBe(false);
  expect(await store.webhooks.delivery(business.id, waiting)).toMatchObject({ status: "pending" });
});

test("the log has the address to which a delivery was sent", async ({ store, business }) => {
  const webhook = newWebhook(business.id);
  await store.webhooks.put(webhook, "operator");
  const id = await recordDelivery(store, webhook);
  const [claimed] = await store.webhooks.claim(1, 1, SEND_MS, T0);
  await store.webhooks.recordOutcome({ ...claimed!, url: "https://new.example/" }, "{}", T0 + 1, SUCCESS);
  expect(await store.webhooks.delivery(business.id, id)).toMatchObject({ url: "https://new.example/" });
});

test("a delivery of which nothing was sent ends without an attempt", async ({ store, business }) => {
  const webhook = newWebhook(business.id);
  await store.webhooks.put(webhook, "operator");
  const id = await recordDelivery(store, webhook);
  const [claimed] = await store.webhooks.claim(1, 1, SEND_MS, T0);
  expect(await store.webhooks.recordUnsent(claimed!, "It was paused.")).toBe(true);
  expect(await store.webhooks.delivery(business.id, id)).toMatchObject({
    ...{ status: "failed", error: "It was paused.", attempt: 0, attempts: null, body: null, sentAt: null, durationMs: null },
  });
  expect(await store.webhooks.recordUnsent(claimed!, "It was removed.")).toBe(false);
  expect(await store.webhooks.recordOutcome(claimed!, "{}", T0 + 2, SUCCESS)).toBe(false);
});

test("deliveries are logged newest first, for their own business", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  const webhook = newWebhook(business.id);
  const ids: string[] = [];
  for (const at of [T0, T0 + 2, T0 + 2, T0 + 1]) ids.push(await recordDelivery(store, webhook, at));
  const expected: Partial<Delivery> = {
    businessId: business.id,
    webhookId: webhook.id,
    event: "tile.ready",
    url: webhook.url,
    payload: "{}",
    status: "pending",
    body: null,
    responseStatus: null,
    responseStart: null,
    error: null,
    durationMs: null,
    sentAt: null,
  };
  expect(await store.webhooks.deliveries(business.id, 10)).toMatchObject([2, 1, 3, 0].map((i) => ({ ...expected, id: ids[i]! })));
  expect(await store.webhooks.deliveries(business.id, 1)).toMatchObject([{ id: ids[2] }]);
  expect(await store.webhooks.delivery(business.id, ids[0]!)).toMatchObject({ id: ids[0], createdAt: T0 });
  expect(await store.webhooks.delivery(other.business.id, ids[0]!)).toBeNull();
  expect(await store.webhooks.deliveries(other.business.id, 10)).toEqual([]);
});

test("deliveries are paged newest first, without gaps or duplicates, also with equal times and new deliveries", async ({
  store,
  business,
}) => {
  const other = await seedBusiness(store, "Other Lab");
  const webhook = newWebhook(business.id);
  const ids: string[] = [];
  for (const at of [T0, T0 + 1, T0 + 1, T0 + 1, T0 + 2]) ids.push(await recordDelivery(store, webhook, at));
  await recordDelivery(store, newWebhook(other.business.id), T0 + 1);
  const seen: string[] = [];
  let after: DeliveryCursor | null = null;
  for (const size of [2, 2, 1]) {
    const page = await store.webhooks.deliveryPage(business.id, 2, after);
    expect(page.deliveries).toHaveLength(size);
    for (const row of page.deliveries) for (const field of ["body", "payload", "responseStart"]) expect(row).not.toHaveProperty(field);
    seen.push(...page.deliveries.map(({ id }) => id));
    after = page.next;
    await recordDelivery(store, webhook, T0 + 9);
  }
  expect(after).toBeNull();
  expect(seen).toEqual([4, 3, 2, 1, 0].map((i) => ids[i]));
});

test("deliveries interrupted by a crash are closed and never repeated; pending ones stay pending", async ({ store, business }) => {
  const webhook = newWebhook(business.id);
  const half = await recordDelivery(store, webhook, T0);
  await store.webhooks.claim(1, 1, SEND_MS, T0 + 20);
  const waiting = await recordDelivery(store, webhook, T0 + 1);
  expect(await store.webhooks.recover(T0 + 21 + SEND_MS)).toBe(1);
  expect(await store.webhooks.delivery(business.id, half)).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/may have arrived/),
  });
  expect((await store.webhooks.claim(9, 9, SEND_MS, T0 + 20)).map(({ id }) => id)).toEqual([waiting]);
  expect(await store.webhooks.recover(T0 + 21 + SEND_MS)).toBe(1);
  expect(await store.webhooks.recover(T0 + 21 + SEND_MS)).toBe(0);
  expect(await statuses(store, business.id)).toEqual(["failed", "failed"]);
});

test("a sender that lost a delivery changes nothing after another one has claimed it", async ({ store, business }) => {
  const { id: webhookId, url } = newWebhook(business.id);
  const id = newId("dlv", T0);
  const event = { event: "tile.ready", payload: "{}", createdAt: T0 } as const;
  await store.webhooks.record({ id, businessId: business.id, webhookId, url, maxAttempts: 3, ...event }, "operator");
  const claim = async (now: number): Promise<Delivery> => (await store.webhooks.claim(1, 1, SEND_MS, now))[0] as Delivery;
  const lost = await claim(T0);
  expect(await store.webhooks.recover(T0 + 1 + SEND_MS)).toBe(1);
  const later = T0 + 2 + SEND_MS;
  const current = await claim(later);
  expect([lost.attempt, current.attempt]).toEqual([1, 2]);
  await store.webhooks.returnToQueue(lost);
  expect(await store.webhooks.recordOutcome(lost, "{}", later, FAILURE, later + 1)).toBe(false);
  expect(await store.webhooks.delivery(business.id, id)).toMatchObject({ status: "sending", attempt: 2 });
  expect(await store.webhooks.recordOutcome(current, "{}", later, SUCCESS)).toBe(true);
  expect(await statuses(store, business.id)).toEqual(["succeeded"]);
});

test("deliveries that ended before the purge time are erased in steps; later, pending and running ones stay", async ({
  store,
  business,
}) => {
  const other = await seedBusiness(store, "Other Lab");
  const [webhook, foreign] = [newWebhook(business.id), newWebhook(other.business.id)];
  await store.webhooks.put(webhook, "operator");
  await store.webhooks.put(foreign, "operator");
  const end = async (of: Webhook, createdAt: number, outcome: DeliveryOutcome): Promise<void> => {
    await recordDelivery(store, of, createdAt);
    const [delivery] = await store.webhooks.claim(1, 2, SEND_MS, createdAt);
    await store.webhooks.recordOutcome(delivery as Delivery, "{}", createdAt, outcome);
  };
  await end(webhook, T0, SUCCESS);
  await end(webhook, T0 + 1, FAILURE);
  await end(foreign, T0 + 2, SUCCESS);
  await end(webhook, T0 + 100, SUCCESS);
  await recordDelivery(store, webhook, T0 + 3);
  await store.webhooks.claim(1, 2, SEND_MS, T0 + 101);
  await recordDelivery(store, webhook, T0 + 4);
  expect(await store.purge(T0 + 50, T0 + 101)).toBe(3);
  expect(await statuses(store, business.id)).toEqual(["pending", "sending", "succeeded"]);
  expect(await statuses(store, other.business.id)).toEqual([]);
  expect(await store.purge(T0 + 50, T0 + 102)).toBe(0);
});
