import { type ClaimOptions, type Delivery, NOT_SENT } from "#domain/events/delivery.ts";
import type { WebhookStore } from "#domain/settings/webhook.ts";
import { type Candidate, createJobPicker, type JobPicker, type RunningCount } from "../../shared/turns/job-picker.ts";
import type { Dialect, Driver } from "../driver.ts";
import { addListener, type Notifier } from "../notifier.ts";
import { all, exists, run, type Unit } from "../unit.ts";
import { DELIVERIES } from "./deliveries.ts";
import { isAnyPending, listCandidates, type ReceiverFilter, RUNNING } from "./receivers.ts";

type SenderMethods = "claim" | "recover" | "returnToQueue" | "onDelivery";

/** How many deliveries whose pause is over one claim makes pending. */
const MAX_DUE = 500;
const IS_DELIVERY = "business_id = @businessId AND id = @id";

/**
 * How senders claim deliveries. A delivery whose sender does not report the outcome in time, or before a restart, fails, or is tried again
 * if it has attempts left.
 */
export function createSenderQueue(driver: Driver, notifier: Notifier): Pick<WebhookStore, SenderMethods> {
  const { dialect, isShared, read, write, toSharedTime } = driver;
  const pickers = { businesses: createJobPicker(), receivers: createJobPicker() };
  return {
    async claim(limit, perReceiver, sendMs, nodeNow, reserved = 0, except = [], { receivers = 0, isFailing = false } = {}) {
      const now = await toSharedTime(nodeNow);
      if (isShared) await failLost(driver, now);
      await makeDue(driver, now);
      const filter: ReceiverFilter = { except, isFailing };
      // Without a look before the write, every poll would commit an empty transaction.
      if (limit + reserved + receivers < 1 || !(await read(() => isAnyPending(dialect, filter)))) return [];
      return write(function* () {
        // The claims of all nodes are serialised, so that together they respect the limit of each receiver.
        yield* dialect.lock("deliveries", "");
        const candidates = yield* listCandidates(dialect, Math.min(perReceiver, limit + reserved + receivers), filter);
        const running = yield* all<RunningCount>(RUNNING);
        const picked = pick(pickers, candidates, running, { limit, reserved, perHost: perReceiver, receivers });
        return yield* leaseDeliveries(
          dialect,
          candidates.filter(({ id }) => picked.has(id)),
          now + sendMs,
        );
      });
    },

    recover: async (now) => failLost(driver, await toSharedTime(now)),

    async returnToQueue({ businessId, id, attempt }) {
      const sql = `UPDATE delivery SET status = 'pending', attempt = attempt - 1 WHERE ${IS_DELIVERY} AND status = 'sending'
        AND attempt = @attempt`;
      await write(() => run(sql, { businessId, id, attempt }));
    },

    onDelivery: (wake) => addListener(notifier.senders, wake),
  };
}

type Limits = { readonly limit: number; readonly reserved: number; readonly perHost: number } & Required<Pick<ClaimOptions, "receivers">>;

/**
 * Returns the ids of the deliveries to send now: those that the businesses are due, then one each of receivers with nothing being sent, so
 * that no receiver waits for a slow one of the same business.
 */
function pick(
  { businesses, receivers }: Readonly<Record<"businesses" | "receivers", JobPicker>>,
  candidates: readonly Candidate[],
  running: readonly RunningCount[],
  limits: Limits,
): ReadonlySet<string> {
  const due = businesses.pick(candidates, running, limits);
  const ids = new Set(due.map(({ id }) => id));
  const byReceiver = ({ host }: { readonly host: string }): { readonly businessId: string } => ({ businessId: host });
  const busy = [...running, ...due.map((delivery) => ({ ...delivery, count: 1 }))].map((one) => ({ ...one, ...byReceiver(one) }));
  const others = candidates.filter(({ id }) => !ids.has(id)).map((one) => ({ ...one, ...byReceiver(one) }));
  const alone = receivers.pick(others, busy, { limit: 0, reserved: limits.receivers, perHost: 1 });
  return new Set([...ids, ...alone.map(({ id }) => id)]);
}

/** Returns the deliveries in this order, without those that are not pending any more. */
function* leaseDeliveries({ isAnyOf, unindexed }: Dialect, picked: readonly Candidate[], until: number): Unit<Delivery[]> {
  const claimed = yield* DELIVERIES.change(
    `UPDATE delivery SET status = 'sending', sending_until = @until, attempt = attempt + 1, retry_at = NULL
     WHERE ${isAnyOf("business_id", "businesses")} AND ${isAnyOf("id", "ids")} AND ${unindexed("status")} = 'pending'`,
    { until, businesses: picked.map(({ businessId }) => businessId), ids: picked.map(({ id }) => id) },
  );
  const byId = new Map(claimed.map((delivery) => [delivery.id, delivery]));
  return picked.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Makes deliveries pending whose next attempt is due. */
async function makeDue({ dialect, read, write }: Driver, now: number): Promise<void> {
  const due = `FROM delivery${dialect.useIndex("delivery_retrying")} WHERE status = 'retrying' AND retry_at <= @now`;
  if (!(await read(() => exists(`SELECT business_id ${due} LIMIT 1`, { now })))) return;
  await write(() =>
    run(
      // Another node may have claimed one of them while this unit waited for its row.
      `UPDATE delivery SET status = 'pending' WHERE (business_id, id) IN (SELECT business_id, id ${due} ORDER BY retry_at LIMIT ${MAX_DUE})
       AND ${dialect.unindexed("status")} = 'retrying'`,
      { now },
    ),
  );
}

/** Ends deliveries whose lease has expired, or all that are being sent if no other process sends. Returns how many. */
async function failLost({ isShared, read, write }: Driver, now: number): Promise<number> {
  const isLost = isShared ? "status = 'sending' AND sending_until < @now" : "status = 'sending'";
  const select = `SELECT DISTINCT business_id FROM delivery WHERE ${isLost} ORDER BY business_id`;
  const update = `UPDATE delivery SET status = CASE WHEN attempt < max_attempts THEN 'retrying' ELSE 'failed' END,
    retry_at = CASE WHEN attempt < max_attempts THEN CAST(@now AS BIGINT) END, error = @error
    WHERE business_id = @businessId AND ${isLost}`;
  let failed = 0;
  for (const { business_id: businessId } of await read(() => all<{ business_id: string }>(select, { now })))
    failed += await write(() => run(update, { businessId, now, error: NOT_SENT.stopped }));
  return failed;
}
