import type { Dialect } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { exists, get, run, type Unit } from "../unit.ts";
import { isBoardEvent, reportTiles } from "./board-tiles.ts";
import { findReceivers, insertDeliveries, type WaitingEvent } from "./fan-out.ts";

/** How many events one unit of work gives their positions. */
const MAX_EVENTS = 500;

const WAITING = new Mapping<WaitingEvent>(plainFields("number", "businessId", "boardId", "event", "payload", "at"));

export const hasWaitingEvents = ({ useIndex }: Dialect): Unit<boolean> =>
  exists(`SELECT 1 AS found FROM event${useIndex("event_waiting")} WHERE position IS NULL LIMIT 1`);

/** What one unit of work did. `first` is the position before it. */
export type Sequenced = {
  readonly first: number;
  readonly events: readonly WaitingEvent[];
  /** How many deliveries to subscriptions were recorded. */
  readonly deliveries: number;
  readonly hasMore: boolean;
};

/**
 * Gives the next committed events the positions after the last one, in the order in which they were recorded. The lock of the feed makes
 * positions visible in order. An event whose transaction is committed late gets a later position, so no reader skips it. Records the
 * deliveries to subscriptions in the same unit, so that each event is delivered once.
 */
export function* sequenceEvents(dialect: Dialect, now: number): Unit<Sequenced> {
  const { useIndex, rowsOfJson, locking } = dialect;
  const first = yield* lockFeed(locking("FOR UPDATE"));
  const waiting = yield* WAITING.list(`event${useIndex("event_waiting")} WHERE position IS NULL ORDER BY number LIMIT @limit`, {
    limit: MAX_EVENTS,
  });
  const ofBoard = waiting.find(isBoardEvent);
  if (ofBoard !== undefined) yield* reportTiles(dialect, ofBoard);
  const ofTiles = waiting.filter((event) => !isBoardEvent(event));
  const { events, matches } = yield* findReceivers(dialect, ofTiles, now);
  if (events.length > 0) {
    const rows = events.map(({ businessId, number }, i) => ({ business_id: businessId, number, position: first + i + 1 }));
    yield* run(
      `UPDATE event SET position = r.position FROM ${rowsOfJson("rows", { business_id: "text", number: "bigint", position: "bigint" })} AS r
       WHERE event.business_id = r.business_id AND event.number = r.number`,
      { rows: JSON.stringify(rows) },
    );
    yield* run("UPDATE feed SET position = @position", { position: first + events.length });
    yield* insertDeliveries(dialect, matches, now);
  }
  const hasMore = events.length < waiting.length || waiting.length === MAX_EVENTS;
  return { first, events, deliveries: matches.length, hasMore };
}

/** Locks the feed until the unit is committed, and returns the last position. The row is missing after the transfer of an older database. */
function* lockFeed(clause: string): Unit<number> {
  const select = `SELECT position FROM feed${clause}`;
  const row = yield* get<{ position: number }>(select);
  if (row !== undefined) return row.position;
  yield* run("INSERT INTO feed (only_one, position, erased) VALUES (1, 0, 0) ON CONFLICT (only_one) DO NOTHING");
  return (yield* get<{ position: number }>(select))?.position ?? 0;
}
