import type { Delivery } from "#domain/settings/webhook.ts";
import { SENDER_STOPPED } from "../../shared/errors.ts";
import { type Candidate, createJobPicker, type RunningCount } from "../../shared/turns/job-picker.ts";
import { type DeliveryAdapter, DELIVERIES } from "../../sql/settings/webhooks.ts";
import type { Database } from "../engine/database.ts";

/** The advisory lock that serialises the claims of all nodes, so that together they respect the limit of each business. */
const CLAIM_LOCK = 8_264_017_354;

/** The limit per business is that of a host which nobody else uses. */
const RUNNING = `SELECT business_id AS "businessId", business_id AS host, count(*)::int AS count FROM delivery
  WHERE status = 'sending' GROUP BY business_id`;

/** The oldest pending deliveries of each business, oldest first. It needs a few index lookups for each, however many wait. */
const CANDIDATES = `
  WITH RECURSIVE owner AS (
    (SELECT business_id FROM delivery WHERE status = 'pending' ORDER BY business_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.business_id FROM delivery d WHERE d.status = 'pending' AND d.business_id > o.business_id ORDER BY d.business_id LIMIT 1)
    FROM owner o WHERE o.business_id IS NOT NULL)
  SELECT oldest.id, o.business_id AS "businessId", o.business_id AS host FROM owner o CROSS JOIN LATERAL (
    SELECT id, created_at, number FROM delivery d WHERE d.business_id = o.business_id AND d.status = 'pending'
    ORDER BY created_at, number LIMIT $1) AS oldest
  WHERE o.business_id <> ALL ($2::text[]) ORDER BY oldest.created_at, oldest.number`;

const CLAIM = `UPDATE delivery SET status = 'sending', sending_until = $1
  FROM unnest($2::text[], $3::text[]) AS picked (owner_id, delivery_id)
  WHERE business_id = picked.owner_id AND id = picked.delivery_id AND status = 'pending' RETURNING ${DELIVERIES.columns}`;

/** Claims deliveries for the senders of several nodes. A delivery fails when its sender does not report the outcome in time. */
export function createDeliveryAdapter(db: Database): DeliveryAdapter {
  const picker = createJobPicker();
  return {
    async claim(limit, perBusiness, sendMs, nodeNow, reserved = 0, except = []) {
      const now = await db.toServerTime(nodeNow);
      await failLost(db, now);
      if (limit + reserved < 1 || (await db.get("SELECT 1 AS found FROM delivery WHERE status = 'pending' LIMIT 1")) === undefined)
        return [];
      return db.write(async (tx) => {
        await tx.run("SELECT pg_advisory_xact_lock($1)", CLAIM_LOCK);
        const candidates = await tx.all<Candidate>(CANDIDATES, Math.min(perBusiness, limit + reserved), except);
        const picked = new Set(picker.pick(candidates, await tx.all<RunningCount>(RUNNING), { limit, reserved, perHost: perBusiness }));
        const oldest = candidates.filter((candidate) => picked.has(candidate));
        const claimed = await tx.all<Delivery>(
          CLAIM,
          now + sendMs,
          oldest.map(({ businessId }) => businessId),
          oldest.map(({ id }) => id),
        );
        const byId = new Map(claimed.map((delivery) => [delivery.id, delivery]));
        return oldest.flatMap(({ id }) => byId.get(id) ?? []);
      });
    },

    recover: async (now) => failLost(db, await db.toServerTime(now)),
  };
}

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
