import { type CallOptions, type Client, type Subscription, WebhookVerificationError, verifyWebhook } from "@tessera-board/sdk";
import type { Receiver } from "./receiver.ts";
import { pause } from "./repeat.ts";
import type { EventSource, FoundEvent } from "./source.ts";

/** The node repeats its steps itself. The limit is shorter than Node-RED waits for a node to close. */
const CALL: CallOptions = { maxRetries: 0, timeoutMs: 10_000 };
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
      const found = (await findOwn(source.client, target.path)).find(({ url }) => url === target.url);
      if (found === undefined) {
        source.report.warn("errors.subscription-removed");
        secret = await subscribe(source, target);
      }
      // Whoever paused it had a reason: it stays so until the next deployment.
      if (found?.status === "paused") source.report.paused();
      else source.report.connected();
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

/**
 * Subscribes, or takes over the node's subscription of an earlier start, with the events that wait in it, although its public URL or its
 * choices have changed. Returns the secret.
 */
async function subscribe({ client, filter, report }: EventSource, { url, path, description }: Target): Promise<string> {
  const { scope } = await client.me(CALL);
  const { events, includeTile } = filter;
  // A key of one board can't ask for all.
  const settings = { url, description, events, includeTile, boardId: filter.boardId ?? scope.boardId };
  const [found, ...others] = await findOwn(client, path);
  if (found === undefined) return (await client.webhooks.create(settings, CALL)).secret;
  for (const { id } of others) await client.webhooks.delete(id, CALL);
  if (found.status === "paused") report.warn("errors.was-paused", { reason: found.pausedReason ?? "" });
  await client.webhooks.update(found.id, { ...settings, status: "active" }, CALL);
  return (await client.webhooks.rotate(found.id, CALL)).secret;
}

/** Removes every subscription of a node. */
export async function removeSubscriptions(client: Client, path: string): Promise<void> {
  for (const { id } of await findOwn(client, path)) await client.webhooks.delete(id, CALL);
}

/**
 * Returns a function that, once, removes the subscriptions that the node had before its public URL was taken away. A key that may not
 * manage subscriptions has none.
 */
export function removeEarlierSubscriptions({ client }: EventSource, path: string): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    const { webhooks } = await client.me(CALL);
    if (webhooks) await removeSubscriptions(client, path);
    isDone = true;
  };
}

const findOwn = async (client: Client, path: string): Promise<readonly Subscription[]> =>
  (await client.webhooks.list(CALL)).filter(({ url }) => url.endsWith(path));

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
