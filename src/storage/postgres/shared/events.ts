import { newId } from "#domain/core/system.ts";
import type { EventType, TileEventPayload } from "#domain/settings/webhook.ts";
import type { Transaction } from "../engine/database.ts";

type EventTile = TileEventPayload & { readonly businessId: string };

/** Records a tile's event; see `recordEvent`. */
export function recordTileEvent(tx: Transaction, event: EventType, tile: EventTile, now: number): Promise<void> {
  const { businessId: _business, ...payload } = tile;
  return recordEvent(tx, event, tile, payload satisfies TileEventPayload, now);
}

/**
 * Records an event inside the unit of work that makes it true, where the business has a webhook that carries it and the board is
 * not deleted; the sender posts what was recorded.
 */
export async function recordEvent(
  tx: Transaction,
  event: EventType,
  { businessId, boardId }: { readonly businessId: string; readonly boardId: string },
  payload: object,
  now: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO delivery (business_id, id, webhook_id, event, url, status, payload, created_at)
     SELECT w.business_id, $2, w.id, $3, w.url, 'pending', $4, $5 FROM webhook w
     JOIN board b ON b.business_id = w.business_id AND b.id = $6 AND b.deleted_at IS NULL
     WHERE w.business_id = $1 AND w.events::jsonb ? $3 FOR SHARE OF w`,
    businessId,
    newId("dlv", now),
    event,
    JSON.stringify(payload),
    now,
    boardId,
  );
}
