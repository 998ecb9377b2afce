import { notFound } from "#domain/core/errors/error.ts";
import type { Authorized } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import { newId } from "#domain/core/system.ts";
import type { Delivery, RedeliveryTime } from "#domain/events/delivery.ts";
import {
  DEFAULT_EVENTS,
  type EventType,
  TEST_EVENT,
  type Webhook,
  type WebhookOwner,
  type WebhookPatch,
  type WebhookSecrets,
  newWebhookSecret,
} from "#domain/settings/webhook.ts";
import type { Deps, LinkRules, StoreDeps, WorkDeps } from "../deps.ts";
import { requireUrl } from "../content/links.ts";
import { recordAgain, requireDelivery, scheduleFailed, toReceiver } from "../events/deliveries.ts";

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

/** Lists the newest deliveries of the webhook of the business, or of a subscription. */
export const listDeliveries = ({ store }: WebhookDeps, businessId: string, limit: number, subscriptionId?: string): Promise<Delivery[]> =>
  store.webhooks.deliveries(businessId, limit, subscriptionId);

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

/** Throws 404 when no webhook is set. */
export async function requireWebhook(store: Deps["store"], businessId: string): Promise<Webhook> {
  const webhook = await store.webhooks.find(businessId);
  if (webhook === null) throw notFound("Webhook");
  return webhook;
}
