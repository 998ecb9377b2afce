import { type FeedEvent, readPayload } from "#domain/events/event.ts";
import type { Change, FeedPage, FeedQuery, FeedState } from "#domain/events/feed.ts";
import type { Dialect } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { get, type Unit } from "../unit.ts";

/** How many changes of a business one page of a filtered feed looks at: a few milliseconds, however few of them match. */
const MAX_SCANNED = 2_000;

const STATES = new Mapping<FeedState>(plainFields("position", "erased"));
const NO_STATE: FeedState = { position: 0, erased: 0 };

type Row = Omit<Change, "payload"> & { readonly payload: string };
const CHANGES = new Mapping<Row>(plainFields("position", "event", "boardId", "payload", "at"), "e");

/** Returns the state of the feed. It is missing only after the transfer of an older database, until the next event. */
export function* readFeedState(): Unit<FeedState> {
  return (yield* STATES.find("feed")) ?? NO_STATE;
}

const toChange = ({ payload, ...row }: Row): Change => ({ ...row, payload: readPayload(row.event, row.boardId, payload) });

/**
 * Returns a page of changes up to the position `visible`; null if some of them were erased. All changes up to that position are committed,
 * since positions are given in order.
 */
export function* readFeed(
  dialect: Dialect,
  businessId: string,
  query: FeedQuery,
  visible: (state: FeedState) => number,
): Unit<FeedPage | null> {
  const state = yield* readFeedState();
  const until = visible(state);
  const after = query.after ?? state.erased;
  if (after < state.erased) return null;
  // Nothing has happened since: the usual case of a reader that polls.
  if (after >= until) return { changes: [], next: after, hasMore: false };
  const page = yield* readPage(dialect, businessId, query, { after, until });
  const isErased = (yield* readFeedState()).erased > after;
  return isErased ? null : page;
}

type Span = { readonly after: number; readonly until: number };

function* readPage(
  { isAnyOf }: Dialect,
  businessId: string,
  { boardId, events, limit }: FeedQuery,
  { after, until }: Span,
): Unit<FeedPage> {
  const isFiltered = boardId !== null || events !== null;
  const filters = [...(boardId === null ? [] : ["e.board_id = @boardId"]), ...(events === null ? [] : [isAnyOf("e.event", "events")])];
  const scanned = isFiltered ? MAX_SCANNED : limit + 1;
  const from = "event WHERE business_id = @businessId AND position > @after AND position <= @until";
  const params = { businessId, after, until, scanned, boardId, events: events ?? [], count: limit + 1 };
  const rows = yield* CHANGES.list(
    `(SELECT * FROM ${from} ORDER BY position LIMIT @scanned) AS e
     WHERE ${["TRUE", ...filters].join(" AND ")} ORDER BY e.position LIMIT @count`,
    params,
  );
  const changes = rows.slice(0, limit).map(toChange);
  if (rows.length > limit) return { changes, next: changes.at(-1)?.position ?? after, hasMore: true };
  if (!isFiltered) return { changes, next: until, hasMore: false };
  const last = yield* get<{ position: number }>(`SELECT position FROM ${from} ORDER BY position LIMIT 1 OFFSET @scanned`, {
    ...params,
    scanned: scanned - 1,
  });
  return last === undefined ? { changes, next: until, hasMore: false } : { changes, next: last.position, hasMore: last.position < until };
}

/** Returns the latest changes of an event, newest first, as far as they are among the newest `MAX_SCANNED` of the business. */
export function* readLatest(businessId: string, boardId: string | null, event: FeedEvent, limit: number): Unit<readonly Change[]> {
  const newest = `SELECT * FROM event WHERE business_id = @businessId AND position > 0 ORDER BY position DESC LIMIT ${MAX_SCANNED}`;
  const onBoard = boardId === null ? "" : "AND e.board_id = @boardId";
  const rows = yield* CHANGES.list(`(${newest}) AS e WHERE e.event = @event ${onBoard} ORDER BY e.position DESC LIMIT @limit`, {
    businessId,
    boardId,
    event,
    limit,
  });
  return rows.map(toChange);
}
