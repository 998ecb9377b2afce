import { getErrorMessage } from "#domain/core/errors/error.ts";
import type { Log } from "#domain/core/log.ts";
import { findShortage } from "#domain/core/errors/shortage.ts";
import { startLoop } from "#runtime/loop.ts";
import { retryWhileUnavailable } from "#runtime/retry.ts";
import { delay, waitAtMost } from "#runtime/wait.ts";
import type { Meter } from "#domain/metrics/meter.ts";
import type { Store } from "#domain/store.ts";
import { type Clock, isoTime } from "#domain/core/system.ts";
import { type Delivery, type DeliveryOutcome, type SecretBox, type WebhookSender, eventBody } from "#domain/settings/webhook.ts";
import { type LockedWebhooks, createLockedWebhooks } from "./locked-webhooks.ts";

/** Concurrent deliveries in total and per business, and more for businesses with none being sent, one each. */
const CONCURRENCY = 64;
const MAX_PER_BUSINESS = 8;
const RESERVED = 192;
/** How often to poll for events that other processes recorded. */
const POLL_INTERVAL_MS = 1_000;
const UNAVAILABLE_RETRY_MS = 500;
/** A delivery without an outcome after its timeout plus this margin counts as lost with its process. */
const LEASE_MARGIN_MS = 5_000;
/** Pause before a delivery returns to the queue because this machine is short of something. Shorter than the margin of the lease. */
const SHORTAGE_DELAY_MS = 2_000;

type DeliverDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly sender: WebhookSender;
  readonly meter: Pick<Meter, "countDelivery">;
  /** The timeout of one delivery, in milliseconds. */
  readonly timeoutMs: number;
  /** False while nothing can be stored. */
  readonly mayRun?: () => boolean;
  readonly log: Log;
};

/**
 * Sends each recorded event once. `stop` waits up to `graceMs` for running deliveries; the next start records the others as
 * interrupted.
 */
export function startDelivering(deps: DeliverDeps): { stop(graceMs: number): Promise<void> } {
  const { webhooks } = deps.store;
  const locked = createLockedWebhooks(deps);
  const running = new Set<Promise<void>>();
  const loop = startLoop({
    intervalMs: POLL_INTERVAL_MS,
    mayRun: deps.mayRun,
    wake: (wake) => webhooks.onDelivery(wake),
    async run() {
      const limit = Math.max(0, CONCURRENCY - running.size);
      const reserved = CONCURRENCY + RESERVED - running.size - limit;
      if (limit + reserved <= 0) return;
      const leaseMs = deps.timeoutMs + LEASE_MARGIN_MS;
      const except = await locked.list();
      for (const delivery of await webhooks.claim(limit, MAX_PER_BUSINESS, leaseMs, deps.clock.now(), reserved, except))
        track(deliver(deps, locked, delivery));
    },
    onError: (error) => deps.log.error({ error: getErrorMessage(error) }, "reading events to send failed; retrying soon"),
  });

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => {
      running.delete(tracked);
      loop.wake();
    });
    running.add(tracked);
  }

  return {
    async stop(graceMs) {
      // A claim in progress has already marked its deliveries as sending, so wait for it and send them.
      await loop.stop();
      await waitAtMost(graceMs, Promise.all(running));
    },
  };
}

async function deliver(deps: DeliverDeps, locked: LockedWebhooks, delivery: Delivery): Promise<void> {
  const { store, clock, log, meter } = deps;
  const whileClaimed = { delayMs: UNAVAILABLE_RETRY_MS, maxMs: deps.timeoutMs };
  const sentAt = clock.now();
  let body = delivery.payload;
  let outcome: DeliveryOutcome;
  try {
    body = eventBody(delivery.event, JSON.parse(delivery.payload), isoTime(sentAt));
    const webhook = await retryWhileUnavailable(() => store.webhooks.find(delivery.businessId), whileClaimed);
    if (webhook === null || webhook.id !== delivery.webhookId) outcome = failure("The webhook was removed before this was sent.");
    else {
      const secrets = locked.open(webhook);
      if (secrets === null) return await retryWhileUnavailable(() => store.webhooks.returnToQueue(delivery), whileClaimed);
      outcome = await deps.sender.send({ id: delivery.id, url: delivery.url, body, secrets, timestampSeconds: Math.floor(sentAt / 1_000) });
    }
  } catch (error) {
    if (findShortage(error) !== null) return waitInQueue(deps, delivery, error);
    outcome = failure(getErrorMessage(error));
  }
  if (!outcome.ok)
    log.warn(
      { delivery: delivery.id, event: delivery.event, status: outcome.responseStatus, error: outcome.error },
      "a webhook did not accept an event",
    );
  try {
    const isStored = await retryWhileUnavailable(() => store.webhooks.recordOutcome(delivery, body, sentAt, outcome), whileClaimed);
    if (isStored) meter.countDelivery(outcome.ok ? "succeeded" : "failed");
    else log.warn({ delivery: delivery.id, ok: outcome.ok }, "a delivery ended after it had been closed; the log keeps its first result");
  } catch (error) {
    log.error({ delivery: delivery.id, error: getErrorMessage(error) }, "the outcome of a delivery could not be stored");
  }
}

/** Nothing was sent, and the receiver is not to blame, so this is no delivery yet. */
async function waitInQueue({ store, log, meter }: DeliverDeps, delivery: Delivery, error: unknown): Promise<void> {
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
