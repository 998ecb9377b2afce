import { conflict, notFound } from "#domain/core/errors/error.ts";
import type { Authorized } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import { newId } from "#domain/core/system.ts";
import { countAttempts } from "#domain/events/subscription.ts";
import {
  DEFAULT_EVENTS,
  type Delivery,
  type DeliveryCursor,
  type DeliveryReceiver,
  type EventType,
  type Redelivery,
  type RedeliveryStep,
  type RedeliveryTime,
  type SubscriptionManager,
  TEST_EVENT,
  type Webhook,
  type WebhookOwner,
  type WebhookPatch,
  type WebhookSecrets,
  newWebhookSecret,
} from "#domain/settings/webhook.ts";
import type { Deps, LinkRules, StoreDeps, WorkDeps } from "../deps.ts";
import { createSteps } from "../work-queue.ts";
import { requireUrl } from "../content/links.ts";

type WebhookDeps = StoreDeps & Pick<Deps, "secretBox" | "links">;

/** How long the previous secret signs in addition to the new one, by default. */
export const OVERLAP_MS = 24 * 3_600_000;

/** Returns the address of a receiver as it is stored. Throws 400 for one that can't be used. */
export const readReceiver = (links: LinkRules, url: string): string =>
  requireUrl(links.readWebhook(url), "A receiver on your own network needs its host:port in WEBHOOK_ALLOW.").href;

/** Sets the address and creates a secret. Waiting events are sent if the address is the same. The returned secret can't be read again. */
export async function setWebhook(
  { store, clock, secretBox, links }: WebhookDeps,
  businessId: string,
  input: { readonly url: string; readonly events?: readonly EventType[]; readonly retries?: boolean; readonly actor: WebhookOwner },
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const url = readReceiver(links, input.url);
  const now = clock.now();
  const secret = newWebhookSecret();
  const webhook: Webhook = {
    id: newId("whk", now),
    businessId,
    url,
    events: input.events ?? DEFAULT_EVENTS,
    retries: input.retries ?? false,
    sealedSecret: secretBox.seal(secret, businessId),
    ...NO_PREVIOUS,
    createdAt: now,
    updatedAt: now,
  };
  return { webhook: await store.webhooks.put(webhook, input.actor), secret };
}

/** Changes the address, the events or the retries of the webhook. Its secret does not change. */
export async function updateWebhook(
  { store, clock, links }: WebhookDeps,
  businessId: string,
  { url, ...patch }: WebhookPatch,
  owner: WebhookOwner,
): Promise<Webhook> {
  const changes = { ...patch, ...(url === undefined ? {} : { url: readReceiver(links, url) }) };
  const webhook = await store.webhooks.update(businessId, changes, owner, clock.now());
  if (webhook === null) throw notFound("Webhook");
  return webhook;
}

/** Creates a new secret. The previous one also signs for `overlapMs`. */
export async function rotateWebhook(
  { store, clock, secretBox }: WebhookDeps,
  businessId: string,
  overlapMs: number,
  actor: WebhookOwner,
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const now = clock.now();
  const secret = newWebhookSecret();
  const rotate = (current: Webhook): WebhookSecrets => replaceSecret(secretBox, current, secret, now + overlapMs);
  const webhook = await store.webhooks.rotate(businessId, rotate, actor, now);
  if (webhook === null) throw notFound("Webhook");
  return { webhook, secret };
}

export const NO_PREVIOUS = { sealedPrevious: null, previousUntil: null };

type Sealed = Pick<Webhook, "sealedSecret" | "businessId">;

/** Returns the secrets of a receiver with a new one. The current one also signs until `previousUntil`. */
export const replaceSecret = (
  secretBox: WebhookDeps["secretBox"],
  current: Sealed,
  secret: string,
  previousUntil: number,
): WebhookSecrets => ({
  sealedSecret: secretBox.seal(secret, current.businessId),
  // A secret that can't be opened could not sign, and would make events wait.
  ...(opens(secretBox, current) ? { sealedPrevious: current.sealedSecret, previousUntil } : NO_PREVIOUS),
});

function opens(secretBox: WebhookDeps["secretBox"], { sealedSecret, businessId }: Sealed): boolean {
  try {
    secretBox.open(sealedSecret, businessId);
    return true;
  } catch {
    return false;
  }
}

export const clearWebhook = ({ store, clock }: WebhookDeps, businessId: string, actor: WebhookOwner): Promise<boolean> =>
  store.webhooks.clear(businessId, actor, clock.now());

export const listDeliveries = ({ store }: WebhookDeps, businessId: string, limit: number): Promise<Delivery[]> =>
  store.webhooks.deliveries(businessId, limit);

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

/** Sends a test event to the receiver. Returns the id of the delivery. */
export async function sendTestEvent({ store, clock }: WebhookDeps, businessId: string, owner: WebhookOwner): Promise<string> {
  const webhook = await requireWebhook(store, businessId);
  const now = clock.now();
  const id = newId("dlv", now);
  const payload = JSON.stringify({ message: "This is a test. If its signature verifies, the receiver is ready." });
  await store.webhooks.record(
    { id, businessId, webhookId: webhook.id, event: TEST_EVENT, url: webhook.url, payload, createdAt: now },
    owner,
  );
  return id;
}

/** Sends a recorded event again as a new delivery. Returns the id of the new delivery. */
export async function redeliver(
  { store, clock }: WebhookDeps,
  businessId: string,
  deliveryId: string,
  owner: WebhookOwner,
): Promise<string> {
  const webhook = await requireWebhook(store, businessId);
  const original = await requireDelivery({ store }, businessId, deliveryId);
  return recordAgain({ store, clock }, original, toReceiver(webhook), owner);
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

/** Sends the failed events of this time again, to the webhook as it is now. Returns how many. */
export async function redeliverFailed(
  deps: WorkDeps,
  scope: Authorized<Business, "own">,
  time: RedeliveryTime,
  by: WebhookOwner,
  signal: AbortSignal,
): Promise<number> {
  const receiver = toReceiver(await requireWebhook(deps.store, scope.target.id));
  return scheduleFailed(deps, scope, { ...time, subscriptionId: "", receiver, by }, signal);
}

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

/** Throws 404 when no webhook is set. */
export async function requireWebhook(store: Deps["store"], businessId: string): Promise<Webhook> {
  const webhook = await store.webhooks.find(businessId);
  if (webhook === null) throw notFound("Webhook");
  return webhook;
}
