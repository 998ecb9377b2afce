import type { Delivery } from "#domain/settings/webhook.ts";
import { SENDER_STOPPED } from "../../shared/errors.ts";
import { type DeliveryAdapter, DELIVERIES } from "../../sql/settings/webhooks.ts";
import type { Connection } from "../engine/database.ts";

/** Claims deliveries for a single sending process. Deliveries that it was sending when it stopped fail at its next start. */
export function createDeliveryAdapter(db: Connection): DeliveryAdapter {
  return {
    async claim(limit, perBusiness, _sendMs, _now, except = []) {
      if (limit < 1 || db.get("SELECT 1 AS found FROM delivery WHERE status = 'pending' LIMIT 1") === undefined) return [];
      return db.write(() => {
        const running = new Map<string, number>();
        for (const row of db.all<{ business_id: string; n: number }>(
          "SELECT business_id, count(*) AS n FROM delivery WHERE status = 'sending' GROUP BY business_id",
        )) {
          running.set(row.business_id, row.n);
        }
        const claimed: Delivery[] = [];
        const waiting = db.sql(`SELECT ${DELIVERIES.columns} FROM delivery WHERE status = 'pending'
          AND business_id NOT IN (SELECT value FROM json_each(?)) ORDER BY created_at, rowid`);
        for (const row of waiting.iterate(JSON.stringify(except))) {
          const delivery = DELIVERIES.read(row as Delivery);
          const count = running.get(delivery.businessId) ?? 0;
          if (count >= perBusiness) continue;
          running.set(delivery.businessId, count + 1);
          claimed.push(delivery);
          if (claimed.length >= limit) break;
        }
        for (const delivery of claimed) {
          db.run("UPDATE delivery SET status = 'sending' WHERE business_id = ? AND id = ?", delivery.businessId, delivery.id);
        }
        return claimed.map((delivery) => ({ ...delivery, status: "sending" as const }));
      });
    },

    recover: () => db.write(() => db.run("UPDATE delivery SET status = 'failed', error = ? WHERE status = 'sending'", SENDER_STOPPED)),
  };
}
