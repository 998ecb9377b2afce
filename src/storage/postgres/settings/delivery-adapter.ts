import type { Delivery } from "#domain/settings/webhook.ts";
import { SENDER_STOPPED } from "../../shared/errors.ts";
import { type Demand, shareSlots } from "../../shared/turns/share-slots.ts";
import { type DeliveryAdapter, DELIVERIES } from "../../sql/settings/webhooks.ts";
import type { Database } from "../engine/database.ts";
import type { Transaction } from "../engine/transaction.ts";

/** The advisory lock that serialises the claims of all nodes, so that together they respect the limit of each business. */
const CLAIM_LOCK = 8_264_017_354;

/** Claims deliveries for the senders of several nodes. A delivery fails when its sender does not report the outcome in time. */
export const createDeliveryAdapter = (db: Database): DeliveryAdapter => ({
  async claim(limit, perBusiness, sendMs, nodeNow, reserved = 0, except = []) {
    const now = await db.toServerTime(nodeNow);
    await failLost(db, now);
    if (limit + reserved < 1 || (await db.get("SELECT 1 AS found FROM delivery WHERE status = 'pending' LIMIT 1")) === undefined) return [];
    return db.write(async (tx) => {
      await tx.run("SELECT pg_advisory_xact_lock($1)", CLAIM_LOCK);
      const demands = (await listDemands(tx, perBusiness)).filter(({ businessId }) => !except.includes(businessId));
      const shares = shareSlots(demands, { limit, reserved, perBusiness });
      const claimed: NumberedDelivery[] = [];
      for (const [businessId, count] of shares) claimed.push(...(await claimForBusiness(tx, businessId, count, now + sendMs)));
      claimed.sort((a, b) => a.createdAt - b.createdAt || a.number - b.number);
      return claimed.map(({ number: _number, ...delivery }) => delivery);
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

type NumberedDelivery = Delivery & { readonly number: number };

/** Lists the businesses with pending deliveries, longest waiting first. It needs a few index lookups for each, however many wait. */
const listDemands = (tx: Transaction, perBusiness: number): Promise<Demand[]> =>
  tx.all<Demand>(
    `WITH RECURSIVE waiting AS (
       (SELECT business_id FROM delivery WHERE status = 'pending' ORDER BY business_id LIMIT 1)
       UNION ALL
       SELECT (SELECT d.business_id FROM delivery d WHERE d.status = 'pending' AND d.business_id > w.business_id ORDER BY d.business_id LIMIT 1)
       FROM waiting w WHERE w.business_id IS NOT NULL)
     SELECT w.business_id AS "businessId", oldest.n AS waiting,
       (SELECT count(*)::int FROM delivery s WHERE s.business_id = w.business_id AND s.status = 'sending') AS running
     FROM waiting w CROSS JOIN LATERAL (
       SELECT count(*)::int AS n, min(created_at) AS created_at, min(number) AS number FROM (
         SELECT created_at, number FROM delivery d WHERE d.business_id = w.business_id AND d.status = 'pending'
         ORDER BY created_at, number LIMIT $1) AS first) AS oldest
     WHERE w.business_id IS NOT NULL
     ORDER BY oldest.created_at, oldest.number`,
    perBusiness,
  );

/** Claims the oldest pending deliveries of one business. */
const claimForBusiness = (tx: Transaction, businessId: string, count: number, until: number): Promise<NumberedDelivery[]> =>
  tx.all<NumberedDelivery>(
    `UPDATE delivery SET status = 'sending', sending_until = $1
     WHERE business_id = $2 AND id = ANY (ARRAY (
       SELECT id FROM delivery WHERE business_id = $2 AND status = 'pending' ORDER BY created_at, number LIMIT $3)) AND status = 'pending'
     RETURNING ${DELIVERIES.columns}, number`,
    until,
    businessId,
    count,
  );
