import type { Delivery, Webhook, WebhookStore } from "#domain/settings/webhook.ts";
import {
  DELIVERY_COLUMNS,
  DELIVERY_SUMMARY_COLUMNS,
  type DeliveryRow,
  type DeliverySummaryRow,
  WEBHOOK_COLUMNS,
  type WebhookRow,
  deliveryOf,
  deliveryPageOf,
  webhookOf,
} from "../../shared/rows/rows.ts";
import { SENDER_STOPPED, WEBHOOK_REMOVED, isEmpty, settlerName } from "../../shared/changes.ts";
import type { Connection } from "../engine/database.ts";
import { insertAudit } from "../shared/audit.ts";

export function createWebhookStore(db: Connection, wakers: Set<() => void>): WebhookStore {
  const readWebhook = (businessId: string): Webhook | null => {
    const row = db.get<WebhookRow>(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE business_id = ?`, businessId);
    return row === undefined ? null : webhookOf(row);
  };

  return {
    find: async (businessId) => readWebhook(businessId),

    put: (webhook, by, action = "webhook.set") =>
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
        const { businessId, id, updatedAt } = webhook;
        insertAudit(db, { businessId, actor: settlerName(by), action, subject: id, at: updatedAt });
        return webhook;
      }),

    update: (businessId, patch, by, now) =>
      db.writeSettings(() => {
        const webhook = readWebhook(businessId);
        if (webhook === null || isEmpty(patch)) return webhook;
        db.run(
          "UPDATE webhook SET url = ?, events = ?, updated_at = ? WHERE business_id = ?",
          patch.url ?? webhook.url,
          JSON.stringify(patch.events ?? webhook.events),
          now,
          businessId,
        );
        insertAudit(db, { businessId, actor: settlerName(by), action: "webhook.update", subject: webhook.id, at: now });
        return readWebhook(businessId);
      }),

    clear: (businessId, by, now) =>
      db.writeSettings(() => {
        const row = db.get<{ id: string }>("SELECT id FROM webhook WHERE business_id = ?", businessId);
        if (row === undefined) return false;
        db.run("DELETE FROM webhook WHERE business_id = ?", businessId);
        // What was not sent yet can't be signed any more; the log says so.
        db.run(
          "UPDATE delivery SET status = 'failed', error = ? WHERE business_id = ? AND status = 'pending'",
          WEBHOOK_REMOVED,
          businessId,
        );
        insertAudit(db, { businessId, actor: settlerName(by), action: "webhook.clear", subject: row.id, at: now });
        return true;
      }),

    deliveries: async (businessId, limit) =>
      db
        .all<DeliveryRow>(
          `SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE business_id = ? ORDER BY created_at DESC, rowid DESC LIMIT ?`,
          businessId,
          limit,
        )
        .map(deliveryOf),

    async deliveryPage(businessId, limit, after) {
      const [createdAt, number] = after ?? [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
      const rows = db.all<DeliverySummaryRow>(
        `SELECT ${DELIVERY_SUMMARY_COLUMNS}, rowid AS number FROM delivery WHERE business_id = ? AND (created_at, rowid) < (?, ?)
         ORDER BY created_at DESC, rowid DESC LIMIT ?`,
        businessId,
        createdAt,
        number,
        limit + 1,
      );
      return deliveryPageOf(rows, limit);
    },

    async delivery(businessId, deliveryId) {
      const row = db.get<DeliveryRow>(`SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE business_id = ? AND id = ?`, businessId, deliveryId);
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
          const delivery = deliveryOf(row as DeliveryRow);
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

    recover: () => db.write(() => db.run("UPDATE delivery SET status = 'failed', error = ? WHERE status = 'sending'", SENDER_STOPPED)),

    onDelivery(waker) {
      wakers.add(waker);
      return () => wakers.delete(waker);
    },
  };
}
