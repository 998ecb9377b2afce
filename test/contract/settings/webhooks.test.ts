import { expect } from "vitest";
import { newId } from "#domain/core/system.ts";
import { newWebhook, seedBusiness, T0 } from "../../support/boards.ts";
import { SEND_MS, SUCCESS, recordDelivery, statuses } from "./record-delivery.ts";
import { test } from "../store-test.ts";

test("a webhook is set, changed and removed for its own business, with entries in the audit log", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  expect(await store.webhooks.find(business.id)).toBeNull();
  const webhook = newWebhook(business.id, { sealedPrevious: "before", previousUntil: T0 + 9, events: ["tile.ready", "tile.failed"] });
  expect(await store.webhooks.put(webhook, "operator")).toEqual(webhook);
  expect(await store.webhooks.find(business.id)).toEqual(webhook);
  const secrets = { sealedSecret: "new", sealedPrevious: webhook.sealedSecret, previousUntil: T0 + 5 };
  const changed = { ...webhook, ...secrets, updatedAt: T0 + 1 };
  expect(await store.webhooks.rotate(business.id, () => secrets, "operator", T0 + 1)).toEqual(changed);
  expect(await store.webhooks.rotate(other.business.id, () => secrets, "operator", T0 + 1)).toBeNull();
  expect(await store.webhooks.find(business.id)).toEqual(changed);
  expect(await store.webhooks.find(other.business.id)).toBeNull();
  expect(await store.webhooks.clear(other.business.id, "operator", T0 + 2)).toBe(false);
  expect(await store.webhooks.clear(business.id, "operator", T0 + 3)).toBe(true);
  expect(await store.webhooks.clear(business.id, "operator", T0 + 4)).toBe(false);
  expect(await store.webhooks.find(business.id)).toBeNull();
  expect((await store.auditPage(business.id, 10, null)).entries.map(({ action, at }) => [action, at])).toEqual([
    ["webhook.clear", T0 + 3],
    ["webhook.rotate", T0 + 1],
    ["webhook.set", T0],
  ]);
  expect((await store.auditPage(other.business.id, 10, null)).entries).toEqual([]);
});

test("a webhook that is set again at its address keeps its id, for which events wait, and has another id at another address", async ({
  store,
  business,
}) => {
  const first = await store.webhooks.put(newWebhook(business.id), "operator");
  const waiting = await recordDelivery(store, first);
  const again = newWebhook(business.id, { sealedSecret: "new", createdAt: T0 + 1, updatedAt: T0 + 1 });
  const kept = { ...again, id: first.id, createdAt: T0 };
  expect(await store.webhooks.put(again, "operator")).toEqual(kept);
  expect(await store.webhooks.find(business.id)).toEqual(kept);
  expect(await store.webhooks.delivery(business.id, waiting)).toMatchObject({ status: "pending", webhookId: kept.id });
  const elsewhere = newWebhook(business.id, { id: newId("whk", T0 + 2), url: "https://other.example/" });
  expect(await store.webhooks.put(elsewhere, "operator")).toEqual(elsewhere);
  expect(await store.webhooks.find(business.id)).toEqual(elsewhere);
});

test("a webhook can change its address and events, and keeps its secrets", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  expect(await store.webhooks.update(business.id, { events: [] }, "operator", T0)).toBeNull();
  const webhook = newWebhook(business.id, { sealedPrevious: "before", previousUntil: T0 + 9 });
  await store.webhooks.put(webhook, "operator");
  expect(await store.webhooks.update(business.id, {}, "operator", T0 + 1)).toEqual(webhook);
  const moved = { ...webhook, url: "https://other.example/", updatedAt: T0 + 2 };
  expect(await store.webhooks.update(business.id, { url: moved.url }, "operator", T0 + 2)).toEqual(moved);
  const quiet = { ...moved, events: [], updatedAt: T0 + 3 };
  expect(await store.webhooks.update(business.id, { events: [] }, "operator", T0 + 3)).toEqual(quiet);
  expect(await store.webhooks.update(other.business.id, { url: "https://theirs.example/" }, "operator", T0 + 4)).toBeNull();
  expect(await store.webhooks.find(business.id)).toEqual(quiet);
  expect((await store.auditPage(business.id, 10, null)).entries.map(({ action, at }) => [action, at])).toEqual([
    ["webhook.update", T0 + 3],
    ["webhook.update", T0 + 2],
    ["webhook.set", T0],
  ]);
});

test("a webhook has a delivery again that was claimed and not sent", async ({ store, business }) => {
  const webhook = newWebhook(business.id);
  await store.webhooks.put(webhook, "operator");
  const id = await recordDelivery(store, webhook);
  const [claimed] = await store.webhooks.claim(1, 1, SEND_MS, T0 + 1);
  await store.webhooks.returnToQueue(claimed!);
  const [again] = await store.webhooks.claim(1, 1, SEND_MS, T0 + 2);
  expect(again).toMatchObject({ id, status: "sending" });
  await store.webhooks.recordOutcome(again!, "{}", T0 + 3, SUCCESS);
  await store.webhooks.returnToQueue(again!);
  expect(await statuses(store, business.id)).toEqual(["succeeded"]);
});

test("removing a webhook fails pending deliveries with the reason; running ones may complete", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  const webhook = newWebhook(business.id);
  const foreign = newWebhook(other.business.id);
  await store.webhooks.put(webhook, "operator");
  await store.webhooks.put(foreign, "operator");
  const first = await recordDelivery(store, webhook);
  const [sending] = await store.webhooks.claim(1, 1, SEND_MS, T0 + 20);
  const waiting = await recordDelivery(store, webhook, T0 + 1);
  const elsewhere = await recordDelivery(store, foreign, T0 + 2);
  await store.webhooks.clear(business.id, "operator", T0 + 3);
  expect(await store.webhooks.delivery(business.id, waiting)).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/removed/),
  });
  expect((await store.webhooks.claim(9, 9, SEND_MS, T0 + 20)).map(({ id }) => id)).toEqual([elsewhere]);
  await store.webhooks.recordOutcome(sending!, "{}", T0 + 4, SUCCESS);
  expect(await store.webhooks.delivery(business.id, first)).toMatchObject({ status: "succeeded" });
});
