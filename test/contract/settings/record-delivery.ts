import type { Store } from "#domain/store.ts";
import { newId } from "#domain/core/system.ts";
import type { DeliveryOutcome } from "#domain/events/delivery.ts";
import type { Webhook } from "#domain/settings/webhook.ts";
import { T0 } from "../../support/boards.ts";

export const SEND_MS = 1_000;

export const SUCCESS: DeliveryOutcome = { ok: true, responseStatus: 204, responseStart: "", error: null, durationMs: 12.6 };

export const FAILURE: DeliveryOutcome = { ok: false, responseStatus: 500, responseStart: "Oops", error: "It answered 500.", durationMs: 3 };

export async function recordDelivery(store: Store, webhook: Webhook, createdAt = T0): Promise<string> {
  const id = newId("dlv", createdAt);
  const { businessId, id: webhookId, url } = webhook;
  await store.webhooks.record({ id, businessId, webhookId, event: "tile.ready", url, payload: "{}", createdAt }, "operator");
  return id;
}

export const statuses = async (store: Store, businessId: string): Promise<string[]> =>
  (await store.webhooks.deliveries(businessId, 100)).map(({ status }) => status).sort();
