import { newId } from "#domain/system.ts";
import type { EventType, TileEventPayload } from "#domain/webhook.ts";
import type { Transaction } from "../engine/database.ts";

/** Records an event inside the unit of work that makes it true; the sender posts what was recorded. */
export async function recordTileEvent(tx: Transaction, event: EventType, businessId: string, tileId: string, now: number): Promise<void> {
  const webhook = await tx.get<{ id: string; url: string; events: string }>(
    "SELECT id, url, events FROM webhook WHERE business_id = $1",
    businessId,
  );
  if (webhook === undefined || !(JSON.parse(webhook.events) as string[]).includes(event)) return;
  const tile = await tx.get<{ board_id: string; title: string; type: string }>(
    `SELECT t.board_id, t.title, t.type FROM tile t
     JOIN board b ON b.business_id = t.business_id AND b.id = t.board_id AND b.deleted_at IS NULL
     WHERE t.business_id = $1 AND t.id = $2`,
    businessId,
    tileId,
  );
  if (tile === undefined) return;
  const payload: TileEventPayload = { tileId, boardId: tile.board_id, title: tile.title, type: tile.type };
  await tx.run(
    `INSERT INTO delivery (business_id, id, webhook_id, event, url, status, payload, created_at)
     VALUES ($1, $2, $3, $4, $5, 'pending', $6, $7)`,
    businessId,
    newId("dlv", now),
    webhook.id,
    event,
    webhook.url,
    JSON.stringify(payload),
    now,
  );
}
