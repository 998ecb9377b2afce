import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryCursor,
  type DeliveryFilter,
  type DeliveryOutcome,
  type DeliverySummary,
  MAX_WAITING_DELIVERIES,
  NOT_SENT,
  type Redelivery,
  type RedeliveryStep,
} from "#domain/events/delivery.ts";
import type { SubscriptionManager, WebhookOwner, WebhookStore } from "#domain/settings/webhook.ts";
import { type Dialect, type Driver, lockRows } from "../driver.ts";
import type { Notifier } from "../notifier.ts";
import { insert, json, Mapping, plain, plainFields } from "../mapping.ts";
import { getAuditActor, insertAudit } from "../settings/audit.ts";
import { all, run, type Unit } from "../unit.ts";
import { noteAttempt } from "../events/subscriptions.ts";
import { countAllWaiting } from "./backlog.ts";
import { endDeliveries, IS_PAUSED, OF_RECEIVER } from "./end-deliveries.ts";
import { createLogTrimmer } from "./trim-log.ts";

type DeliveryMethods = "deliveries" | "deliveryPage" | "delivery" | "record" | "recordOutcome" | "recordUnsent" | "redeliverFailed";

const SUMMARY_FIELDS = {
  ...plainFields("id", "businessId", "webhookId", "subscriptionId", "event", "url", "status", "createdAt", "sentAt"),
  ...plainFields("responseStatus", "error", "durationMs", "attempt", "maxAttempts", "retryAt"),
  attempts: json,
};
const NUMBERED_SUMMARIES = new Mapping<DeliverySummary & { readonly number: number }>({ ...SUMMARY_FIELDS, number: plain });
export const DELIVERIES = new Mapping<Delivery>({ ...SUMMARY_FIELDS, ...plainFields("payload", "body", "responseStart") });

const IS_DELIVERY = "business_id = @businessId AND id = @id";
/** How many ended attempts of a delivery are kept. */
const MAX_KEPT_ATTEMPTS = 20;
/** Deliveries that one unit of work schedules again. */
const REDELIVERY_STEP = 500;
/** No more are scheduled again while so many wait, so that new events have room. */
const MAX_SCHEDULED = MAX_WAITING_DELIVERIES / 2;

/** The log of deliveries. */
export function createDeliveryLog(driver: Driver, notifier: Notifier): Pick<WebhookStore, DeliveryMethods> {
  const { dialect, read, write } = driver;
  const trimLog = createLogTrimmer(driver);
  return {
    deliveries(businessId, limit, subscriptionId = "") {
      const from = `delivery WHERE ${OF_RECEIVER} ORDER BY created_at DESC, number DESC LIMIT @limit`;
      return read(() => DELIVERIES.list(from, { businessId, subscriptionId, limit }));
    },

    deliveryPage: (businessId, limit, after, filter = {}) => read(() => readPage(businessId, limit, after, filter)),

    delivery: (businessId, id) => read(() => DELIVERIES.find(`delivery WHERE ${IS_DELIVERY}`, { businessId, id })),

    async record({ businessId, id, webhookId, subscriptionId = "", maxAttempts = 1, event, url, payload, createdAt }) {
      const receiver = { webhookId, subscriptionId, maxAttempts };
      await write(() => insert("delivery", { businessId, id, ...receiver, event, url, status: "pending", payload, createdAt }));
      notifier.notifySenders();
    },

    async redeliverFailed(businessId, redelivery, by, startAt, intervalMs, after) {
      const step = await write(() => scheduleFailed(dialect, { businessId, ...redelivery }, by, startAt, intervalMs, after));
      if (step.scheduled > 0) notifier.notifySenders();
      return step;
    },

    async recordOutcome(delivery, body, sentAt, outcome, retryAt = null) {
      const { isStored, isPaused } = await write(() => recordOutcome(dialect, delivery, body, sentAt, outcome, retryAt));
      if (isPaused) await endDeliveries(driver, delivery, NOT_SENT.paused, IS_PAUSED);
      await trimLog(delivery);
      return isStored;
    },

    async recordUnsent({ businessId, subscriptionId, id, attempt }, error) {
      const sql = `UPDATE delivery SET status = 'failed', attempt = attempt - 1, retry_at = NULL, error = @error
        WHERE ${IS_DELIVERY} AND status = 'sending' AND attempt = @attempt`;
      const changed = await write(() => run(sql, { businessId, id, attempt, error }));
      await trimLog({ businessId, subscriptionId });
      return changed > 0;
    },
  };
}

function* readPage(
  businessId: string,
  limit: number,
  after: DeliveryCursor | null,
  { subscriptionId = "", status, since }: DeliveryFilter,
): Unit<{ readonly deliveries: readonly DeliverySummary[]; readonly next: DeliveryCursor | null }> {
  const [createdAt, number] = after ?? [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const filters = [...(status === undefined ? [] : ["status = @status"]), ...(since === undefined ? [] : ["created_at >= @since"])];
  const where = [OF_RECEIVER, "(created_at, number) < (@createdAt, @number)", ...filters].join(" AND ");
  const rows = yield* NUMBERED_SUMMARIES.list(`delivery WHERE ${where} ORDER BY created_at DESC, number DESC LIMIT @count`, {
    ...{ businessId, subscriptionId, createdAt, number, count: limit + 1 },
    ...{ status: status ?? "", since: since ?? 0 },
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const next = last === undefined ? null : ([last.createdAt, last.number] as const);
  return { deliveries: page.map(({ number: _number, ...delivery }) => delivery), next };
}

/** Schedules the next failed deliveries again. A cursor keeps a delivery that fails again meanwhile from being scheduled twice. */
function* scheduleFailed(
  dialect: Dialect,
  { businessId, subscriptionId, since, until, receiver }: Redelivery & { readonly businessId: string },
  by: WebhookOwner | SubscriptionManager,
  startAt: number,
  intervalMs: number,
  after: DeliveryCursor | null,
): Unit<RedeliveryStep> {
  const [createdAt, number] = after ?? [since, 0];
  const limit = Math.min(REDELIVERY_STEP, MAX_SCHEDULED - (yield* countAllWaiting({ businessId, subscriptionId })));
  if (limit <= 0) return { scheduled: 0, next: null };
  const failed = yield* all<Pick<Delivery, "id" | "createdAt"> & { readonly number: number }>(
    `SELECT id, created_at AS "createdAt", number FROM delivery${dialect.useIndex("delivery_failed")}
     WHERE ${OF_RECEIVER} AND status = 'failed' AND (created_at, number) > (@createdAt, @number) AND created_at < @until ORDER BY created_at, number LIMIT @limit`,
    { businessId, subscriptionId, createdAt, number, until, limit },
  );
  const last = failed.at(-1);
  if (last === undefined) return { scheduled: 0, next: null };
  const rows = failed.map(({ id }, i) => ({ id, retry_at: Math.round(startAt + i * intervalMs) }));
  // A delivery that another unit has scheduled meanwhile is not failed any more.
  const scheduled = yield* run(
    `UPDATE delivery SET status = 'retrying', retry_at = r.retry_at, attempt = 0, webhook_id = @webhookId, url = @url,
       max_attempts = @maxAttempts
     FROM ${dialect.rowsOfJson("rows", { id: "text", retry_at: "bigint" })} AS r
     WHERE delivery.business_id = @businessId AND delivery.id = r.id AND delivery.status = 'failed'`,
    { businessId, rows: JSON.stringify(rows), ...receiver },
  );
  const subject = subscriptionId === "" ? businessId : subscriptionId;
  yield* insertAudit({ businessId, actor: getAuditActor(by), action: "webhook.redeliver", subject, at: startAt });
  return { scheduled, next: failed.length < REDELIVERY_STEP ? null : [last.createdAt, last.number] };
}

function* recordOutcome(
  dialect: Dialect,
  delivery: Delivery,
  body: string,
  sentAt: number,
  outcome: DeliveryOutcome,
  retryAt: number | null,
): Unit<{ readonly isStored: boolean; readonly isPaused: boolean }> {
  const { businessId, id, url, attempt } = delivery;
  const { ok, responseStatus, responseStart, error } = outcome;
  const durationMs = Math.round(outcome.durationMs);
  const ended: DeliveryAttempt = { at: sentAt, responseStatus, error, durationMs };
  const attempts = JSON.stringify([...(delivery.attempts ?? []), ended].slice(-MAX_KEPT_ATTEMPTS));
  const lastStatus = ok ? "succeeded" : "failed";
  const status = retryAt === null ? lastStatus : "retrying";
  // In the order in which a pause locks them.
  if (delivery.subscriptionId !== "") yield* lockRows(dialect, "subscription", businessId, [delivery.subscriptionId]);
  const changed = yield* run(
    `UPDATE delivery SET status = CASE WHEN attempt < max_attempts THEN CAST(@status AS TEXT) ELSE CAST(@lastStatus AS TEXT) END,
     url = @url, body = @body, sent_at = @sentAt, response_status = @responseStatus,
     response_start = @responseStart, error = @error, duration_ms = @durationMs, attempts = @attempts,
     retry_at = CASE WHEN attempt < max_attempts THEN CAST(@retryAt AS BIGINT) END
     WHERE ${IS_DELIVERY} AND status = 'sending' AND attempt = @attempt`,
    { status, lastStatus, url, body, sentAt, responseStatus, responseStart, error, durationMs, attempts, retryAt, businessId, id, attempt },
  );
  const isStored = changed > 0;
  return { isStored, isPaused: isStored && delivery.subscriptionId !== "" && (yield* noteAttempt(dialect, delivery, outcome, sentAt)) };
}
