import { WebhookVerificationError, verifyWebhook } from "@tessera-board/sdk";
import type { SubscriptionsApi, Subscription } from "./subscriptions-api.ts";
import type { Receiver } from "./receiver.ts";
import { pause } from "./repeat.ts";
import type { EventSource, FoundEvent } from "./source.ts";

/** How often the node looks whether its subscription is still there and active. */
const CHECK_INTERVAL_MS = 300_000;
/** Ids that are remembered, so that a repeated event is sent on once. */
const MAX_IDS = 10_000;

export type Target = {
  /** The address that the server calls. */
  readonly url: string;
  /** The end of the address, which no other node has. */
  readonly path: string;
  readonly description: string;
};

/**
 * Returns the step that keeps the subscription of a node, and the receiver of its events. The secret is only in memory: each start rotates
 * it, and the server signs repeated events anew.
 */
export function createSubscription(
  source: EventSource,
  target: Target,
): { readonly step: () => Promise<void>; readonly receiver: Receiver } {
  let secret: string | undefined;
  const handled = new Set<string>();
  return {
    async step() {
      if (secret === undefined) secret = await subscribe(source, target);
      else if ((await findOwn(source.api, target.path)).every(({ url }) => url !== target.url)) {
        source.report.warn("errors.subscription-removed");
        secret = await subscribe(source, target);
      }
      source.report.connected();
      await pause(CHECK_INTERVAL_MS, source.signal);
    },
    async receiver(body, headers) {
      // The server tries again.
      if (secret === undefined) return 503;
      const event = await readEvent(body, headers, secret);
      if (event === null) return 401;
      if (event.event === "test") source.report.warn("status.test");
      else if (!handled.has(event.id)) source.emit(event);
      remember(handled, event.id);
      return 204;
    },
  };
}

/** Subscribes, or takes over the node's subscription of an earlier start, with the events that wait in it. Returns the secret. */
async function subscribe({ api, filter, report }: EventSource, target: Target): Promise<string> {
  const [found, ...others] = await findOwn(api, target.path);
  const isUsable = found?.url === target.url && found.boardId === (filter.boardId ?? null);
  for (const { id } of isUsable || found === undefined ? others : [found, ...others]) await api.remove(id);
  if (!isUsable) return (await api.create({ ...filter, ...target })).secret;
  if (found.status === "paused") report.warn("errors.was-paused", { reason: found.pausedReason ?? "" });
  await api.update(found.id, filter);
  return api.rotate(found.id);
}

/** Removes every subscription of a node. */
export async function removeSubscriptions(api: SubscriptionsApi, path: string): Promise<void> {
  for (const { id } of await findOwn(api, path)) await api.remove(id);
}

/**
 * Returns a function that, once, removes the subscriptions that the node had before its public URL was taken away. A key that may not
 * manage subscriptions has none.
 */
export function removeEarlierSubscriptions({ client, api, signal }: EventSource, path: string): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    const me = await client.me({ maxRetries: 0, signal });
    if (Reflect.get(me, "webhooks") === true) await removeSubscriptions(api, path);
    isDone = true;
  };
}

const findOwn = async (api: SubscriptionsApi, path: string): Promise<readonly Subscription[]> =>
  (await api.list()).filter(({ url }) => url.endsWith(path));

/** The event of a request; null if its signature or its time is wrong. */
async function readEvent(body: Buffer, headers: Parameters<Receiver>[1], secret: string): Promise<FoundEvent | null> {
  try {
    const { event, payload, sentAt } = await verifyWebhook({ body, headers, secret });
    return { id: String(headers["webhook-id"] ?? ""), event, payload, at: sentAt };
  } catch (error) {
    if (error instanceof WebhookVerificationError) return null;
    throw error;
  }
}

/** A set keeps the order in which ids were added. */
function remember(handled: Set<string>, id: string): void {
  handled.add(id);
  const [oldest] = handled;
  if (handled.size > MAX_IDS && oldest !== undefined) handled.delete(oldest);
}
