import { expect } from "vitest";
import { newId } from "#domain/core/system.ts";
import type { Delivery } from "#domain/events/delivery.ts";
import type { SubscriptionStatus } from "#domain/events/subscription.ts";
import { newSubscription, T0 } from "../../support/boards.ts";
import { FAILURE, SEND_MS, SUCCESS } from "../settings/record-delivery.ts";
import { addText, type StoreContext } from "../store-context.ts";
import { test } from "../store-test.ts";

/** A subscription with a delivery that is being sent. */
async function startSending({ store, business, scope }: StoreContext) {
  const { id } = await store.subscriptions.create(newSubscription(business.id), "operator");
  await addText({ store, scope }, "One");
  await store.feed.sequence(T0);
  const [sending] = await store.webhooks.claim(1, 1, SEND_MS, T0);
  const setStatus = (status: SubscriptionStatus) => store.subscriptions.update(business.id, id, { status }, "operator", T0 + 1);
  const read = async () => (await store.webhooks.delivery(business.id, sending!.id))!;
  const claimAll = async (): Promise<Delivery[]> => {
    const claim = (isFailing: boolean) => store.webhooks.claim(9, 9, SEND_MS, T0 + 90_000, 0, [], { isFailing });
    return [...(await claim(false)), ...(await claim(true))];
  };
  return { id, sending: sending!, setStatus, read, claimAll };
}

test("what a pause left waiting is not sent after the webhook is resumed", async (context) => {
  const { store, business } = context;
  const { id, setStatus, claimAll, sending } = await startSending(context);
  await store.webhooks.recordOutcome(sending, "{}", T0, SUCCESS);
  await setStatus("paused");
  // As if the process had ended before it had ended what waits.
  const left = {
    businessId: business.id,
    webhookId: id,
    subscriptionId: id,
    event: "tile.ready",
    url: "https://a.example/",
    payload: "{}",
  };
  for (let i = 0; i < 501; i++) await store.webhooks.record({ ...left, id: newId("dlv", T0), createdAt: T0 }, "operator");
  await setStatus("active");
  expect(await claimAll()).toEqual([]);
  const { deliveries } = await store.webhooks.deliveryPage(business.id, 999, null, { subscriptionId: id, status: "failed" });
  expect(deliveries).toHaveLength(501);
  expect(new Set(deliveries.map(({ error }) => error))).toEqual(new Set(["The webhook was paused before this was sent."]));
});

test("a delivery that was interrupted around a pause is not sent after the webhook is resumed", async (context) => {
  const { store } = context;
  const { setStatus, read, claimAll } = await startSending(context);
  await setStatus("paused");
  await setStatus("active");
  await store.webhooks.recover(T0 + 10 * SEND_MS);
  expect(await read()).toMatchObject({ status: "failed", retryAt: null, error: expect.stringMatching(/may have arrived/) });
  expect(await claimAll()).toEqual([]);
});

test("a delivery that was claimed during a pause and interrupted is not sent after the webhook is resumed", async (context) => {
  const { store, business } = context;
  const { id, setStatus, claimAll, sending } = await startSending(context);
  await store.webhooks.recordOutcome(sending, "{}", T0, SUCCESS);
  await setStatus("paused");
  const late = { id: newId("dlv", T0), businessId: business.id, webhookId: id, subscriptionId: id, url: "https://a.example/" };
  await store.webhooks.record({ ...late, event: "tile.ready", payload: "{}", createdAt: T0, maxAttempts: 7 }, "operator");
  expect(await store.webhooks.claim(1, 1, SEND_MS, T0)).toHaveLength(1);
  await setStatus("active");
  await store.webhooks.recover(T0 + 10 * SEND_MS);
  expect(await claimAll()).toEqual([]);
  expect(await store.webhooks.delivery(business.id, late.id)).toMatchObject({ status: "failed" });
});

test("what was being sent at a pause has no further attempt, and keeps its outcome", async (context) => {
  const { store } = context;
  const { setStatus, read, sending } = await startSending(context);
  await setStatus("paused");
  await setStatus("active");
  expect(await store.webhooks.recordOutcome(sending, "{}", T0 + 2, FAILURE, T0 + 5_000)).toBe(true);
  expect(await read()).toMatchObject({ status: "failed", retryAt: null, error: FAILURE.error, responseStatus: 500 });
});

test("resuming a webhook that is active ends nothing", async (context) => {
  const { store } = context;
  const { setStatus, read, sending } = await startSending(context);
  await store.webhooks.recordOutcome(sending, "{}", T0 + 2, FAILURE, T0 + 5_000);
  await setStatus("active");
  expect(await read()).toMatchObject({ status: "retrying", retryAt: T0 + 5_000 });
});
