import { getErrorMessage } from "#domain/core/errors/error.ts";
import { findShortage } from "#domain/core/errors/shortage.ts";
import type { Log } from "#domain/core/log.ts";
import { type Clock, isoTime } from "#domain/core/system.ts";
import type { Meter } from "#domain/metrics/meter.ts";
import type { Tile } from "#domain/content/tile.ts";
import { getRetryDelay, type SubscriptionStatus } from "#domain/events/subscription.ts";
import { type Delivery, type DeliveryOutcome, NOT_SENT } from "#domain/events/delivery.ts";
import { eventBody, type SecretBox, type WebhookSender } from "#domain/settings/webhook.ts";
import type { Store } from "#domain/store.ts";
import { retryWhileUnavailable } from "#runtime/retry.ts";
import { delay } from "#runtime/wait.ts";
import type { LockedWebhooks, Receiver } from "./locked-webhooks.ts";

const UNAVAILABLE_RETRY_MS = 500;
/** Pause before a delivery returns to the queue because this machine is short of something. Shorter than the margin of the lease. */
const SHORTAGE_DELAY_MS = 2_000;
/** The texts of a tile in an event are cut after this many characters. */
const MAX_TEXT_LENGTH = 100_000;

export type SendDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly sender: WebhookSender;
  readonly meter: Pick<Meter, "countDelivery">;
  /** The timeout of one delivery, in milliseconds. */
  readonly timeoutMs: number;
  /** Returns a tile as the API does. Without it, events carry no tile. */
  readonly presentTile?: (tile: Tile) => object;
  readonly log: Log;
};

/** Who a delivery is sent to: the webhook of its business, or its subscription. */
type Target = Receiver & {
  readonly id: string;
  readonly url: string;
  readonly status: SubscriptionStatus | "expired";
  readonly includeTile: boolean;
};

/** Returns the receiver as it is now, with its address and its secrets; null if it was removed. */
export async function findReceiver(
  { store, clock }: Pick<SendDeps, "store" | "clock">,
  businessId: string,
  subscriptionId: string,
): Promise<Target | null> {
  if (subscriptionId !== "") {
    const found = await store.subscriptions.find(businessId, subscriptionId);
    if (found === null) return null;
    const { id: key, keyId } = found;
    const hasEnded = keyId !== null && (await store.apiKeys.findEnded([{ businessId, id: keyId }], clock.now())).length > 0;
    // Revoking a key removes its subscriptions.
    return { ...found, key, ...(hasEnded ? { status: "expired" } : {}) };
  }
  const webhook = await store.webhooks.find(businessId);
  return webhook === null ? null : { ...webhook, key: businessId, status: "active", includeTile: false };
}

/** What is sent, and what the log keeps of it: the same without the texts of a tile. */
type Body = { readonly sent: string; readonly logged: string };
/** What became of a delivery. `isFinal` if trying again is of no use. */
type Attempt = { readonly url: string; readonly body: Body; readonly outcome: DeliveryOutcome; readonly isFinal: boolean };

/** Creates the function that sends one claimed delivery and records its outcome. It never throws. */
export function createSend(deps: SendDeps, locked: LockedWebhooks): (delivery: Delivery) => Promise<void> {
  const { store, clock, log, meter } = deps;
  const whileClaimed = { delayMs: UNAVAILABLE_RETRY_MS, maxMs: deps.timeoutMs };

  /** Returns null if nothing was sent, and the delivery is back in the queue or has ended. */
  async function attempt(delivery: Delivery, sentAt: number): Promise<Attempt | null> {
    let [url, body]: [string, Body] = [delivery.url, { sent: delivery.payload, logged: delivery.payload }];
    try {
      const { businessId, subscriptionId = "" } = delivery;
      const receiver = await retryWhileUnavailable(() => findReceiver(deps, businessId, subscriptionId), whileClaimed);
      // A webhook that is set to another address has another id and secret.
      if (receiver?.id !== delivery.webhookId) return await endUnsent(delivery, NOT_SENT.removed);
      if (receiver.status !== "active") return await endUnsent(delivery, NOT_SENT[receiver.status]);
      url = receiver.url;
      body = await retryWhileUnavailable(() => buildBody(deps, delivery, receiver.includeTile, sentAt), whileClaimed);
      const secrets = locked.open(receiver);
      if (secrets === null) {
        await retryWhileUnavailable(() => store.webhooks.returnToQueue(delivery), whileClaimed);
        return null;
      }
      const request = { id: delivery.id, url, body: body.sent, secrets };
      const outcome = await deps.sender.send({ ...request, timestampSeconds: Math.floor(sentAt / 1_000) });
      return { url, body, outcome, isFinal: outcome.responseStatus === 410 };
    } catch (error) {
      if (findShortage(error) === null) return { url, body, outcome: failure(getErrorMessage(error)), isFinal: false };
      await waitInQueue(deps, delivery, error);
      return null;
    }
  }

  /** Nothing is sent, so this is no attempt. */
  async function endUnsent(delivery: Delivery, error: string): Promise<null> {
    log.warn({ delivery: delivery.id, event: delivery.event, error }, "an event was not sent");
    if (await retryWhileUnavailable(() => store.webhooks.recordUnsent(delivery, error), whileClaimed)) meter.countDelivery("failed");
    return null;
  }

  return async (delivery) => {
    const sentAt = clock.now();
    const ended = await attempt(delivery, sentAt);
    if (ended === null) return;
    const { url, body, outcome, isFinal } = ended;
    const hasNext = !outcome.ok && !isFinal && delivery.attempt < delivery.maxAttempts;
    const retryAt = hasNext ? clock.now() + getRetryDelay(delivery.attempt) : null;
    if (!outcome.ok)
      log.warn(
        { delivery: delivery.id, event: delivery.event, status: outcome.responseStatus, error: outcome.error },
        "a webhook did not accept an event",
      );
    try {
      const isStored = await retryWhileUnavailable(
        () => store.webhooks.recordOutcome({ ...delivery, url }, body.logged, sentAt, outcome, retryAt),
        whileClaimed,
      );
      if (isStored) meter.countDelivery(outcome.ok ? "succeeded" : hasNext ? "retried" : "failed");
      else log.warn({ delivery: delivery.id, ok: outcome.ok }, "a delivery ended after it had been closed; the log keeps its first result");
    } catch (error) {
      log.error({ delivery: delivery.id, error: getErrorMessage(error) }, "the outcome of a delivery could not be stored");
    }
  };
}

/** Builds the body of an event. With `includeTile`, an event of a tile has the tile as it is now, null if it was deleted. */
async function buildBody(
  { store, presentTile }: SendDeps,
  { event, businessId, payload: json }: Delivery,
  includeTile: boolean,
  sentAt: number,
): Promise<Body> {
  const payload = JSON.parse(json) as { readonly tileId?: string };
  const write = (more: object): string => eventBody(event, { ...payload, ...more }, isoTime(sentAt));
  if (!includeTile || payload.tileId === undefined || presentTile === undefined) {
    const sent = write({});
    return { sent, logged: sent };
  }
  const tile = await store.tiles.find(businessId, payload.tileId);
  if (tile === null) return { sent: write({ tile: null }), logged: write({ tile: null }) };
  const [extractedText, rawContent] = [cutText(tile.extractedText), cutText(tile.rawContent)];
  const segments = tile.segments.filter(({ end }) => end <= extractedText.length);
  return {
    sent: write({ tile: presentTile({ ...tile, extractedText, rawContent, segments }) }),
    logged: write({ tile: presentTile({ ...tile, extractedText: "", rawContent: "", segments: [] }) }),
  };
}

/** Returns the first characters, counted as Unicode code points. */
function cutText(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const characters = [...text.slice(0, 2 * MAX_TEXT_LENGTH)];
  return characters.slice(0, MAX_TEXT_LENGTH).join("");
}

/** Nothing was sent, and the receiver is not to blame, so this is no attempt. */
async function waitInQueue({ store, log, meter }: SendDeps, delivery: Delivery, error: unknown): Promise<void> {
  meter.countDelivery("postponed");
  log.warn({ delivery: delivery.id, event: delivery.event }, `An event waits. ${getErrorMessage(error)}`);
  await delay(SHORTAGE_DELAY_MS);
  try {
    await store.webhooks.returnToQueue(delivery);
  } catch (failed) {
    log.error({ delivery: delivery.id, error: getErrorMessage(failed) }, "a delivery could not be returned to the queue");
  }
}

const failure = (error: string): DeliveryOutcome => ({ ok: false, responseStatus: null, responseStart: null, error, durationMs: 0 });
