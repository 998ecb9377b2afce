import type { IDataObject, IHookFunctions, IWebhookFunctions } from "n8n-workflow";

/** A subscription of this node. */
export type Subscription = {
  readonly id: string;
  readonly secret: string;
  /** The body that made it, as JSON. */
  readonly body: string;
};

/** What n8n stores with the workflow: where the node stopped reading, and its subscription by the address that it posts to. */
type Stored = { cursor?: string; subscriptions?: Record<string, Subscription> };

/**
 * What this process knows beyond that. n8n loads the stored state when a delivery arrives and saves it afterwards, so that the state of
 * deliveries at the same time is old.
 */
type Known = {
  subscription?: Subscription;
  /** The cursor after each cursor that this process has read from. */
  readonly next: Map<string, string>;
  /** Ends with the last delivery that waits for its turn. */
  turn: Promise<unknown>;
};

/** How many cursors a process remembers for each node. */
const MAX_CURSORS = 1_000;

/** By the address of the subscription. */
const known = new Map<string, Known>();

const stored = (context: IHookFunctions | IWebhookFunctions): Stored => context.getWorkflowStaticData("node") as IDataObject as Stored;

function recall(url: string): Known {
  const found = known.get(url) ?? { next: new Map(), turn: Promise.resolve() };
  known.set(url, found);
  return found;
}

/** The subscription of this address that n8n has stored. */
export const getSubscription = (context: IHookFunctions, url: string): Subscription | undefined => stored(context).subscriptions?.[url];

/** The subscriptions of this node by which a delivery may be signed. In a test of the editor, n8n has that of the test among them. */
export function listSubscriptions(context: IWebhookFunctions, url: string): readonly Subscription[] {
  const own = known.get(url)?.subscription;
  return [...(own === undefined ? [] : [own]), ...Object.values(stored(context).subscriptions ?? {})];
}

/** Stores a new subscription, in this process at once: its first delivery may arrive before n8n has saved it. */
export function keepSubscription(context: IHookFunctions, url: string, subscription: Subscription): void {
  const data = stored(context);
  data.subscriptions = { ...data.subscriptions, [url]: subscription };
  recall(url).subscription = subscription;
}

/** Forgets the subscription of this address. The cursor stays, for the next activation. */
export function forgetSubscription(context: IHookFunctions, url: string): void {
  const data = stored(context);
  data.subscriptions = Object.fromEntries(Object.entries(data.subscriptions ?? {}).filter(([address]) => address !== url));
  known.delete(url);
}

/** The position in the change feed after the last event that the workflow was started for; undefined before the first activation. */
export function getCursor(context: IHookFunctions | IWebhookFunctions, url: string): string | undefined {
  let { cursor } = stored(context);
  const next = known.get(url)?.next;
  for (let steps = 0; cursor !== undefined && next?.has(cursor) === true && steps < MAX_CURSORS; steps++) cursor = next.get(cursor);
  return cursor;
}

/** Moves the position on. */
export function setCursor(context: IHookFunctions | IWebhookFunctions, url: string, cursor: string): void {
  const { next } = recall(url);
  const before = getCursor(context, url);
  if (before !== undefined && before !== cursor) next.set(before, cursor);
  for (const oldest of next.keys()) {
    if (next.size <= MAX_CURSORS) break;
    next.delete(oldest);
  }
  stored(context).cursor = cursor;
}

/** Runs `work` after what runs for this address, so that two deliveries at the same time do not read the same changes. */
export function inTurn<T>(url: string, work: () => Promise<T>): Promise<T> {
  const own = recall(url);
  const result = own.turn.then(work);
  // The next in turn does not depend on whether this one succeeds, whose caller gets its error.
  own.turn = result.then(
    () => undefined,
    () => undefined,
  );
  return result;
}
