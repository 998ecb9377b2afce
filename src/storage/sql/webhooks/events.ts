import { newId } from "#domain/core/system.ts";
import { MAX_WAITING_DELIVERIES, NOT_SENT } from "#domain/events/delivery.ts";
import { countAttempts } from "#domain/events/subscription.ts";
import type { Tile } from "#domain/content/tile.ts";
import type { EventType, TileEventPayload } from "#domain/settings/webhook.ts";
import type { Dialect } from "../driver.ts";
import { insertEvent, insertTileEvent } from "../events/record.ts";
import { run, type Unit } from "../unit.ts";
import { countWaiting } from "./backlog.ts";

type Place = { readonly businessId: string; readonly boardId: string };

/** Records the end of background work: for the change feed, and for the webhook of the business, if it has one for this event. */
export function* recordEvent(dialect: Dialect, event: EventType, place: Place, payload: object, now: number): Unit<void> {
  const json = JSON.stringify(payload);
  yield* insertEvent(event, { businessId: place.businessId, id: place.boardId }, { payload: json }, now);
  yield* insertDelivery(dialect, event, place, json, now);
}

/** Records the end of the ingestion of a tile, as `recordEvent` does. */
export function* recordTileEvent(dialect: Dialect, event: Extract<EventType, `tile.${string}`>, tile: Tile, now: number): Unit<void> {
  const { id: tileId, boardId, title, type, businessId } = tile;
  yield* insertTileEvent(event, tile, now);
  const payload = { tileId, boardId, title, type } satisfies TileEventPayload;
  yield* insertDelivery(dialect, event, { businessId, boardId }, JSON.stringify(payload), now);
}

const IS_FULL = `${countWaiting("w.business_id", "''")} >= ${MAX_WAITING_DELIVERIES}`;

/** Does nothing if the board is deleted, or if the business has no webhook for this event. Ends at once if too many wait. */
function* insertDelivery(dialect: Dialect, event: EventType, { businessId, boardId }: Place, payload: string, now: number): Unit<void> {
  yield* run(
    `INSERT INTO delivery (business_id, id, webhook_id, event, url, status, error, payload, created_at, max_attempts)
     SELECT w.business_id, @id, w.id, @event, w.url, CASE WHEN w.is_full THEN 'failed' ELSE 'pending' END,
       CASE WHEN w.is_full THEN CAST(@backlog AS TEXT) END, @payload, @now, CASE WHEN w.retries THEN ${countAttempts(true)} ELSE 1 END
     FROM (SELECT w.business_id, w.id, w.url, w.retries, ${IS_FULL} AS is_full FROM webhook w
       JOIN board b ON b.business_id = w.business_id AND b.id = @boardId AND b.deleted_at IS NULL
       WHERE w.business_id = @businessId AND w.events LIKE @listed${dialect.locking("FOR SHARE OF w")}) AS w`,
    { id: newId("dlv", now), backlog: NOT_SENT.backlog, event, listed: `%"${event}"%`, payload, now, boardId, businessId },
  );
}
