import type { Delivery, EventType, Webhook, WebhookStore } from "#domain/webhook.ts";
import type { Connection, Row } from "./engine/database.ts";
import { insertAudit } from "./shared/audit.ts";

const DELIVERY_COLUMNS =
  "business_id, id, webhook_id, event, url, status, payload, body, response_status, response_start, error, duration_ms, created_at, sent_at";

const webhookOf = (row: Row): Webhook => ({
  id: row.id as string,
  businessId: row.business_id as string,
  url: row.url as string,
  events: JSON.parse(row.events as string) as EventType[],
  sealedSecret: row.sealed_secret as string,
  sealedPrevious: row.sealed_previous as string | null,
  previousUntil: row.previous_until as number | null,
  createdAt: row.created_at as number,
  updatedAt: row.updated_at as number,
});

const deliveryOf = (row: Row): Delivery => ({
  id: row.id as string,
  businessId: row.business_id as string,
  webhookId: row.webhook_id as string,
  event: row.event as string,
  url: row.url as string,
  status: row.status as Delivery["status"],
  payload: row.payload as string,
  body: row.body as string | null,
  responseStatus: row.response_status as number | null,
  responseStart: row.response_start as string | null,
  error: row.error as string | null,
  durationMs: row.duration_ms as number | null,
  createdAt: row.created_at as number,
  sentAt: row.sent_at as number | null,
});

export function createWebhookStore(db: Connection, wakers: Set<() => void>): WebhookStore {
  return {
    async find(businessId) {
      const row = db.get("SELECT * FROM webhook WHERE business_id = ?", businessId);
      return row === undefined ? null : webhookOf(row);
    },

    put: (webhook, actor) =>
      db.writeSettings(() => {
        db.run("DELETE FROM webhook WHERE business_id = ?", webhook.businessId);
        db.run(
          `INSERT INTO webhook (business_id, id, url, events, sealed_secret, sealed_previous, previous_until, created_at, updated_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          webhook.businessId,
          webhook.id,
          webhook.url,
          JSON.stringify(webhook.events),
          webhook.sealedSecret,
          webhook.sealedPrevious,
          webhook.previousUntil,
          webhook.createdAt,
          webhook.updatedAt,
        );
        insertAudit(db, { businessId: webhook.businessId, actor, action: "webhook.set", subject: webhook.id, at: webhook.updatedAt });
        return webhook;
      }),

    clear: (businessId, actor, now) =>
      db.writeSettings(() => {
        const row = db.get<{ id: string }>("SELECT id FROM webhook WHERE business_id = ?", businessId);
        if (row === undefined) return false;
        db.run("DELETE FROM webhook WHERE business_id = ?", businessId);
        // What was not sent yet can't be signed any more; the log says so.
        db.run(
          "UPDATE delivery SET status = 'failed', error = 'The webhook was removed before this was sent.' WHERE business_id = ? AND status = 'pending'",
          businessId,
        );
        insertAudit(db, { businessId, actor, action: "webhook.clear", subject: row.id, at: now });
        return true;
      }),

    deliveries: async (businessId, limit) =>
      db
        .all(
          `SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE business_id = ? ORDER BY created_at DESC, rowid DESC LIMIT ?`,
          businessId,
          limit,
        )
        .map(deliveryOf),

    async delivery(businessId, deliveryId) {
      const row = db.get(`SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE business_id = ? AND id = ?`, businessId, deliveryId);
      return row === undefined ? null : deliveryOf(row);
    },

    async record(delivery) {
      await db.write(() =>
        db.run(
          `INSERT INTO delivery (business_id, id, webhook_id, event, url, status, payload, created_at) VALUES (?, ?, ?, ?, ?, 'pending', ?, ?)`,
          delivery.businessId,
          delivery.id,
          delivery.webhookId,
          delivery.event,
          delivery.url,
          delivery.payload,
          delivery.createdAt,
        ),
      );
      for (const waker of wakers) waker();
    },

    async claim(limit, perBusiness) {
      if (limit < 1 || db.get("SELECT 1 AS found FROM delivery WHERE status = 'pending' LIMIT 1") === undefined) return [];
      return db.write(() => {
        const running = new Map<string, number>();
        for (const row of db.all<{ business_id: string; n: number }>(
          "SELECT business_id, count(*) AS n FROM delivery WHERE status = 'sending' GROUP BY business_id",
        )) {
          running.set(row.business_id, row.n);
        }
        const picked: Delivery[] = [];
        const waiting = db.sql(`SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE status = 'pending' ORDER BY created_at, rowid`);
        for (const row of waiting.iterate()) {
          const delivery = deliveryOf(row);
          const count = running.get(delivery.businessId) ?? 0;
          if (count >= perBusiness) continue;
          running.set(delivery.businessId, count + 1);
          picked.push(delivery);
          if (picked.length >= limit) break;
        }
        for (const delivery of picked) {
          db.run("UPDATE delivery SET status = 'sending' WHERE business_id = ? AND id = ?", delivery.businessId, delivery.id);
        }
        return picked.map((delivery) => ({ ...delivery, status: "sending" as const }));
      });
    },

    async settle(delivery, body, sentAt, outcome) {
      await db.write(() =>
        db.run(
          `UPDATE delivery SET status = ?, body = ?, sent_at = ?, response_status = ?, response_start = ?, error = ?, duration_ms = ?
           WHERE business_id = ? AND id = ?`,
          outcome.ok ? "succeeded" : "failed",
          body,
          sentAt,
          outcome.responseStatus,
          outcome.responseStart,
          outcome.error,
          Math.round(outcome.durationMs),
          delivery.businessId,
          delivery.id,
        ),
      );
    },

    recover: () =>
      db.write(() =>
        db.run(
          "UPDATE delivery SET status = 'failed', error = 'The service stopped while this was being sent; it may have arrived.' WHERE status = 'sending'",
        ),
      ),

    onDelivery(waker) {
      wakers.add(waker);
      return () => wakers.delete(waker);
    },
  };
}
