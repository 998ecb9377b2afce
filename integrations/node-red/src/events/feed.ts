import { type Change, CursorExpiredError, InvalidRequestError, NotFoundError } from "@tessera-board/sdk";
import type { Cursor } from "./cursor.ts";
import { pause } from "./repeat.ts";
import type { EventSource, FoundEvent } from "./source.ts";

/** Shorter than the time after which most proxies end a call. */
const WAIT_SECONDS = 25;
const TIMEOUT_MS = 60_000;
/** Bounds the calls of a node if a server or proxy ends the wait at once. */
const MIN_INTERVAL_MS = 500;
/** How many events are read at once with their tiles, whose texts are in memory until all of them are there. */
const MAX_TILES = 20;
/** The end of the feed, where a node without a cursor begins. */
const NOW = "now";

/**
 * Returns the step that reads a page of the change feed, and then sends its events on. The cursor is stored after them: a crash repeats
 * the events of a page, and loses none. A failed call repeats none.
 */
export function createFeedStep(source: EventSource, cursor: Cursor): () => Promise<void> {
  const { client, filter, report, signal } = source;
  let wait = 0;
  return async () => {
    const from = cursor.read() ?? NOW;
    try {
      const { events, boardId, includeTile } = filter;
      const call = { signal, timeoutMs: TIMEOUT_MS, maxRetries: 0, ...(boardId !== undefined && { boardId }) };
      const page = { events, cursor: from, wait, ...(includeTile && { limit: MAX_TILES }) };
      const { changes, nextCursor, hasMore } = await client.changes.list({ ...call, ...page });
      report.connected();
      const found: FoundEvent[] = [];
      for (const change of changes) found.push(includeTile ? await addTile(source, change) : change);
      for (const event of found) source.emit(event);
      if (nextCursor !== from) await cursor.write(nextCursor);
      // The first page shows soon whether the connection works.
      wait = WAIT_SECONDS;
      if (changes.length === 0 && !hasMore) await pause(MIN_INTERVAL_MS, signal);
    } catch (error) {
      if (from === NOW || !isLost(error)) throw error;
      await cursor.clear();
      report.warn("errors.missed", { reason: error.message });
    }
  };
}

/** Whether the cursor can't be used any more: it expired, a backup was restored, or the key belongs to another business now. */
const isLost = (error: unknown): error is Error =>
  error instanceof CursorExpiredError || (error instanceof InvalidRequestError && error.message.startsWith("cursor "));

/** The event with the tile as it is now, unless that was deleted meanwhile. */
async function addTile({ client, signal }: EventSource, change: Change): Promise<FoundEvent> {
  const { tileId } = change.payload;
  if (tileId === undefined || change.event === "tile.deleted") return change;
  try {
    const { etag: _, ...tile } = await client.tiles.get(tileId, { signal });
    return { ...change, payload: { ...change.payload, tile } };
  } catch (error) {
    if (error instanceof NotFoundError) return change;
    throw error;
  }
}
