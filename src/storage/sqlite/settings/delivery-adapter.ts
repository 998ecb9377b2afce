import type { Delivery } from "#domain/settings/webhook.ts";
import { SENDER_STOPPED } from "../../shared/errors.ts";
import { type Demand, shareSlots } from "../../shared/turns/share-slots.ts";
import { type DeliveryAdapter, DELIVERIES } from "../../sql/settings/webhooks.ts";
import type { Connection } from "../engine/database.ts";

const OLDEST = `SELECT ${DELIVERIES.columns}, rowid AS position FROM delivery WHERE business_id = ? AND status = 'pending'
  ORDER BY created_at, rowid LIMIT ?`;

type PendingRow = Delivery & { readonly position: number };

/** Claims deliveries for a single sending process. Deliveries that it was sending when it stopped fail at its next start. */
export function createDeliveryAdapter(db: Connection): DeliveryAdapter {
  return {
    async claim(limit, perBusiness, _sendMs, _now, reserved = 0, except = []) {
      // Without a look before the write, every poll would commit an empty transaction.
      if (limit + reserved < 1 || !iterateBusinesses(db).some((id) => !except.includes(id))) return [];
      return db.write(() => {
        const demands = listDemands(db, perBusiness).filter(({ businessId }) => !except.includes(businessId));
        const shares = shareSlots(demands, { limit, reserved, perBusiness });
        const rows = [...shares].flatMap(([businessId, count]) => db.all<PendingRow>(OLDEST, businessId, count));
        for (const row of rows) db.run("UPDATE delivery SET status = 'sending' WHERE business_id = ? AND id = ?", row.businessId, row.id);
        return rows
          .sort((a, b) => a.createdAt - b.createdAt || a.position - b.position)
          .map(({ position: _position, ...row }) => ({ ...DELIVERIES.read(row), status: "sending" as const }));
      });
    },

    recover: () => db.write(() => db.run("UPDATE delivery SET status = 'failed', error = ? WHERE status = 'sending'", SENDER_STOPPED)),
  };
}

/** Iterates over the businesses with pending deliveries. Each takes one index lookup, however many wait. */
function* iterateBusinesses(db: Connection): Generator<string> {
  const sql = "SELECT min(business_id) AS id FROM delivery WHERE status = 'pending' AND business_id > ?";
  const next = (after: string): string | null => db.get<{ id: string | null }>(sql, after)?.id ?? null;
  for (let id = next(""); id !== null; id = next(id)) yield id;
}

/** Lists the businesses with pending deliveries, longest waiting first. It needs a few index lookups for each, however many wait. */
function listDemands(db: Connection, perBusiness: number): Demand[] {
  const running = new Map<string, number>();
  for (const row of db.all<{ business_id: string; n: number }>(
    "SELECT business_id, count(*) AS n FROM delivery WHERE status = 'sending' GROUP BY business_id",
  ))
    running.set(row.business_id, row.n);
  const demands: (Demand & { readonly since: number })[] = [];
  const sql = `SELECT count(*) AS waiting, min(created_at) AS since FROM
    (SELECT created_at FROM delivery WHERE business_id = ? AND status = 'pending' ORDER BY created_at LIMIT ?)`;
  for (const businessId of iterateBusinesses(db)) {
    const { waiting = 0, since = 0 } = db.get<{ waiting: number; since: number }>(sql, businessId, perBusiness) ?? {};
    demands.push({ businessId, running: running.get(businessId) ?? 0, waiting, since });
  }
  return demands.sort((a, b) => a.since - b.since);
}
