import { newId } from "#domain/core/system.ts";
import type { EventType, TileEventPayload } from "#domain/settings/webhook.ts";
import type { Connection } from "../engine/database.ts";

/** Records events inside the unit of work that makes them true; the sender posts what was recorded. */
export type Recorder = {
  /** Where the business has a webhook that carries it and the board is not deleted. */
  record(event: EventType, businessId: string, boardId: string, payload: object, now: number): void;
  recordTile(event: EventType, businessId: string, tileId: string, now: number): void;
  /** Tells the sender, once the unit of work is on disk. */
  wake(): void;
};

export function createRecorder(db: Connection, wakers: ReadonlySet<() => void>): Recorder {
  /** The webhook of the business, where it carries the event. */
  function receiverOf(event: EventType, businessId: string): { readonly id: string; readonly url: string } | undefined {
    const webhook = db.get<{ id: string; url: string; events: string }>(
      "SELECT id, url, events FROM webhook WHERE business_id = ?",
      businessId,
    );
    return webhook !== undefined && (JSON.parse(webhook.events) as string[]).includes(event) ? webhook : undefined;
  }

  function insert(
    event: EventType,
    businessId: string,
    webhook: { readonly id: string; readonly url: string },
    payload: object,
    now: number,
  ): void {
    db.run(
      `INSERT INTO delivery (business_id, id, webhook_id, event, url, status, payload, created_at)
       VALUES (?, ?, ?, ?, ?, 'pending', ?, ?)`,
      businessId,
      newId("dlv", now),
      webhook.id,
      event,
      webhook.url,
      JSON.stringify(payload),
      now,
    );
  }

  return {
    record(event, businessId, boardId, payload, now) {
      const webhook = receiverOf(event, businessId);
      if (webhook === undefined) return;
      const board = db.get("SELECT 1 AS found FROM board WHERE business_id = ? AND id = ? AND deleted_at IS NULL", businessId, boardId);
      if (board !== undefined) insert(event, businessId, webhook, payload, now);
    },
    recordTile(event, businessId, tileId, now) {
      const webhook = receiverOf(event, businessId);
      if (webhook === undefined) return;
      const tile = db.get<{ board_id: string; title: string; type: string }>(
        `SELECT t.board_id, t.title, t.type FROM tile t
         JOIN board b ON b.business_id = t.business_id AND b.id = t.board_id AND b.deleted_at IS NULL
         WHERE t.business_id = ? AND t.id = ?`,
        businessId,
        tileId,
      );
      if (tile === undefined) return;
      const payload: TileEventPayload = { tileId, boardId: tile.board_id, title: tile.title, type: tile.type };
      insert(event, businessId, webhook, payload, now);
    },
    wake() {
      for (const waker of wakers) waker();
    },
  };
}
