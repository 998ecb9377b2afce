import { expect } from "vitest";
import { newWebhook, seedBusiness, T0 } from "../../support/boards.ts";
import { SEND_MS, SUCCESS, FAILURE, recordDelivery, statuses } from "./record-delivery.ts";
import { test } from "../store-test.ts";

test("deliveries are claimed oldest first, each once, up to the limit and of one business", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  const webhook = newWebhook(business.id);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(await recordDelivery(store, webhook, T0 + i));
  const foreign = await recordDelivery(store, newWebhook(other.business.id), T0 + 9);
  expect(await store.webhooks.claim(0, 2, SEND_MS, T0 + 20)).toEqual([]);
  const [alone] = await store.webhooks.claim(1, 2, SEND_MS, T0 + 20);
  expect(alone).toMatchObject({ id: ids[0] });
  expect((await store.webhooks.claim(9, 2, SEND_MS, T0 + 20)).map(({ id }) => id)).toEqual([ids[1], foreign]);
  expect(await store.webhooks.claim(9, 2, SEND_MS, T0 + 20)).toEqual([]);
  await store.webhooks.recordOutcome(alone!, "{}", T0 + 10, FAILURE);
  expect((await store.webhooks.claim(9, 2, SEND_MS, T0 + 20)).map(({ id }) => id)).toEqual([ids[2]]);
  expect(await store.webhooks.delivery(business.id, ids[2]!)).toMatchObject({ status: "sending" });
});

test("deliveries are claimed for the business with the fewest being sent, and beyond the limit for those with none", async ({
  store,
  business,
}) => {
  const [second, third] = [await seedBusiness(store, "Second"), await seedBusiness(store, "Third")];
  for (let i = 0; i < 20; i++) await recordDelivery(store, newWebhook(business.id), T0 + i);
  const claim = async (limit: number, reserved: number): Promise<string[]> =>
    (await store.webhooks.claim(limit, 8, SEND_MS, T0 + 50, reserved)).map(({ businessId }) => businessId);
  const [many, two, three] = [business.id, second.business.id, third.business.id];
  expect(await claim(3, 0)).toEqual([many, many, many]);
  expect(await claim(0, 5)).toEqual([]);
  for (let i = 0; i < 3; i++) await recordDelivery(store, newWebhook(two), T0 + 30 + i);
  expect(await claim(0, 5)).toEqual([two]);
  for (let i = 0; i < 2; i++) await recordDelivery(store, newWebhook(three), T0 + 40 + i);
  expect(await claim(3, 0)).toEqual([two, three, three]);
  expect(await claim(9, 0)).toEqual([many, many, many, many, many, two]);
});

test("deliveries are never claimed twice by concurrent claims", async ({ store, business }) => {
  const webhook = newWebhook(business.id);
  for (let i = 0; i < 20; i++) await recordDelivery(store, webhook, T0 + i);
  const claims = await Promise.all(Array.from({ length: 8 }, () => store.webhooks.claim(4, 100, SEND_MS, T0 + 20)));
  const ids = claims.flat().map(({ id }) => id);
  expect(ids).toHaveLength(20);
  expect(new Set(ids).size).toBe(20);
});

test("deliveries are completed with the exact body and the result", async ({ store, business }) => {
  const webhook = newWebhook(business.id);
  for (const [at, outcome] of [
    [T0, SUCCESS],
    [T0 + 1, FAILURE],
  ] as const) {
    const id = await recordDelivery(store, webhook, at);
    const [claimed] = await store.webhooks.claim(1, 1, SEND_MS, T0 + 20);
    await store.webhooks.recordOutcome(claimed!, '{"event":"🎉"}', T0 + 5, outcome);
    expect(await store.webhooks.delivery(business.id, id)).toMatchObject({
      status: outcome.ok ? "succeeded" : "failed",
      body: '{"event":"🎉"}',
      sentAt: T0 + 5,
      responseStatus: outcome.responseStatus,
      responseStart: outcome.responseStart,
      error: outcome.error,
      durationMs: Math.round(outcome.durationMs),
    });
  }
  expect(await store.webhooks.claim(9, 9, SEND_MS, T0 + 20)).toEqual([]);
});

test("deliveries notify the sender once recorded, until it unsubscribes", async ({ store, business }) => {
  const webhook = newWebhook(business.id);
  const seen: Promise<string[]>[] = [];
  const stop = store.webhooks.onDelivery(() => seen.push(statuses(store, business.id)));
  await recordDelivery(store, webhook);
  stop();
  expect(await Promise.all(seen)).toEqual([["pending"]]);
  await recordDelivery(store, webhook);
  expect(seen).toHaveLength(1);
});
