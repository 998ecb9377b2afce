import { getErrorMessage } from "#domain/core/errors/error.ts";
import { startLoop } from "#runtime/loop.ts";
import { waitAtMost } from "#runtime/wait.ts";
import type { Delivery } from "#domain/events/delivery.ts";
import { createSend, findReceiver, type SendDeps } from "./send-delivery.ts";
import { createLockedWebhooks } from "./locked-webhooks.ts";

/** Concurrent deliveries in total and per receiver, and more for businesses, and then for receivers, with none being sent, one each. */
const CONCURRENCY = 64;
const MAX_PER_RECEIVER = 8;
const RESERVED = 192;
const RECEIVERS = 128;
/** Concurrent deliveries to receivers whose last attempt failed, one each, so that dead ones take no slots from the others. */
const FAILING = 32;
/** How often to poll for events that other processes recorded. */
const POLL_INTERVAL_MS = 1_000;
/** A delivery without an outcome after its timeout plus this margin counts as lost with its process. */
const LEASE_MARGIN_MS = 5_000;

/**
 * Sends each recorded event once, or again if it has attempts left. `stop` waits up to `graceMs` for running deliveries; the next start
 * records the others as interrupted.
 */
export function startDelivering(deps: SendDeps & { /** False while nothing can be stored. */ readonly mayRun?: () => boolean }): {
  stop(graceMs: number): Promise<void>;
} {
  const { webhooks } = deps.store;
  const locked = createLockedWebhooks(deps, async ({ businessId, key }) => {
    const receiver = await findReceiver(deps, businessId, key === businessId ? "" : key);
    // What waits for others ends when its turn comes.
    return receiver?.status === "active" ? receiver : null;
  });
  const send = createSend(deps, locked);
  /** Deliveries that are being sent, to receivers whose last attempt failed and to the others. */
  const running = { failing: new Set<Promise<void>>(), others: new Set<Promise<void>>() };
  const loop = startLoop({
    intervalMs: POLL_INTERVAL_MS,
    mayRun: deps.mayRun,
    wake: (wake) => webhooks.onDelivery(wake),
    async run() {
      const except = await locked.list();
      const leaseMs = deps.timeoutMs + LEASE_MARGIN_MS;
      const { limit, reserved, receivers } = divideSlots(running.others.size);
      if (limit + reserved + receivers > 0)
        track(running.others, await webhooks.claim(limit, MAX_PER_RECEIVER, leaseMs, deps.clock.now(), reserved, except, { receivers }));
      const failing = FAILING - running.failing.size;
      if (failing > 0) track(running.failing, await webhooks.claim(failing, 1, leaseMs, deps.clock.now(), 0, except, { isFailing: true }));
    },
    onError: (error) => deps.log.error({ error: getErrorMessage(error) }, "reading events to send failed; retrying soon"),
  });

  function track(works: Set<Promise<void>>, deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      const tracked = send(delivery).finally(() => {
        works.delete(tracked);
        loop.wake();
      });
      works.add(tracked);
    }
  }

  return {
    async stop(graceMs) {
      // A claim in progress has already marked its deliveries as sending, so wait for it and send them.
      await loop.stop();
      await waitAtMost(graceMs, Promise.all([...running.others, ...running.failing]));
    },
  };
}

/** Returns the free slots: those for any delivery are taken first, then those for businesses, then those for receivers. */
function divideSlots(running: number): { readonly limit: number; readonly reserved: number; readonly receivers: number } {
  const limit = Math.max(0, CONCURRENCY - running);
  const reserved = Math.max(0, CONCURRENCY + RESERVED - running - limit);
  return { limit, reserved, receivers: Math.max(0, CONCURRENCY + RESERVED + RECEIVERS - running - limit - reserved) };
}
