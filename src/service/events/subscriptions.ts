import { type Actor, actorId, type Authorized, requireScope } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import { conflict, invalidField, notFound, zoneNotOnBoard } from "#domain/core/errors/error.ts";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import type { Subscription, SubscriptionPatch, SubscriptionSettings } from "#domain/events/subscription.ts";
import type { RedeliveryTime } from "#domain/events/delivery.ts";
import { newWebhookSecret, type SubscriptionManager } from "#domain/settings/webhook.ts";
import type { Deps, StoreDeps, WorkDeps } from "../deps.ts";
import { recordAgain, requireDelivery, scheduleFailed, toReceiver } from "./deliveries.ts";
import { NO_PREVIOUS, readReceiver, replaceSecret } from "../settings/webhooks.ts";
import { readSamples } from "./samples.ts";

type SubscriptionDeps = StoreDeps & Pick<Deps, "secretBox" | "links">;
type Scope = Authorized<Business, "subscribe">;
type WithSecret = { readonly webhook: Subscription; readonly secret: string };

/** A setting that is undefined has its default. */
export type NewSubscription = Pick<SubscriptionSettings, "url" | "events"> & Partial<SubscriptionSettings>;

/** The key whose subscriptions the caller sees: its own; null for all of the business. */
const getKeyId = (actor: Actor): string | null => (actor.kind === "key" ? actor.keyId : null);

/** Lists the subscriptions that the caller made with its key; all of them for an owner. */
export const listSubscriptions = ({ store }: StoreDeps, { actor }: Scope): Promise<Subscription[]> =>
  store.subscriptions.list(actor.businessId, getKeyId(actor));

/** Throws 404 if there is no such subscription, or another key made it. */
export async function requireSubscription({ store }: StoreDeps, { actor }: Scope, id: string): Promise<Subscription> {
  const found = await store.subscriptions.find(actor.businessId, id);
  const keyId = getKeyId(actor);
  if (found === null || (keyId !== null && found.keyId !== keyId)) throw notFound("Webhook");
  return found;
}

/** Creates a subscription with a secret. The returned secret can't be read again. */
export async function createSubscription(
  deps: SubscriptionDeps,
  scope: Scope,
  input: NewSubscription,
  idempotency?: IdempotencyRecord<Subscription>,
): Promise<WithSecret> {
  const { actor } = scope;
  const { businessId } = actor;
  const boardId = input.boardId ?? (actor.kind === "key" ? actor.boardId : null);
  const settings = { ...DEFAULTS, ...input, boardId, url: readReceiver(deps.links, input.url) };
  await requirePlaces(deps, actor, settings);
  const now = deps.clock.now();
  const secret = newWebhookSecret();
  const subscription: Subscription = {
    ...settings,
    id: newId("sub", now),
    businessId,
    status: "active",
    pausedReason: null,
    keyId: getKeyId(actor),
    createdBy: actorId(actor),
    sealedSecret: deps.secretBox.seal(secret, businessId),
    ...NO_PREVIOUS,
    failures: 0,
    failingSince: null,
    lastDeliveryAt: null,
    createdAt: now,
    updatedAt: now,
  };
  await passEvents(deps, businessId);
  return { webhook: await deps.store.subscriptions.create(subscription, scope, idempotency), secret };
}

/** Gives the events of the business until now to the receivers of now: none of them is sent to one that is added or resumed afterwards. */
async function passEvents({ store, clock }: StoreDeps, businessId: string): Promise<void> {
  while ((await store.feed.sequence(clock.now(), businessId)).hasMore);
}

const DEFAULTS = { zoneIds: [], types: [], tags: [], properties: {}, includeTile: false, retries: true, description: null };

/** Throws 403 and 404 for a board that the caller can't reach, and 400 for a zone that is not on the board, or not in the business. */
async function requirePlaces({ store }: StoreDeps, actor: Actor, filter: Pick<SubscriptionSettings, "boardId" | "zoneIds">): Promise<void> {
  const { boardId, zoneIds } = filter;
  if (actor.kind === "key" && actor.boardId !== null && boardId === null)
    throw invalidField("board_id", "must be the board that the key is limited to.");
  if (boardId !== null) {
    requireScope(actor, boardId);
    if ((await store.boards.find(actor.businessId, boardId)) === null) throw notFound("Board");
  }
  for (const zoneId of zoneIds) {
    const zone = await store.zones.find(actor.businessId, zoneId);
    if (zone === null || (boardId !== null && zone.boardId !== boardId)) throw zoneNotOnBoard("zone_ids");
  }
}

/**
 * Changes a subscription. Pausing ends what waits for its next attempt. Resuming forgets earlier failures, and events until then are not
 * sent.
 */
export async function updateSubscription(
  deps: SubscriptionDeps,
  scope: Scope,
  current: Subscription,
  { url, ...patch }: SubscriptionPatch,
): Promise<Subscription> {
  const changes = { ...patch, ...(url === undefined ? {} : { url: readReceiver(deps.links, url) }) };
  if (patch.boardId !== undefined || patch.zoneIds !== undefined) await requirePlaces(deps, scope.actor, { ...current, ...changes });
  if (patch.status === "active") await passEvents(deps, current.businessId);
  return required(await deps.store.subscriptions.update(current.businessId, current.id, changes, scope, deps.clock.now()));
}

/** Creates a new secret. The previous one also signs for `overlapMs`. */
export async function rotateSubscription(
  { store, clock, secretBox }: SubscriptionDeps,
  scope: Scope,
  { businessId, id }: Subscription,
  overlapMs: number,
): Promise<WithSecret> {
  const now = clock.now();
  const secret = newWebhookSecret();
  const rotate = (current: Subscription) => replaceSecret(secretBox, current, secret, now + overlapMs);
  return { webhook: required(await store.subscriptions.rotate(businessId, id, rotate, scope, now)), secret };
}

/** Throws 404 if there is no such subscription. */
export async function removeSubscription(
  { store, clock }: StoreDeps,
  by: SubscriptionManager,
  businessId: string,
  id: string,
): Promise<void> {
  if (!(await store.subscriptions.remove(businessId, id, by, clock.now()))) throw notFound("Webhook");
}

/** Sends a sample of the first event that the subscription asked for. Returns the id of the delivery. */
export async function sendSample(deps: StoreDeps, scope: Scope, subscription: Subscription): Promise<string> {
  requireActive(subscription);
  const { businessId, id: subscriptionId, boardId, events } = subscription;
  const [event = "tile.ready"] = events;
  const [sample] = await readSamples(deps, businessId, boardId, event);
  const now = deps.clock.now();
  const id = newId("dlv", now);
  const payload = JSON.stringify(sample?.payload ?? {});
  await deps.store.webhooks.record(
    { ...toReceiver(subscription), id, businessId, subscriptionId, event, payload, createdAt: now, maxAttempts: 1 },
    scope,
  );
  return id;
}

/** Sends a recorded event again, as a new delivery. Returns its id. */
export async function redeliverToSubscription(
  deps: StoreDeps,
  scope: Scope,
  subscription: Subscription,
  deliveryId: string,
): Promise<string> {
  requireActive(subscription);
  const original = await requireDelivery(deps, subscription.businessId, deliveryId, subscription.id);
  return recordAgain(deps, original, toReceiver(subscription), scope);
}

/** Sends the failed events of this time again, to the subscription as it is now. Returns how many. */
export async function redeliverFailedToSubscription(
  deps: WorkDeps,
  scope: Scope,
  subscription: Subscription,
  time: RedeliveryTime,
  by: SubscriptionManager,
  signal: AbortSignal,
): Promise<number> {
  requireActive(subscription);
  const redelivery = { ...time, subscriptionId: subscription.id, receiver: toReceiver(subscription), by };
  return scheduleFailed(deps, scope, redelivery, signal);
}

/** Throws 409 for a paused subscription, since nothing is sent to it. */
function requireActive({ status }: Subscription): void {
  if (status === "paused") throw conflict("This webhook is paused. Resume it first.", "webhook_paused");
}

function required(subscription: Subscription | null): Subscription {
  if (subscription === null) throw notFound("Webhook");
  return subscription;
}
