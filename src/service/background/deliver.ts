import { AppError, messageOf } from "#domain/core/error.ts";
import type { Store } from "#domain/store.ts";
import { type Clock, isoTime } from "#domain/core/system.ts";
import {
  type Delivery,
  type DeliveryOutcome,
  type SecretBox,
  type Webhook,
  type WebhookSender,
  eventBody,
} from "#domain/settings/webhook.ts";

/** Deliveries under way at once, in all and of one business, so that a slow receiver holds up nobody else. */
const CONCURRENCY = 64;
const PER_BUSINESS = 8;
/** How long a failed look at the store is waited out, and how often other processes' events are looked for. */
const POLL_MS = 1_000;
/** How often a store that is away is asked again, in milliseconds. */
const UNAVAILABLE_RETRY_MS = 500;
/** How long after a delivery's whole time its sender is taken for lost. */
const MARGIN_MS = 5_000;

type DeliverDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly sender: WebhookSender;
  /** The whole time of one delivery, in milliseconds. */
  readonly timeoutMs: number;
  readonly log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
};

/** Posts recorded events, each once. `stop` waits up to `graceMs` for what is under way; what is not done then is closed as interrupted on the next start. */
export function startDelivering(deps: DeliverDeps): { stop(graceMs: number): Promise<void> } {
  const running = new Set<Promise<void>>();
  let isStopped = false;
  let looking: Promise<void> | null = null;
  let isAsked = false;

  function look(): void {
    if (looking !== null) isAsked = true;
    else if (running.size < CONCURRENCY && !isStopped) looking = lookUntilQuiet();
  }

  async function lookUntilQuiet(): Promise<void> {
    try {
      do {
        isAsked = false;
        const claimed = await deps.store.webhooks.claim(
          CONCURRENCY - running.size,
          PER_BUSINESS,
          deps.timeoutMs + MARGIN_MS,
          deps.clock.now(),
        );
        for (const delivery of claimed) track(deliver(deps, delivery));
      } while (isAsked && running.size < CONCURRENCY && !isStopped);
    } catch (error) {
      deps.log.error({ error: messageOf(error) }, "looking for events to send failed");
    } finally {
      looking = null;
    }
  }

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => {
      running.delete(tracked);
      look();
    });
    running.add(tracked);
  }

  const unsubscribe = deps.store.webhooks.onDelivery(look);
  const timer = setInterval(look, POLL_MS);
  timer.unref();
  look();
  return {
    async stop(graceMs) {
      isStopped = true;
      clearInterval(timer);
      unsubscribe();
      // What a look under way still claims is sent too: it is marked as being sent already.
      await looking;
      const grace = Promise.withResolvers<void>();
      const cutOff = setTimeout(grace.resolve, graceMs);
      await Promise.race([Promise.all(running), grace.promise]);
      clearTimeout(cutOff);
    },
  };
}

/** Asks the store again while it is away, for as long as the delivery is ours. */
async function retryWhileUnavailable<T>({ timeoutMs }: DeliverDeps, ask: () => Promise<T>): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "unavailable" || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, UNAVAILABLE_RETRY_MS));
    }
  }
}

async function deliver(deps: DeliverDeps, delivery: Delivery): Promise<void> {
  const { store, clock, sender, log } = deps;
  const sentAt = clock.now();
  const body = eventBody(delivery.event, JSON.parse(delivery.payload), isoTime(sentAt));
  let outcome: DeliveryOutcome;
  try {
    const webhook = await retryWhileUnavailable(deps, () => store.webhooks.find(delivery.businessId));
    outcome =
      webhook === null || webhook.id !== delivery.webhookId
        ? failure("The webhook was removed before this was sent.")
        : await sender.send({
            id: delivery.id,
            url: delivery.url,
            body,
            secrets: secretsOf(deps, webhook, sentAt),
            timestampSeconds: Math.floor(sentAt / 1_000),
          });
  } catch (error) {
    outcome = failure(messageOf(error));
  }
  if (!outcome.ok)
    log.warn(
      { delivery: delivery.id, event: delivery.event, status: outcome.responseStatus, error: outcome.error },
      "an event was not accepted",
    );
  try {
    await retryWhileUnavailable(deps, () => store.webhooks.settle(delivery, body, sentAt, outcome));
  } catch (error) {
    log.error({ delivery: delivery.id, error: messageOf(error) }, "a delivery could not be noted in the log");
  }
}

const failure = (error: string): DeliveryOutcome => ({ ok: false, responseStatus: null, responseStart: null, error, durationMs: 0 });

function secretsOf({ secretBox }: DeliverDeps, webhook: Webhook, now: number): string[] {
  const secrets = [secretBox.open(webhook.sealedSecret, webhook.businessId)];
  if (webhook.sealedPrevious !== null && (webhook.previousUntil ?? 0) > now) {
    secrets.push(secretBox.open(webhook.sealedPrevious, webhook.businessId));
  }
  return secrets;
}
