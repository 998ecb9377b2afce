import type { Delivery } from "#domain/settings/webhook.ts";
import { SENDER_STOPPED } from "../../shared/errors.ts";
import { type Candidate, createJobPicker, type RunningCount } from "../../shared/turns/job-picker.ts";
import { type DeliveryAdapter, DELIVERIES } from "../../sql/settings/webhooks.ts";
import type { Connection } from "../engine/database.ts";

/** The limit per business is that of a host which nobody else uses. */
const RUNNING = `SELECT business_id AS businessId, business_id AS host, count(*) AS count FROM delivery
  WHERE status = 'sending' GROUP BY business_id`;
const OLDEST = `SELECT id, business_id AS businessId, business_id AS host, created_at AS createdAt, rowid AS position FROM delivery
  WHERE business_id = ? AND status = 'pending' ORDER BY created_at, rowid LIMIT ?`;
const CLAIM = `UPDATE delivery SET status = 'sending' WHERE business_id = ? AND id = ? RETURNING ${DELIVERIES.columns}`;

type PendingRow = Candidate & { readonly createdAt: number; readonly position: number };

/** Claims deliveries for a single sending process. Deliveries that it was sending when it stopped fail at its next start. */
export function createDeliveryAdapter(db: Connection): DeliveryAdapter {
  const picker = createJobPicker();
  return {
    async claim(limit, perBusiness, _sendMs, _now, reserved = 0, except = []) {
      // Without a look before the write, every poll would commit an empty transaction.
      if (limit + reserved < 1 || !iterateBusinesses(db).some((id) => !except.includes(id))) return [];
      return db.write(() => {
        const candidates = findCandidates(db, Math.min(perBusiness, limit + reserved), except);
        const picked = new Set(picker.pick(candidates, db.all<RunningCount>(RUNNING), { limit, reserved, perHost: perBusiness }));
        return candidates
          .filter((candidate) => picked.has(candidate))
          .flatMap(({ businessId, id }) => db.all<Delivery>(CLAIM, businessId, id))
          .map((row) => DELIVERIES.read(row));
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

/** Returns the oldest pending deliveries of each business, oldest first. It needs a few index lookups for each, however many wait. */
function findCandidates(db: Connection, perBusiness: number, except: readonly string[]): Candidate[] {
  const rows: PendingRow[] = [];
  for (const businessId of iterateBusinesses(db))
    if (!except.includes(businessId)) rows.push(...db.all<PendingRow>(OLDEST, businessId, perBusiness));
  return rows.sort((a, b) => a.createdAt - b.createdAt || a.position - b.position);
}
