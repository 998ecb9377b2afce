import { expect, test, vi } from "vitest";
import { NO_LOG } from "#domain/core/log.ts";
import { ShortageError } from "#domain/core/errors/shortage.ts";
import type { Delivery, DeliveryOutcome, WebhookStore } from "#domain/settings/webhook.ts";
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

test("an event that waits for a subscription whose key has expired is not sent", async () => {
  const subscription = newSubscription("biz_1", { keyId: "key_1", includeTile: true });
  const ids = { id: "dlv_1", businessId: "biz_1", webhookId: subscription.id, subscriptionId: subscription.id };
  const queue = [
    { ...ids, url: subscription.url, event: "tile.ready", payload: '{"tileId":"til_1"}', attempt: 2, maxAttempts: 7 } as Delivery,
  ];
  const ended: (readonly [DeliveryOutcome, number | null])[] = [];
  const webhooks: Partial<WebhookStore> = {
    claim: async () => queue.splice(0),
    recordOutcome: async (_delivery, _body, _sentAt, outcome, retryAt) => ended.push([outcome, retryAt ?? null]) > 0,
    onDelivery: () => () => {},
  };
  const send = vi.fn<() => Promise<DeliveryOutcome>>();
  const delivering = startDelivering({
    store: {
      webhooks,
      subscriptions: { find: async () => subscription },
      apiKeys: { find: async () => ({ id: "key_1", expiresAt: T0 - 1 }) },
    } as unknown as Store,
    clock: { now: () => T0 },
    secretBox: { seal: (text) => text, open: (text) => text },
    sender: { send },
    meter: { countDelivery: () => {} },
    timeoutMs: 1_000,
    log: NO_LOG,
  });
  await vi.waitFor(() => expect(ended).toHaveLength(1));
  expect(ended).toMatchObject([[{ ok: false, error: "The key of this webhook expired before this was sent." }, null]]);
  expect(send).not.toHaveBeenCalled();
  await delivering.stop(0);
});
