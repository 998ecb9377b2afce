import { newId } from "#domain/core/system.ts";
import { type DeliveryStatus, NOT_SENT } from "#domain/events/delivery.ts";
import { type FeedEvent, readPayload } from "#domain/events/event.ts";
import { asksForProperties, countAttempts, createFilter, type Subscription, toFilteredEvent } from "#domain/events/subscription.ts";
import type { TileProperties } from "#domain/labels/properties.ts";
import type { Dialect } from "../driver.ts";
import { readRoom, type Room, type Rooms } from "../webhooks/backlog.ts";
import type { ReceiverKey } from "../webhooks/end-deliveries.ts";
import { run, type Unit } from "../unit.ts";
import { SUBSCRIPTIONS } from "./subscriptions.ts";

/** How many deliveries one unit of work inserts: about 3 ms. More are inserted only for the first event of each business. */
const MAX_DELIVERIES = 250;
/** The length of the properties that one unit of work compares with filters: the values of 16 KiB take about a millisecond. */
const MAX_PROPERTIES_LENGTH = 262_144;

/** A committed event without a position. */
export type WaitingEvent = {
  readonly number: number;
  readonly businessId: string;
  readonly boardId: string;
  readonly event: FeedEvent;
  readonly payload: string;
  /** The properties of its tile, as JSON. */
  readonly properties: string | null;
  readonly at: number;
};

/** `payload` is JSON. */
type Match = { readonly subscription: Subscription; readonly event: WaitingEvent; readonly payload: string };

/** The events that a unit of work gives their positions, and the subscriptions that want each of them. */
export type FanOut = { readonly events: readonly WaitingEvent[]; readonly matches: readonly Match[] };

/** Finds the receivers of the events, and leaves out the last events if there are too many. No business gets less than one event's. */
export function* findReceivers({ isAnyOf }: Dialect, events: readonly WaitingEvent[], now: number): Unit<FanOut> {
  const businesses = [...new Set(events.map(({ businessId }) => businessId))];
  const active = yield* SUBSCRIPTIONS.list(
    `subscription s LEFT JOIN api_key k ON k.business_id = s.business_id AND k.id = s.key_id
     WHERE ${isAnyOf("s.business_id", "businesses")} AND s.status = 'active'
     AND (s.key_id IS NULL OR (k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > @now)))
     ORDER BY s.business_id, s.created_at, s.id`,
    { businesses, now },
  );
  if (active.length === 0) return { events, matches: [] };
  const comparing = new Set(active.filter(asksForProperties).map(({ businessId }) => businessId));
  const filters = active.map((subscription) => ({ subscription, accepts: createFilter(subscription) }));
  const byBusiness = Map.groupBy(filters, ({ subscription }) => subscription.businessId);
  const matches: Match[] = [];
  const served = new Set<string>();
  let compared = 0;
  for (const [at, event] of events.entries()) {
    const payload = readPayload(event.event, event.boardId, event.payload);
    const properties = comparing.has(event.businessId) ? event.properties : null;
    const filtered = toFilteredEvent(event.event, event.boardId, payload, properties === null ? {} : parseProperties(properties));
    const wanting = (byBusiness.get(event.businessId) ?? []).filter(({ accepts }) => accepts(filtered));
    const isFirst = !served.has(event.businessId);
    compared += properties?.length ?? 0;
    const isTooMuch = matches.length + wanting.length > MAX_DELIVERIES || compared > MAX_PROPERTIES_LENGTH;
    if (!isFirst && isTooMuch) return { events: events.slice(0, at), matches };
    served.add(event.businessId);
    if (wanting.length === 0) continue;
    const json = JSON.stringify(payload);
    matches.push(...wanting.map(({ subscription }) => ({ subscription, event, payload: json })));
  }
  return { events, matches };
}

const parseProperties = (json: string): TileProperties => JSON.parse(json) as TileProperties;

const COLUMNS = {
  business_id: "text",
  id: "text",
  subscription_id: "text",
  url: "text",
  event: "text",
  payload: "text",
  max_attempts: "bigint",
} as const;

/** What was recorded: the receivers of deliveries that ended at once, and how many more may wait now. */
export type Recorded = { readonly overflow: readonly ReceiverKey[]; readonly rooms: Rooms };

/** Records the deliveries. Those of receivers for which too many wait end at once. */
export function* insertDeliveries(dialect: Dialect, matches: readonly Match[], known: Rooms, now: number): Unit<Recorded> {
  const rooms = new Map<string, Room>();
  const waiting: Match[] = [];
  const overflow: Match[] = [];
  for (const match of matches) {
    const { id } = match.subscription;
    let room = rooms.get(id);
    if (room === undefined || room.left === 0) {
      room = { ...(yield* readRoom(room ?? known.get(id), toReceiver(match), now)) };
      rooms.set(id, room);
    }
    if (room.left > 0) {
      room.left--;
      waiting.push(match);
    } else overflow.push(match);
  }
  yield* insertRows(dialect, waiting, { status: "pending", error: null }, now);
  yield* insertRows(dialect, overflow, { status: "failed", error: NOT_SENT.backlog }, now);
  return { overflow: overflow.map(toReceiver), rooms };
}

const toReceiver = ({ subscription: { businessId, id } }: Match): ReceiverKey => ({ businessId, subscriptionId: id });

type Recording = { readonly status: DeliveryStatus; readonly error: string | null };

/** Inserts deliveries as one statement. */
function* insertRows({ rowsOfJson }: Dialect, matches: readonly Match[], recording: Recording, now: number): Unit<void> {
  if (matches.length === 0) return;
  const rows = matches.map(({ subscription, event, payload }) => ({
    business_id: subscription.businessId,
    id: newId("dlv", now),
    subscription_id: subscription.id,
    url: subscription.url,
    event: event.event,
    payload,
    max_attempts: countAttempts(subscription.retries),
  }));
  yield* run(
    `INSERT INTO delivery (business_id, id, webhook_id, subscription_id, url, event, payload, max_attempts, status, error, created_at)
     SELECT r.business_id, r.id, r.subscription_id, r.subscription_id, r.url, r.event, r.payload, r.max_attempts,
       CAST(@status AS TEXT), CAST(@error AS TEXT), CAST(@now AS BIGINT)
     FROM ${rowsOfJson("rows", COLUMNS)} AS r`,
    { rows: JSON.stringify(rows), ...recording, now },
  );
}
