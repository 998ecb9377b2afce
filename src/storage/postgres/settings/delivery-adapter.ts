import type { Delivery } from "#domain/settings/webhook.ts";
import { SENDER_STOPPED } from "../../shared/errors.ts";
import { type DeliveryAdapter, DELIVERIES } from "../../sql/settings/webhooks.ts";
import type { Database } from "../engine/database.ts";
import type { Transaction } from "../engine/transaction.ts";

/** The advisory lock that serialises the claims of all nodes, so that together they respect the limit of each business. */
const CLAIM_LOCK = 8_264_017_354;

/** Claims deliveries for the senders of several nodes. A delivery fails when its sender does not report the outcome in time. */
export const createDeliveryAdapter = (db: Database): DeliveryAdapter => ({
  async claim(limit, perBusiness, sendMs, nodeNow, except = []) {
    const now = await db.toServerTime(nodeNow);
    await failLost(db, now);
    if (limit < 1 || (await db.get("SELECT 1 AS found FROM delivery WHERE status = 'pending' LIMIT 1")) === undefined) return [];
    return db.write(async (tx) => {
      await tx.run("SELECT pg_advisory_xact_lock($1)", CLAIM_LOCK);
      const claimed: Delivery[] = [];
      for (const businessId of await listWaitingBusinesses(tx)) {
        if (claimed.length >= limit) break;
        if (except.includes(businessId)) continue;
        claimed.push(...(await claimForBusiness(tx, businessId, limit - claimed.length, perBusiness, now + sendMs)));
      }
      return claimed;
    });
  },

  recover: async (now) => failLost(db, await db.toServerTime(now)),
});

/** Fails deliveries with an expired lease, by the clock of the server. Returns how many. */
async function failLost(db: Database, now: number): Promise<number> {
  const lost = await db.all<{ business_id: string }>(
    "SELECT DISTINCT business_id FROM delivery WHERE status = 'sending' AND sending_until < $1 ORDER BY business_id",
    now,
  );
  const sql = "UPDATE delivery SET status = 'failed', error = $1 WHERE business_id = $2 AND status = 'sending' AND sending_until < $3";
  let failed = 0;
  for (const { business_id: businessId } of lost) failed += await db.write((tx) => tx.run(sql, SENDER_STOPPED, businessId, now));
  return failed;
}

/** Lists businesses with pending deliveries, longest waiting first. It needs one index lookup per business, however many deliveries wait. */
async function listWaitingBusinesses(tx: Transaction): Promise<string[]> {
  const rows = await tx.all<{ business_id: string }>(
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
  return rows.map((row) => row.business_id);
}

/** Claims the oldest pending deliveries of one business, as many as its slots allow. */
async function claimForBusiness(
  tx: Transaction,
  businessId: string,
  limit: number,
  perBusiness: number,
  until: number,
): Promise<Delivery[]> {
  const running = await tx.get<{ n: number }>(
    "SELECT count(*) AS n FROM delivery WHERE business_id = $1 AND status = 'sending'",
    businessId,
  );
  const slots = Math.min(limit, perBusiness - (running?.n ?? 0));
  if (slots <= 0) return [];
  const rows = await tx.all<Delivery & { readonly number: number }>(
    `UPDATE delivery SET status = 'sending', sending_until = $1
     WHERE business_id = $2 AND id = ANY (ARRAY (
       SELECT id FROM delivery WHERE business_id = $2 AND status = 'pending' ORDER BY created_at, number LIMIT $3)) AND status = 'pending'
     RETURNING ${DELIVERIES.columns}, number`,
    until,
    businessId,
    slots,
  );
  return rows.sort((a, b) => a.createdAt - b.createdAt || a.number - b.number).map(({ number: _number, ...delivery }) => delivery);
}
