import { newId } from "#domain/core/system.ts";
import { NOT_SENT } from "#domain/events/delivery.ts";
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

type Match = { readonly subscription: Subscription; readonly event: WaitingEvent; readonly payload: object };

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
    matches.push(...wanting.map(({ subscription }) => ({ subscription, event, payload })));
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
  status: "text",
  error: "text",
} as const;

/** What was recorded: the receivers of deliveries that ended at once, and how many more may wait now. */
export type Recorded = { readonly overflow: readonly ReceiverKey[]; readonly rooms: Rooms };

/** Records the deliveries, as one statement. Those of receivers for which too many wait end at once. */
export function* insertDeliveries({ rowsOfJson }: Dialect, matches: readonly Match[], known: Rooms, now: number): Unit<Recorded> {
  const rooms = new Map<string, Room>();
  const overflow: ReceiverKey[] = [];
  const rows = [];
  for (const match of matches) {
    const receiver = { businessId: match.subscription.businessId, subscriptionId: match.subscription.id };
    const room = yield* readRoom(rooms.get(receiver.subscriptionId) ?? known.get(receiver.subscriptionId), receiver, now);
    const isAdmitted = room.left > 0;
    rooms.set(receiver.subscriptionId, isAdmitted ? { ...room, left: room.left - 1 } : room);
    if (!isAdmitted) overflow.push(receiver);
    rows.push(toRow(match, isAdmitted, now));
  }
  if (rows.length > 0) yield* insertRows(rowsOfJson("rows", COLUMNS), rows, now);
  return { overflow, rooms };
}

const toRow = ({ subscription, event, payload }: Match, isAdmitted: boolean, now: number) => ({
  business_id: subscription.businessId,
  id: newId("dlv", now),
  subscription_id: subscription.id,
  url: subscription.url,
  event: event.event,
  payload: JSON.stringify(payload),
  max_attempts: countAttempts(subscription.retries),
  status: isAdmitted ? "pending" : "failed",
  error: isAdmitted ? null : NOT_SENT.backlog,
});

const insertRows = (table: string, rows: readonly ReturnType<typeof toRow>[], now: number): Unit<number> =>
  run(
    `INSERT INTO delivery (business_id, id, webhook_id, subscription_id, url, event, payload, max_attempts, status, error, created_at)
     SELECT r.business_id, r.id, r.subscription_id, r.subscription_id, r.url, r.event, r.payload, r.max_attempts, r.status, r.error,
       CAST(@now AS BIGINT)
     FROM ${table} AS r`,
    { rows: JSON.stringify(rows), now },
  );
