import type { Dialect } from "../driver.ts";
import { get, run, type Unit } from "../unit.ts";
import { isBoardEvent, reportTiles } from "./board-tiles.ts";
import { findReceivers, insertDeliveries, type Recorded, type WaitingEvent } from "./fan-out.ts";
import type { Rooms } from "../webhooks/backlog.ts";
import { hasWaitingEvents, listWaiting } from "./waiting.ts";

/** What one unit of work did. `first` is the position before it. */
export type Sequenced = {
  readonly first: number;
  readonly events: readonly WaitingEvent[];
  /** How many deliveries to subscriptions were recorded. */
  readonly deliveries: number;
  readonly recorded: Recorded;
  /** Whether more events wait, of the business if one was given. */
  readonly hasMore: boolean;
};

const COLUMNS = { business_id: "text", number: "bigint", position: "bigint" } as const;

/**
 * Gives the next committed events the positions after the last one, those of each business in the order in which they were recorded. The
 * lock of the feed makes positions visible in order. An event whose transaction is committed late gets a later position, so no reader skips
 * it. Records the deliveries to subscriptions in the same unit, so that each event is delivered once. `known` says how many more may wait.
 */
export function* sequenceEvents(dialect: Dialect, known: Rooms, now: number, businessId?: string): Unit<Sequenced> {
  const { rowsOfJson, locking } = dialect;
  const first = yield* lockFeed(locking("FOR UPDATE"));
  const waiting = yield* listWaiting(dialect);
  // The first of each business, since those of another board must not wait for a million tiles.
  for (const [ofBoard] of Map.groupBy(waiting.filter(isBoardEvent), (event) => event.businessId).values())
    if (ofBoard !== undefined) yield* reportTiles(dialect, ofBoard);
  const ofTiles = waiting.filter((event) => !isBoardEvent(event));
  const { events, matches } = yield* findReceivers(dialect, ofTiles, now);
  if (events.length > 0) {
    const rows = events.map((event, i) => ({ business_id: event.businessId, number: event.number, position: first + i + 1 }));
    yield* run(
      `UPDATE event SET position = r.position, properties = NULL FROM ${rowsOfJson("rows", COLUMNS)} AS r
       WHERE event.business_id = r.business_id AND event.number = r.number`,
      { rows: JSON.stringify(rows) },
    );
    yield* run("UPDATE feed SET position = @position", { position: first + events.length });
  }
  const recorded = yield* insertDeliveries(dialect, matches, known, now);
  return { first, events, deliveries: matches.length, recorded, hasMore: yield* hasWaitingEvents(dialect, businessId) };
}

/** Locks the feed until the unit is committed, and returns the last position. The row is missing after the transfer of an older database. */
function* lockFeed(clause: string): Unit<number> {
  const select = `SELECT position FROM feed${clause}`;
  const row = yield* get<{ position: number }>(select);
  if (row !== undefined) return row.position;
  yield* run("INSERT INTO feed (only_one, position, erased) VALUES (1, 0, 0) ON CONFLICT (only_one) DO NOTHING");
  return (yield* get<{ position: number }>(select))?.position ?? 0;
}
