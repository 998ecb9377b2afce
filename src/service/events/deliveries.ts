import type { Authorized } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import { conflict, notFound } from "#domain/core/errors/error.ts";
import { newId } from "#domain/core/system.ts";
import type { Delivery, DeliveryCursor, DeliveryReceiver, Redelivery, RedeliveryStep } from "#domain/events/delivery.ts";
import { countAttempts } from "#domain/events/subscription.ts";
import type { SubscriptionManager, Webhook, WebhookOwner } from "#domain/settings/webhook.ts";
import type { Deps, StoreDeps, WorkDeps } from "../deps.ts";
import { createSteps } from "../work-queue.ts";

/** Throws 404 when the receiver has no such delivery. Without `subscriptionId` it is the webhook of the business. */
export async function requireDelivery(
  { store }: Pick<Deps, "store">,
  businessId: string,
  deliveryId: string,
  subscriptionId = "",
): Promise<Delivery> {
  const delivery = await store.webhooks.delivery(businessId, deliveryId);
  if (delivery?.subscriptionId !== subscriptionId) throw notFound("Delivery");
  return delivery;
}

/** Returns where the events of a webhook or a subscription are sent. */
export const toReceiver = ({ id: webhookId, url, retries }: Pick<Webhook, "id" | "url" | "retries">): DeliveryReceiver => ({
  webhookId,
  url,
  maxAttempts: countAttempts(retries),
});

/** Records an ended delivery again, for its receiver as it is now. Returns the id of the new delivery. */
export async function recordAgain(
  { store, clock }: StoreDeps,
  { businessId, status, event, payload, subscriptionId }: Delivery,
  receiver: DeliveryReceiver,
  by: WebhookOwner | SubscriptionManager,
): Promise<string> {
  if (status !== "succeeded" && status !== "failed")
    throw conflict("This delivery is still in progress. Try again when it has ended.", "delivery_in_progress");
  const now = clock.now();
  const id = newId("dlv", now);
  await store.webhooks.record({ ...receiver, id, businessId, subscriptionId, event, payload, createdAt: now }, by);
  return id;
}

/** The pause between two deliveries that are sent again together: 10 a second. */
const REDELIVERY_INTERVAL_MS = 100;

/** Schedules the failed deliveries of a receiver that were recorded in this time, evenly. Returns how many. */
export async function scheduleFailed(
  deps: WorkDeps,
  { actor, target }: Authorized<Business, "own"> | Authorized<Business, "subscribe">,
  { by, ...redelivery }: Redelivery & { readonly by: WebhookOwner | SubscriptionManager },
  signal: AbortSignal,
): Promise<number> {
  const runStep = createSteps(deps, actor, signal);
  const { webhooks } = deps.store;
  const startAt = deps.clock.now();
  const run = (at: number, after: DeliveryCursor | null): Promise<RedeliveryStep> =>
    runStep(() => webhooks.redeliverFailed(target.id, redelivery, by, at, REDELIVERY_INTERVAL_MS, after));
  let { scheduled, next } = await run(startAt, null);
  while (next !== null) {
    const step = await run(startAt + scheduled * REDELIVERY_INTERVAL_MS, next);
    scheduled += step.scheduled;
    next = step.next;
  }
  return scheduled;
}
