import type { IdempotencyRecord } from "../core/idempotency.ts";
import type { TileType } from "../content/tile.ts";
import type { SubscriptionManager, WebhookSecrets } from "../settings/webhook.ts";
import { groupLabels, type LabelFilter, listLabels } from "../labels/labels.ts";
import type { TileProperties } from "../labels/properties.ts";
import { type FeedEvent, isTileEvent, type TilePayload } from "./event.ts";

export const SUBSCRIPTION_STATUSES = ["active", "paused"] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** How many webhooks a business can register besides its own. */
export const MAX_SUBSCRIPTIONS = 100;

/** What a receiver asked for. A tile must have all tags, and for each property one of its values; empty: no filter. */
export type SubscriptionFilter = Required<LabelFilter> & {
  readonly events: readonly FeedEvent[];
  /** Null: all boards. */
  readonly boardId: string | null;
  /** The following ones narrow the events of tiles; empty: no filter. A tile must be in one of the zones, and of one of the types. */
  readonly zoneIds: readonly string[];
  readonly types: readonly TileType[];
};

export type SubscriptionSettings = SubscriptionFilter & {
  readonly url: string;
  /** Whether events of tiles carry the tile as it is when they are sent. */
  readonly includeTile: boolean;
  readonly retries: boolean;
  readonly description: string | null;
};

/** A webhook that a key or an owner registered. */
export type Subscription = SubscriptionSettings &
  WebhookSecrets & {
    readonly id: string;
    readonly businessId: string;
    readonly status: SubscriptionStatus;
    readonly pausedReason: string | null;
    /** The key that made it, and with whose revocation it ends; null for an owner. */
    readonly keyId: string | null;
    readonly createdBy: string;
    /** Failed attempts in a row, and when the first of them was sent. */
    readonly failures: number;
    readonly failingSince: number | null;
    readonly lastDeliveryAt: number | null;
    readonly createdAt: number;
    readonly updatedAt: number;
  };

export type SubscriptionPatch = Partial<SubscriptionSettings> & { readonly status?: SubscriptionStatus };

export interface SubscriptionStore {
  /** Lists all subscriptions, or those of a key, oldest first. */
  list(businessId: string, keyId: string | null): Promise<Subscription[]>;
  find(businessId: string, id: string): Promise<Subscription | null>;
  /** Throws 400 if the business has as many as it can have. With `idempotency`, a repeated call is refused (409). */
  create(subscription: Subscription, by: SubscriptionManager, idempotency?: IdempotencyRecord<Subscription>): Promise<Subscription>;
  /** Pausing ends what waits for its next attempt. Returns null if there is no such subscription. */
  update(businessId: string, id: string, patch: SubscriptionPatch, by: SubscriptionManager, now: number): Promise<Subscription | null>;
  /** As `WebhookStore.rotate`. */
  rotate(
    businessId: string,
    id: string,
    rotate: (current: Subscription) => WebhookSecrets,
    by: SubscriptionManager,
    now: number,
  ): Promise<Subscription | null>;
  remove(businessId: string, id: string, by: SubscriptionManager, now: number): Promise<boolean>;
  /** Counts the subscriptions of all businesses by status. */
  counts(): Promise<Readonly<Record<SubscriptionStatus, number>>>;
}

/** An event, as a filter looks at it. `labels` are those of its tile. */
export type FilteredEvent = {
  readonly event: FeedEvent;
  readonly boardId: string;
  readonly payload: object;
  readonly labels: ReadonlySet<string>;
};

/**
 * Returns an event as filters look at it. Its labels are listed once, since many filters can ask for many of them. `properties` are those of
 * its tile, and may be left out if no filter asks for any.
 */
export function toFilteredEvent(event: FeedEvent, boardId: string, payload: object, properties: TileProperties = {}): FilteredEvent {
  const labels = isTileEvent(event) ? listLabels({ tags: (payload as TilePayload).tags, properties }) : [];
  return { event, boardId, payload, labels: new Set(labels) };
}

/** Whether a filter asks for properties. */
export const asksForProperties = ({ properties }: Pick<SubscriptionFilter, "properties">): boolean => Object.keys(properties).length > 0;

/** Returns the function that says whether an event is one that a receiver asked for. */
export function createFilter(filter: SubscriptionFilter): (event: FilteredEvent) => boolean {
  const wanted = groupLabels(filter);
  return ({ event, boardId, payload, labels }) => {
    if (!filter.events.includes(event) || (filter.boardId !== null && filter.boardId !== boardId)) return false;
    if (!isTileEvent(event)) return true;
    const { zoneId, type } = payload as TilePayload;
    if (filter.zoneIds.length > 0 && (zoneId === null || !filter.zoneIds.includes(zoneId))) return false;
    if (filter.types.length > 0 && !filter.types.includes(type)) return false;
    return wanted.every((group) => group.some((label) => labels.has(label)));
  };
}

/** Pauses between the attempts of a delivery. */
const RETRY_DELAYS_MS: readonly number[] = [5_000, 60_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000];

/** How many attempts a delivery has. */
export const countAttempts = (retries: boolean): number => (retries ? RETRY_DELAYS_MS.length + 1 : 1);

/** Returns the pause after a failed attempt, the first being 1. */
export const getRetryDelay = (attempt: number): number => RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length) - 1] ?? 0;

/** A receiver that answers with this status wants no more events. */
const GONE = 410;
const MAX_FAILURES = 50;
const MIN_FAILING_MS = 24 * 3_600_000;

/** Returns why a subscription is paused after a failed attempt; null if it goes on. */
export function findPauseReason(
  responseStatus: number | null,
  { failures, failingSince }: Pick<Subscription, "failures" | "failingSince">,
  now: number,
): string | null {
  if (responseStatus === GONE) return "The receiver answered 410: it wants no more events.";
  const isLasting = failures >= MAX_FAILURES && now - (failingSince ?? now) >= MIN_FAILING_MS;
  return isLasting ? `The last ${failures} attempts failed, over at least 24 hours.` : null;
}
