import type { Delivery, Webhook, WebhookStore } from "#domain/settings/webhook.ts";
import { SENDER_STOPPED, WEBHOOK_REMOVED, isEmpty, settlerName } from "../../shared/changes.ts";
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
import type { Database, Reader, Transaction } from "../engine/database.ts";
import { insertAudit } from "../shared/audit.ts";

/** Claims of all nodes come one after the other, so that together they keep to the places of a business. */
const CLAIM_LOCK = 8_264_017_354;

async function readWebhook(on: Reader, businessId: string): Promise<Webhook | null> {
  const row = await on.get<WebhookRow>(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE business_id = $1`, businessId);
  return row === undefined ? null : webhookOf(row);
}

/** `wake` tells the senders of every node; `senders` are those of this process. */
export function createWebhookStore(db: Database, wake: () => void, senders: Set<() => void>): WebhookStore {
  const closeLost = (businessId: string, now: number): Promise<number> =>
    db.write((tx) =>
      tx.run(
        "UPDATE delivery SET status = 'failed', error = $1 WHERE business_id = $2 AND status = 'sending' AND sending_until < $3",
        SENDER_STOPPED,
        businessId,
        now,
      ),
    );

  const recover = async (now: number): Promise<number> => closeAllLost(await db.toServerTime(now));

  /** `now` is of the server's clock. */
  async function closeAllLost(now: number): Promise<number> {
    const lost = await db.all<{ business_id: string }>(
      "SELECT DISTINCT business_id FROM delivery WHERE status = 'sending' AND sending_until < $1 ORDER BY business_id",
      now,
    );
    let closed = 0;
    for (const { business_id: businessId } of lost) closed += await closeLost(businessId, now);
    return closed;
  }

  /** The oldest that wait, of one business, as many as its places allow. */
  async function takeOf(tx: Transaction, businessId: string, limit: number, perBusiness: number, until: number): Promise<Delivery[]> {
    const running = await tx.get<{ n: number }>(
      "SELECT count(*) AS n FROM delivery WHERE business_id = $1 AND status = 'sending'",
      businessId,
    );
    const places = Math.min(limit, perBusiness - (running?.n ?? 0));
    if (places <= 0) return [];
    const rows = await tx.all<DeliveryRow & { number: number }>(
      `UPDATE delivery SET status = 'sending', sending_until = $1
       WHERE business_id = $2 AND id = ANY (ARRAY (
         SELECT id FROM delivery WHERE business_id = $2 AND status = 'pending' ORDER BY created_at, number LIMIT $3)) AND status = 'pending'
       RETURNING ${DELIVERY_COLUMNS}, number`,
      until,
      businessId,
      places,
    );
    return rows.sort((a, b) => a.created_at - b.created_at || a.number - b.number).map(deliveryOf);
  }

  /** Businesses with deliveries that wait, the longest waiting first; from one to the next by the index, however many wait. */
  const waiting = (on: Reader): Promise<{ business_id: string }[]> =>
    on.all(
      `WITH RECURSIVE waiting AS (
         (SELECT business_id FROM delivery WHERE status = 'pending' ORDER BY business_id LIMIT 1)
         UNION ALL
         SELECT (SELECT d.business_id FROM delivery d WHERE d.status = 'pending' AND d.business_id > w.business_id ORDER BY d.business_id LIMIT 1)
         FROM waiting w WHERE w.business_id IS NOT NULL)
       SELECT w.business_id FROM waiting w CROSS JOIN LATERAL (
         SELECT created_at, number FROM delivery d WHERE d.business_id = w.business_id AND d.status = 'pending'
         ORDER BY created_at, number LIMIT 1) AS oldest
       ORDER BY oldest.created_at, oldest.number`,
    );

  return {
    find: (businessId) => readWebhook(db, businessId),

    put: (webhook, by, action = "webhook.set") =>
      db.write(async (tx) => {
        await tx.run("SELECT 1 FROM business WHERE id = $1 FOR UPDATE", webhook.businessId);
        await tx.run("DELETE FROM webhook WHERE business_id = $1", webhook.businessId);
        await tx.run(
          `INSERT INTO webhook (${WEBHOOK_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
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
        await insertAudit(tx, { businessId, actor: settlerName(by), action, subject: id, at: updatedAt });
        return webhook;
      }),

    update: (businessId, patch, by, now) =>
      db.write(async (tx) => {
        await tx.run("SELECT 1 FROM business WHERE id = $1 FOR UPDATE", businessId);
        const webhook = await readWebhook(tx, businessId);
        if (webhook === null || isEmpty(patch)) return webhook;
        await tx.run(
          "UPDATE webhook SET url = $1, events = $2, updated_at = $3 WHERE business_id = $4",
          patch.url ?? webhook.url,
          JSON.stringify(patch.events ?? webhook.events),
          now,
          businessId,
        );
        await insertAudit(tx, { businessId, actor: settlerName(by), action: "webhook.update", subject: webhook.id, at: now });
        return readWebhook(tx, businessId);
      }),

    clear: (businessId, by, now) =>
      db.write(async (tx) => {
        const row = await tx.get<{ id: string }>("DELETE FROM webhook WHERE business_id = $1 RETURNING id", businessId);
        if (row === undefined) return false;
        // What was not sent yet can't be signed any more; the log says so.
        await tx.run(
          "UPDATE delivery SET status = 'failed', error = $1 WHERE business_id = $2 AND status = 'pending'",
          WEBHOOK_REMOVED,
          businessId,
        );
        await insertAudit(tx, { businessId, actor: settlerName(by), action: "webhook.clear", subject: row.id, at: now });
        return true;
      }),

    async deliveries(businessId, limit) {
      const rows = await db.all<DeliveryRow>(
        `SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE business_id = $1 ORDER BY created_at DESC, number DESC LIMIT $2`,
        businessId,
        limit,
      );
      return rows.map(deliveryOf);
    },

    async deliveryPage(businessId, limit, after) {
      const [createdAt, number] = after ?? [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
      const rows = await db.all<DeliverySummaryRow>(
        `SELECT ${DELIVERY_SUMMARY_COLUMNS}, number FROM delivery WHERE business_id = $1 AND (created_at, number) < ($2, $3)
         ORDER BY created_at DESC, number DESC LIMIT $4`,
        businessId,
        createdAt,
        number,
        limit + 1,
      );
      return deliveryPageOf(rows, limit);
    },

    async delivery(businessId, deliveryId) {
      const row = await db.get<DeliveryRow>(
        `SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE business_id = $1 AND id = $2`,
        businessId,
        deliveryId,
      );
      return row === undefined ? null : deliveryOf(row);
    },

    async record(delivery) {
      await db.write((tx) =>
        tx.run(
          `INSERT INTO delivery (business_id, id, webhook_id, event, url, status, payload, created_at) VALUES ($1, $2, $3, $4, $5, 'pending', $6, $7)`,
          delivery.businessId,
          delivery.id,
          delivery.webhookId,
          delivery.event,
          delivery.url,
          delivery.payload,
          delivery.createdAt,
        ),
      );
      wake();
    },

    async claim(limit, perBusiness, sendMs, nodeNow) {
      const now = await db.toServerTime(nodeNow);
      await closeAllLost(now);
      if (limit < 1 || (await db.get("SELECT 1 AS found FROM delivery WHERE status = 'pending' LIMIT 1")) === undefined) return [];
      return db.write(async (tx) => {
        await tx.run("SELECT pg_advisory_xact_lock($1)", CLAIM_LOCK);
        const taken: Delivery[] = [];
        for (const { business_id: businessId } of await waiting(tx)) {
          if (taken.length >= limit) break;
          taken.push(...(await takeOf(tx, businessId, limit - taken.length, perBusiness, now + sendMs)));
        }
        return taken;
      });
    },

    async settle(delivery, body, sentAt, outcome) {
      await db.write((tx) =>
        tx.run(
          `UPDATE delivery SET status = $1, body = $2, sent_at = $3, response_status = $4, response_start = $5, error = $6, duration_ms = $7,
           sending_until = NULL WHERE business_id = $8 AND id = $9`,
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

    recover,

    onDelivery(waker) {
      senders.add(waker);
      return () => senders.delete(waker);
    },
  };
}
