import { expect, test, vi } from "vitest";
import { NO_LOG } from "#domain/core/log.ts";
import { ShortageError } from "#domain/core/errors/shortage.ts";
import type { Delivery, DeliveryOutcome } from "#domain/events/delivery.ts";
import type { WebhookStore } from "#domain/settings/webhook.ts";
import type { Store } from "#domain/store.ts";
import { startDelivering } from "#service/background/deliver.ts";
import { newSubscription, newWebhook, T0 } from "../support/boards.ts";

test("a delivery waits while this machine is short of something, and is no failure", async () => {
  const webhook = newWebhook("biz_1");
  const delivery = { id: "dlv_1", businessId: "biz_1", webhookId: webhook.id, url: webhook.url, event: "test", payload: "{}" } as Delivery;
  const queue = [delivery];
  const outcomes: DeliveryOutcome[] = [];
  const webhooks: Partial<WebhookStore> = {
    claim: async () => queue.splice(0),
    find: async () => webhook,
    returnToQueue: async (returned) => void queue.push(returned),
    recordOutcome: async (_delivery, _body, _sentAt, outcome) => outcomes.push(outcome) > 0,
    onDelivery: () => () => {},
  };
  let attempts = 0;
  const counted: string[] = [];
  const delivering = startDelivering({
    store: { webhooks } as unknown as Store,
    clock: { now: () => T0 },
    secretBox: { seal: (text) => text, open: (text) => text },
    sender: {
      async send() {
        if (++attempts === 1) throw new ShortageError("file_handles");
        return { ok: true, responseStatus: 200, responseStart: "", error: null, durationMs: 1 };
      },
    },
    meter: { countDelivery: (result) => void counted.push(result) },
    timeoutMs: 1_000,
    log: NO_LOG,
  });
  await vi.waitFor(() => expect(outcomes).toMatchObject([{ ok: true }]), { timeout: 20_000 });
  expect(attempts).toBe(2);
  await vi.waitFor(() => expect(counted).toEqual(["postponed", "succeeded"]));
  await delivering.stop(0);
});

test.each([
  [{ keyId: "key_ended", includeTile: true }, /^The API key of the webhook expired .+ Register the webhook again with a new key\./],
  [{ status: "paused", includeTile: true }, /paused/],
] as const)("nothing is sent to a subscription with %j, which is no attempt", async (more, reason) => {
  const subscription = newSubscription("biz_1", more);
  const { id, businessId } = subscription;
  const payload = JSON.stringify({ tileId: "til_1" });
  const queue = [{ id: "dlv_1", businessId, webhookId: id, subscriptionId: id, event: "tile.ready", payload } as Delivery];
  const ended: string[] = [];
  const webhooks: Partial<WebhookStore> = {
    claim: async () => queue.splice(0),
    recordUnsent: async (_delivery, error) => ended.push(error) > 0,
    onDelivery: () => () => {},
  };
  const subscriptions: Partial<Store["subscriptions"]> = { find: async () => subscription };
  const apiKeys: Partial<Store["apiKeys"]> = { findEnded: async (keys) => keys.map((key) => key.id) };
  const counted: string[] = [];
  const delivering = startDelivering({
    store: { webhooks, subscriptions, apiKeys } as unknown as Store,
    clock: { now: () => T0 },
    secretBox: { seal: (text) => text, open: (text) => text },
    sender: { send: () => expect.unreachable() },
    presentTile: () => expect.unreachable(),
    meter: { countDelivery: (result) => void counted.push(result) },
    timeoutMs: 1_000,
    log: NO_LOG,
  });
  await vi.waitFor(() => expect(counted).toEqual(["failed"]), { timeout: 20_000 });
  expect(ended).toEqual([expect.stringMatching(reason)]);
  await delivering.stop(0);
});

test("what waits is sent to the address that the webhook has now, which the log shows", async () => {
  const old = newWebhook("biz_1");
  const webhook = { ...old, url: "https://new.example/hook" };
  const waiting = { businessId: "biz_1", webhookId: old.id, subscriptionId: "", url: old.url, event: "test", payload: "{}", attempt: 1 };
  const queue = [
    { ...waiting, id: "dlv_1" },
    { ...waiting, id: "dlv_2", webhookId: "whk_before" },
  ] as Delivery[];
  const [sent, logged]: [string[], string[]] = [[], []];
  const webhooks: Partial<WebhookStore> = {
    claim: async () => queue.splice(0),
    find: async () => webhook,
    recordOutcome: async ({ url }) => logged.push(url) > 0,
    recordUnsent: async ({ url }, error) => logged.push(`${url} ${error}`) > 0,
    onDelivery: () => () => {},
  };
  const delivering = startDelivering({
    store: { webhooks } as unknown as Store,
    clock: { now: () => T0 },
    secretBox: { seal: (text) => text, open: (text) => text },
    sender: { send: async ({ url }) => ({ ok: sent.push(url) > 0, responseStatus: 200, responseStart: "", error: null, durationMs: 1 }) },
    meter: { countDelivery: () => {} },
    timeoutMs: 1_000,
    log: NO_LOG,
  });
  await vi.waitFor(() => expect(logged).toHaveLength(2), { timeout: 20_000 });
  expect(sent).toEqual([webhook.url]);
  expect(logged.toSorted()).toEqual([webhook.url, `${old.url} The webhook was removed before this was sent.`].toSorted());
  await delivering.stop(0);
});
