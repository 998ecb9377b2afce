import { conflict, notFound } from "#domain/core/errors/error.ts";
import { newId } from "#domain/core/system.ts";
import {
  DEFAULT_EVENTS,
  type Delivery,
  type DeliveryCursor,
  type EventType,
  TEST_EVENT,
  type Webhook,
  type WebhookOwner,
  type WebhookSecrets,
  newWebhookSecret,
} from "#domain/settings/webhook.ts";
import type { Deps, LinkRules, StoreDeps } from "../deps.ts";
import { requireUrl } from "../content/links.ts";

type WebhookDeps = StoreDeps & Pick<Deps, "secretBox" | "links">;

/** How long the previous secret signs in addition to the new one, by default. */
export const OVERLAP_MS = 24 * 3_600_000;

const readAddress = (links: LinkRules, url: string): string =>
  requireUrl(links.readWebhook(url), "A receiver on your own network needs its host:port in WEBHOOK_ALLOW.").href;

/** Sets the address and creates a secret. Waiting events are sent if the address is the same. The returned secret can't be read again. */
export async function setWebhook(
  { store, clock, secretBox, links }: WebhookDeps,
  businessId: string,
  input: { readonly url: string; readonly events?: readonly EventType[]; readonly actor: WebhookOwner },
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const url = readAddress(links, input.url);
  const now = clock.now();
  const secret = newWebhookSecret();
  const webhook: Webhook = {
    id: newId("whk", now),
    businessId,
    url,
    events: input.events ?? DEFAULT_EVENTS,
    sealedSecret: secretBox.seal(secret, businessId),
    ...NO_PREVIOUS,
    createdAt: now,
    updatedAt: now,
  };
  return { webhook: await store.webhooks.put(webhook, input.actor), secret };
}

/** Changes the address or the events of the webhook. Its secret does not change. */
export async function updateWebhook(
  { store, clock, links }: WebhookDeps,
  businessId: string,
  patch: { readonly url?: string; readonly events?: readonly EventType[] },
  owner: WebhookOwner,
): Promise<Webhook> {
  const { url, events } = patch;
  const changes = {
    ...(url === undefined ? {} : { url: readAddress(links, url) }),
    ...(events === undefined ? {} : { events }),
  };
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
  const rotate = (current: Webhook): WebhookSecrets => ({
    sealedSecret: secretBox.seal(secret, businessId),
    // A secret that can't be opened could not sign, and would make events wait.
    ...(opens(secretBox, current) ? { sealedPrevious: current.sealedSecret, previousUntil: now + overlapMs } : NO_PREVIOUS),
  });
  const webhook = await store.webhooks.rotate(businessId, rotate, actor, now);
  if (webhook === null) throw notFound("Webhook");
  return { webhook, secret };
}

const NO_PREVIOUS = { sealedPrevious: null, previousUntil: null };

function opens(secretBox: WebhookDeps["secretBox"], { sealedSecret, businessId }: Webhook): boolean {
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

/** Returns a page of the delivery log, newest first. */
export const pageDeliveries = ({ store }: Pick<Deps, "store">, businessId: string, limit: number, after: DeliveryCursor | null) =>
  store.webhooks.deliveryPage(businessId, limit, after);

/** Throws 404 when the business has no such delivery. */
export async function requireDelivery({ store }: Pick<Deps, "store">, businessId: string, deliveryId: string): Promise<Delivery> {
  const delivery = await store.webhooks.delivery(businessId, deliveryId);
  if (delivery === null) throw notFound("Delivery");
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
  if (original.status === "pending" || original.status === "sending")
    throw conflict("This delivery is still in progress. Try again when it has ended.", "delivery_in_progress");
  const now = clock.now();
  const id = newId("dlv", now);
  const { event, payload } = original;
  await store.webhooks.record({ id, businessId, webhookId: webhook.id, event, url: webhook.url, payload, createdAt: now }, owner);
  return id;
}

/** Throws 404 when no webhook is set. */
export async function requireWebhook(store: Deps["store"], businessId: string): Promise<Webhook> {
  const webhook = await store.webhooks.find(businessId);
  if (webhook === null) throw notFound("Webhook");
  return webhook;
}
