import type { Delivery } from "#domain/settings/webhook.ts";
import { SENDER_STOPPED } from "../../shared/changes.ts";
import { type DeliveryAdapter, DELIVERIES } from "../../sql/settings/webhooks.ts";
import type { Database, Reader, Transaction } from "../engine/database.ts";

/** Claims of all nodes come one after the other, so that together they keep to the places of a business. */
const CLAIM_LOCK = 8_264_017_354;

/** Deliveries for the senders of several nodes: each is leased for a while, and fails where its sender does not report in time. */
export function createDeliveryAdapter(db: Database): DeliveryAdapter {
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
    const rows = await tx.all<Delivery & { readonly number: number }>(
      `UPDATE delivery SET status = 'sending', sending_until = $1
       WHERE business_id = $2 AND id = ANY (ARRAY (
         SELECT id FROM delivery WHERE business_id = $2 AND status = 'pending' ORDER BY created_at, number LIMIT $3)) AND status = 'pending'
       RETURNING ${DELIVERIES.columns}, number`,
      until,
      businessId,
      places,
    );
    return rows.sort((a, b) => a.createdAt - b.createdAt || a.number - b.number).map(({ number: _number, ...delivery }) => delivery);
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

    recover,
  };
}
