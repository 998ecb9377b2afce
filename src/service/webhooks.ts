import { conflict, notFound } from "#domain/error.ts";
import { newId } from "#domain/system.ts";
import { DEFAULT_EVENTS, type Delivery, type EventType, type Webhook, newWebhookSecret } from "#domain/webhook.ts";
import type { Deps } from "./deps.ts";
import { requireUrl } from "./links.ts";

type WebhookDeps = Pick<Deps, "store" | "clock" | "secretBox" | "links">;

/** How long a rotated secret goes on signing beside the new one, unless told otherwise. */
export const OVERLAP_MS = 24 * 3_600_000;

/** Sets the address and makes a secret; the answer is the only time it is shown. */
export async function setWebhook(
  { store, clock, secretBox, links }: WebhookDeps,
  businessId: string,
  input: { readonly url: string; readonly events?: readonly EventType[]; readonly actor: string },
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const hint = "A receiver on your own network needs its host:port in WEBHOOK_ALLOW.";
  const url = requireUrl(links.readWebhook(input.url), hint);
  const now = clock.now();
  const secret = newWebhookSecret();
  const webhook: Webhook = {
    id: newId("whk", now),
    businessId,
    url: url.href,
    events: input.events ?? DEFAULT_EVENTS,
    sealedSecret: secretBox.seal(secret, businessId),
    sealedPrevious: null,
    previousUntil: null,
    createdAt: now,
    updatedAt: now,
  };
  return { webhook: await store.webhooks.put(webhook, input.actor), secret };
}

/** Makes a new secret; the earlier one also signs for `overlapMs`. */
export async function rotateWebhook(
  { store, clock, secretBox }: WebhookDeps,
  businessId: string,
  overlapMs: number,
  actor: string,
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const current = await requireWebhook(store, businessId);
  const now = clock.now();
  const secret = newWebhookSecret();
  const webhook: Webhook = {
    ...current,
    sealedSecret: secretBox.seal(secret, businessId),
    sealedPrevious: current.sealedSecret,
    previousUntil: now + overlapMs,
    updatedAt: now,
  };
  return { webhook: await store.webhooks.put(webhook, actor), secret };
}

export const clearWebhook = ({ store, clock }: WebhookDeps, businessId: string, actor: string): Promise<boolean> =>
  store.webhooks.clear(businessId, actor, clock.now());

export const listDeliveries = ({ store }: WebhookDeps, businessId: string, limit: number): Promise<Delivery[]> =>
  store.webhooks.deliveries(businessId, limit);

/** Sends a recorded event once more, by hand, as a delivery of its own. */
export async function redeliver({ store, clock }: WebhookDeps, businessId: string, deliveryId: string): Promise<string> {
  const webhook = await requireWebhook(store, businessId);
  const earlier = await store.webhooks.delivery(businessId, deliveryId);
  if (earlier === null) throw notFound("Delivery");
  if (earlier.status === "pending" || earlier.status === "sending") throw conflict("This delivery is still under way.");
  const now = clock.now();
  const id = newId("dlv", now);
  const { event, payload } = earlier;
  await store.webhooks.record({ id, businessId, webhookId: webhook.id, event, url: webhook.url, payload, createdAt: now });
  return id;
}

async function requireWebhook(store: Deps["store"], businessId: string): Promise<Webhook> {
  const webhook = await store.webhooks.find(businessId);
  if (webhook === null) throw notFound("Webhook");
  return webhook;
}
