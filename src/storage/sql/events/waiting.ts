import type { Dialect } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { all, exists, get, type Unit } from "../unit.ts";
import type { WaitingEvent } from "./fan-out.ts";

/** How many businesses one unit of work serves, and how many events it looks at. */
const MAX_BUSINESSES = 100;
const MAX_EVENTS = 500;

const WAITING = new Mapping<WaitingEvent>(plainFields("number", "businessId", "boardId", "event", "payload", "properties", "at"));

/** The events without a position, by the index of these. */
const fromWaiting = ({ useIndex }: Dialect): string => `event${useIndex("event_waiting")} WHERE position IS NULL`;

/** Whether events wait for a position, of this business if one is given. */
export function hasWaitingEvents(dialect: Dialect, businessId?: string): Unit<boolean> {
  const ofBusiness = businessId === undefined ? "" : " AND business_id = @businessId";
  return exists(`SELECT 1 AS found FROM ${fromWaiting(dialect)}${ofBusiness} LIMIT 1`, businessId === undefined ? {} : { businessId });
}

/** Returns the businesses with waiting events. Each is looked up after the last one, however many events that has. */
function* listBusinesses(dialect: Dialect): Unit<readonly string[]> {
  const next = `SELECT min(business_id) FROM ${fromWaiting(dialect)}`;
  const rows = yield* all<{ id: string }>(
    `WITH RECURSIVE waiting (id) AS (
       SELECT (${next}) UNION ALL SELECT (${next} AND business_id > waiting.id) FROM waiting WHERE waiting.id IS NOT NULL)
     SELECT id FROM waiting WHERE id IS NOT NULL LIMIT ${MAX_BUSINESSES}`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns the next waiting events in the order in which they get their positions: the first of each business, then the second of each, and
 * so on, so that a business with a hundred thousand of them delays no other. Those of one business are in the order of their insertion.
 */
export function* listWaiting(dialect: Dialect): Unit<readonly WaitingEvent[]> {
  const businesses = yield* listBusinesses(dialect);
  const limit = Math.ceil(MAX_EVENTS / (businesses.length || 1));
  const found: { readonly event: WaitingEvent; readonly turn: number }[] = [];
  for (const businessId of businesses) {
    const from = `${fromWaiting(dialect)} AND business_id = @businessId ORDER BY number LIMIT @limit`;
    const events = yield* WAITING.list(from, { businessId, limit });
    found.push(...events.map((event, turn) => ({ event, turn })));
  }
  return found.toSorted((a, b) => a.turn - b.turn || a.event.number - b.event.number).map(({ event }) => event);
}

/** Returns the time of the oldest event without a position; null if there is none. */
export function* findOldestWaiting(dialect: Dialect): Unit<number | null> {
  let oldest: number | null = null;
  for (const businessId of yield* listBusinesses(dialect)) {
    const sql = `SELECT at FROM ${fromWaiting(dialect)} AND business_id = @businessId ORDER BY number LIMIT 1`;
    const { at } = (yield* get<{ at: number }>(sql, { businessId })) ?? { at: Infinity };
    oldest = Math.min(oldest ?? Infinity, at);
  }
  return oldest;
}
