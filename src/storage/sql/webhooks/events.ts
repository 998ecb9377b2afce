import { newId } from "#domain/core/system.ts";
import type { Tile } from "#domain/content/tile.ts";
import type { EventType, TileEventPayload } from "#domain/settings/webhook.ts";
import type { Dialect } from "../driver.ts";
import { run, type Unit } from "../unit.ts";

/**
 * Records an event in the unit of work of the change that it reports. Does nothing if the board is deleted, or if the business has no
 * webhook for this event.
 */
export function* recordEvent(
  dialect: Dialect,
  event: EventType,
  { businessId, boardId }: { readonly businessId: string; readonly boardId: string },
  payload: object,
  now: number,
): Unit<void> {
  yield* run(
    `INSERT INTO delivery (business_id, id, webhook_id, event, url, status, payload, created_at)
     SELECT w.business_id, @id, w.id, @event, w.url, 'pending', @payload, @now FROM webhook w
     JOIN board b ON b.business_id = w.business_id AND b.id = @boardId AND b.deleted_at IS NULL
     WHERE w.business_id = @businessId AND w.events LIKE @listed${dialect.locking("FOR SHARE OF w")}`,
    { id: newId("dlv", now), event, listed: `%"${event}"%`, payload: JSON.stringify(payload), now, boardId, businessId },
  );
}

/** Records an event of a tile, as `recordEvent` does. */
export function recordTileEvent(
  dialect: Dialect,
  event: EventType,
  { id: tileId, boardId, title, type, businessId }: Tile,
  now: number,
): Unit<void> {
  return recordEvent(dialect, event, { businessId, boardId }, { tileId, boardId, title, type } satisfies TileEventPayload, now);
}
