import type { Delivery, DeliverySummary, WebhookStore } from "#domain/settings/webhook.ts";
import { SENDER_STOPPED } from "../checks/errors.ts";
import { type Candidate, createJobPicker, type RunningCount } from "../../shared/turns/job-picker.ts";
import type { Dialect, Driver } from "../driver.ts";
import { addListener, type Notifier } from "../notifier.ts";
import { insert, Mapping, plain, plainFields } from "../mapping.ts";
import { all, exists, run, type Unit } from "../unit.ts";

type DeliveryMethods = "deliveries" | "deliveryPage" | "delivery" | "record" | "recordOutcome";
type SenderMethods = "claim" | "recover" | "returnToQueue" | "onDelivery";

const SUMMARY_FIELDS = {
  ...plainFields("id", "businessId", "webhookId", "event", "url", "status", "createdAt", "sentAt"),
  ...plainFields("responseStatus", "error", "durationMs"),
};
const NUMBERED_SUMMARIES = new Mapping<DeliverySummary & { readonly number: number }>({ ...SUMMARY_FIELDS, number: plain });
const DELIVERIES = new Mapping<Delivery>({ ...SUMMARY_FIELDS, ...plainFields("payload", "body", "responseStart") });

const IS_DELIVERY = "business_id = @businessId AND id = @id";

/** The log of deliveries. */
export function createDeliveryLog({ read, write }: Driver, notifier: Notifier): Pick<WebhookStore, DeliveryMethods> {
  return {
    deliveries(businessId, limit) {
      const from = "delivery WHERE business_id = @businessId ORDER BY created_at DESC, number DESC LIMIT @limit";
      return read(() => DELIVERIES.list(from, { businessId, limit }));
    },

    async deliveryPage(businessId, limit, after) {
      const [createdAt, number] = after ?? [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
      const from = `delivery WHERE business_id = @businessId AND (created_at, number) < (@createdAt, @number)
        ORDER BY created_at DESC, number DESC LIMIT @count`;
      const rows = await read(() => NUMBERED_SUMMARIES.list(from, { businessId, createdAt, number, count: limit + 1 }));
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const next = last === undefined ? null : ([last.createdAt, last.number] as const);
      return { deliveries: page.map(({ number: _number, ...delivery }) => delivery), next };
    },

    delivery: (businessId, id) => read(() => DELIVERIES.find(`delivery WHERE ${IS_DELIVERY}`, { businessId, id })),

    async record({ businessId, id, webhookId, event, url, payload, createdAt }) {
      await write(() => insert("delivery", { businessId, id, webhookId, event, url, status: "pending", payload, createdAt }));
      notifier.notifySenders();
    },

    async recordOutcome({ businessId, id }, body, sentAt, { ok, responseStatus, responseStart, error, durationMs }) {
      const changed = await write(() =>
        run(
          `UPDATE delivery SET status = @status, body = @body, sent_at = @sentAt, response_status = @responseStatus,
           response_start = @responseStart, error = @error, duration_ms = @durationMs WHERE ${IS_DELIVERY} AND status = 'sending'`,
          {
            status: ok ? "succeeded" : "failed",
            body,
            sentAt,
            responseStatus,
            responseStart,
            error,
            durationMs: Math.round(durationMs),
            businessId,
            id,
          },
        ),
      );
      return changed > 0;
    },
  };
}

/** How senders claim deliveries. A delivery fails when its sender does not report the outcome in time, or before a restart. */
export function createSenderQueue(driver: Driver, notifier: Notifier): Pick<WebhookStore, SenderMethods> {
  const { dialect, isShared, read, write, toSharedTime } = driver;
  const picker = createJobPicker();
  return {
    async claim(limit, perBusiness, sendMs, nodeNow, reserved = 0, except = []) {
      const now = await toSharedTime(nodeNow);
      if (isShared) await failLost(driver, now);
      // Without a look before the write, every poll would commit an empty transaction.
      if (limit + reserved < 1 || !(await read(() => isAnyPending(dialect, except)))) return [];
      return write(function* () {
        // The claims of all nodes are serialised, so that together they respect the limit of each business.
        yield* dialect.lock("deliveries", "");
        const candidates = yield* listCandidates(dialect, Math.min(perBusiness, limit + reserved), except);
        const running = yield* all<RunningCount>(RUNNING);
        const picked = new Set(picker.pick(candidates, running, { limit, reserved, perHost: perBusiness }));
        return yield* leaseDeliveries(
          dialect,
          candidates.filter((candidate) => picked.has(candidate)),
          now + sendMs,
        );
      });
    },

    recover: async (now) => failLost(driver, await toSharedTime(now)),

    async returnToQueue({ businessId, id }) {
      await write(() => run(`UPDATE delivery SET status = 'pending' WHERE ${IS_DELIVERY} AND status = 'sending'`, { businessId, id }));
    },

    onDelivery: (wake) => addListener(notifier.senders, wake),
  };
}

/** The limit per business is that of a host which nobody else uses. */
const RUNNING = `SELECT business_id AS "businessId", business_id AS host, count(*) AS count FROM delivery
  WHERE status = 'sending' GROUP BY business_id`;

/** The businesses with pending deliveries, as the table `owner`. Each takes one index lookup, however many wait. */
const firstOwner = (condition: string): string =>
  `(SELECT d.business_id FROM delivery d WHERE d.status = 'pending' AND ${condition} ORDER BY d.business_id LIMIT 1)`;
const WITH_OWNERS = `WITH RECURSIVE owner (business_id) AS (
  SELECT ${firstOwner("d.business_id > ''")}
  UNION ALL
  SELECT ${firstOwner("d.business_id > o.business_id")} FROM owner o WHERE o.business_id IS NOT NULL)`;

const isWanted = ({ isAnyOf }: Dialect): string => `o.business_id IS NOT NULL AND NOT (${isAnyOf("o.business_id", "except")})`;

const isAnyPending = (dialect: Dialect, except: readonly string[]): Unit<boolean> =>
  exists(`${WITH_OWNERS} SELECT 1 AS found FROM owner o WHERE ${isWanted(dialect)} LIMIT 1`, { except });

/** Lists the oldest pending deliveries of each business, oldest first. It needs a few index lookups for each, however many wait. */
function listCandidates(dialect: Dialect, perBusiness: number, except: readonly string[]): Unit<Candidate[]> {
  const oldest = `FROM delivery d WHERE d.business_id = o.business_id AND d.status = 'pending' ORDER BY d.created_at, d.number LIMIT @perBusiness`;
  return all<Candidate>(
    `${WITH_OWNERS} SELECT d.id, o.business_id AS "businessId", o.business_id AS host
     FROM owner o ${dialect.joinFirst("delivery", "d", "number", oldest)} WHERE ${isWanted(dialect)} ORDER BY d.created_at, d.number`,
    { perBusiness, except },
  );
}

/** Returns the deliveries in this order, without those that are not pending any more. */
function* leaseDeliveries({ isAnyOf, unindexed }: Dialect, picked: readonly Candidate[], until: number): Unit<Delivery[]> {
  const claimed = yield* DELIVERIES.change(
    `UPDATE delivery SET status = 'sending', sending_until = @until
     WHERE ${isAnyOf("business_id", "businesses")} AND ${isAnyOf("id", "ids")} AND ${unindexed("status")} = 'pending'`,
    { until, businesses: picked.map(({ businessId }) => businessId), ids: picked.map(({ id }) => id) },
  );
  const byId = new Map(claimed.map((delivery) => [delivery.id, delivery]));
  return picked.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Fails deliveries whose lease has expired, or all that are being sent if no other process sends. Returns how many. */
async function failLost({ isShared, read, write }: Driver, now: number): Promise<number> {
  const isLost = isShared ? "status = 'sending' AND sending_until < @now" : "status = 'sending'";
  const select = `SELECT DISTINCT business_id FROM delivery WHERE ${isLost} ORDER BY business_id`;
  const update = `UPDATE delivery SET status = 'failed', error = @error WHERE business_id = @businessId AND ${isLost}`;
  let failed = 0;
  for (const { business_id: businessId } of await read(() => all<{ business_id: string }>(select, { now })))
    failed += await write(() => run(update, { businessId, now, error: SENDER_STOPPED }));
  return failed;
}
