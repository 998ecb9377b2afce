import type { Candidate } from "../../shared/turns/job-picker.ts";
import type { Dialect } from "../driver.ts";
import { all, exists, type Unit } from "../unit.ts";

/** Which receivers are served. */
export type ReceiverFilter = {
  /** The ids of businesses, for their webhooks, and of subscriptions that wait. */
  readonly except: readonly string[];
  /** Whether only those are served whose last attempt failed; false serves the others. */
  readonly isFailing: boolean;
};

/** A receiver is known by the id of its subscription, or of its business: the host of its deliveries. */
const toHost = (alias: string): string =>
  `CASE WHEN ${alias}.subscription_id = '' THEN ${alias}.business_id ELSE ${alias}.subscription_id END`;

/** How many deliveries of each receiver are being sent. */
export const RUNNING = `SELECT d.business_id AS "businessId", ${toHost("d")} AS host, count(*) AS count FROM delivery d
  WHERE d.status = 'sending' GROUP BY d.business_id, d.subscription_id`;

const firstPending = (column: "business_id" | "subscription_id", condition: string): string =>
  `(SELECT d.${column} FROM delivery d WHERE d.status = 'pending' AND ${condition} ORDER BY d.${column} LIMIT 1)`;

/**
 * The receivers with pending deliveries, as the table `receiver`, and their businesses, as `owner`. Each takes one index lookup, however many
 * deliveries wait.
 */
const WITH_RECEIVERS = `WITH RECURSIVE owner (business_id) AS (
  SELECT ${firstPending("business_id", "d.business_id > ''")}
  UNION ALL
  SELECT ${firstPending("business_id", "d.business_id > o.business_id")} FROM owner o WHERE o.business_id IS NOT NULL),
receiver (business_id, subscription_id) AS (
  SELECT o.business_id, ${firstPending("subscription_id", "d.business_id = o.business_id")} FROM owner o WHERE o.business_id IS NOT NULL
  UNION ALL
  SELECT r.business_id, ${firstPending("subscription_id", "d.business_id = r.business_id AND d.subscription_id > r.subscription_id")}
  FROM receiver r WHERE r.subscription_id IS NOT NULL)`;

const JOIN_SUBSCRIPTION = "LEFT JOIN subscription s ON s.business_id = r.business_id AND s.id = r.subscription_id";

const isServed = ({ isAnyOf }: Dialect): string =>
  `r.subscription_id IS NOT NULL AND NOT (${isAnyOf(toHost("r"), "except")}) AND (coalesce(s.failures, 0) > 0) = @isFailing`;

export const isAnyPending = (dialect: Dialect, filter: ReceiverFilter): Unit<boolean> =>
  exists(`${WITH_RECEIVERS} SELECT 1 AS found FROM receiver r ${JOIN_SUBSCRIPTION} WHERE ${isServed(dialect)} LIMIT 1`, filter);

/** Lists the oldest pending deliveries of each receiver, oldest first. It needs a few index lookups for each, however many wait. */
export function listCandidates(dialect: Dialect, perReceiver: number, filter: ReceiverFilter): Unit<Candidate[]> {
  const oldest = `FROM delivery d WHERE d.business_id = r.business_id AND d.subscription_id = r.subscription_id AND d.status = 'pending'
    ORDER BY d.created_at, d.number LIMIT @perReceiver`;
  return all<Candidate>(
    `${WITH_RECEIVERS} SELECT d.id, r.business_id AS "businessId", ${toHost("r")} AS host
     FROM receiver r ${JOIN_SUBSCRIPTION} ${dialect.joinFirst("delivery", "d", "number", oldest)}
     WHERE ${isServed(dialect)} ORDER BY d.created_at, d.number`,
    { perReceiver, ...filter },
  );
}
