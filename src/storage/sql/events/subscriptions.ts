import { findPauseReason, MAX_SUBSCRIPTIONS, type Subscription, type SubscriptionStore } from "#domain/events/subscription.ts";
import { type Delivery, type DeliveryOutcome, NOT_SENT } from "#domain/events/delivery.ts";
import type { SubscriptionManager } from "#domain/settings/webhook.ts";
import { isEmpty } from "../checks/changes.ts";
import { secretAlreadyShown, tooManyWebhooks } from "../checks/errors.ts";
import { createIdempotently } from "../checks/idempotency.ts";
import { type Dialect, type Driver, lockBusiness } from "../driver.ts";
import { flag, insert, json, Mapping, plainFields } from "../mapping.ts";
import { getAuditActor, insertAudit } from "../settings/audit.ts";
import { all, get, run, type Unit } from "../unit.ts";

const FIELDS = {
  ...plainFields("id", "businessId", "url", "boardId", "description", "status", "pausedReason", "keyId", "createdBy"),
  ...plainFields("sealedSecret", "sealedPrevious", "previousUntil", "failures", "failingSince", "lastDeliveryAt", "createdAt", "updatedAt"),
  ...{ events: json, zoneIds: json, types: json, tags: json, properties: json, includeTile: flag, retries: flag },
};
export const SUBSCRIPTIONS = new Mapping<Subscription>(FIELDS, "s");

const IS_SUBSCRIPTION = "business_id = @businessId AND id = @id";
const UPDATE = `UPDATE subscription SET url = @url, events = @events, board_id = @boardId, zone_ids = @zoneIds, types = @types, tags = @tags,
  properties = @properties, include_tile = @includeTile, retries = @retries, description = @description, status = @status, paused_reason = @pausedReason,
  sealed_secret = @sealedSecret, sealed_previous = @sealedPrevious, previous_until = @previousUntil, failures = @failures,
  failing_since = @failingSince, updated_at = @updatedAt WHERE ${IS_SUBSCRIPTION}`;
/** Deliveries that one unit of work ends. */
const ENDED_STEP = 500;

const toRow = ({ events, zoneIds, types, tags, properties, ...rest }: Subscription) => ({
  ...rest,
  events: JSON.stringify(events),
  zoneIds: JSON.stringify(zoneIds),
  types: JSON.stringify(types),
  tags: JSON.stringify(tags),
  properties: JSON.stringify(properties),
});

const OF_SUBSCRIPTION = "subscription s WHERE s.business_id = @businessId AND s.id = @id";

export function createSubscriptionStore(driver: Driver): SubscriptionStore {
  const { dialect, read, write } = driver;

  const change = (
    businessId: string,
    id: string,
    choose: (current: Subscription) => Partial<Subscription>,
    by: SubscriptionManager,
    action: string,
    now: number,
  ): Promise<Subscription | null> =>
    write(function* () {
      yield* lockBusiness(dialect, businessId);
      // An attempt may pause the subscription meanwhile.
      const current = yield* SUBSCRIPTIONS.findForChange(dialect, OF_SUBSCRIPTION, { businessId, id });
      if (current === null) return null;
      const changes = choose(current);
      if (isEmpty(changes)) return current;
      const changed = { ...current, ...changes, updatedAt: now };
      yield* run(UPDATE, toRow(changed));
      yield* insertAudit({ businessId, actor: getAuditActor(by), action, subject: id, at: now });
      return changed;
    });

  return {
    list(businessId, keyId) {
      const own = keyId === null ? "" : "AND s.key_id = @keyId";
      const from = `subscription s WHERE s.business_id = @businessId ${own} ORDER BY s.created_at, s.id`;
      return read(() => SUBSCRIPTIONS.list(from, { businessId, keyId }));
    },

    find: (businessId, id) => read(() => SUBSCRIPTIONS.find(OF_SUBSCRIPTION, { businessId, id })),

    async create(subscription, by, idempotency) {
      const create = () => insertSubscription(dialect, subscription, by);
      const outcome = await createIdempotently(driver, { idempotency, now: subscription.createdAt, create });
      if (outcome.replayed) throw secretAlreadyShown("webhook");
      return outcome.value;
    },

    async update(businessId, id, { status, ...patch }, by, now) {
      const resumed = { status: "active", pausedReason: null, failures: 0, failingSince: null } as const;
      const next = status === "paused" ? { status, pausedReason: null } : status === "active" ? resumed : {};
      const changed = await change(businessId, id, () => ({ ...patch, ...next }), by, "subscription.update", now);
      if (changed?.status === "paused") await endDeliveries(driver, businessId, id, NOT_SENT.paused);
      return changed;
    },

    rotate: (businessId, id, rotate, by, now) => change(businessId, id, rotate, by, "subscription.rotate", now),

    async remove(businessId, id, by, now) {
      const isRemoved = await write(() => deleteSubscriptions({ businessId, id }, "id = @id", getAuditActor(by), now));
      if (isRemoved) await endDeliveries(driver, businessId, id, NOT_SENT.removed);
      return isRemoved;
    },

    counts: () =>
      read(function* () {
        const rows = yield* all<{ status: string; count: number }>(
          "SELECT status, count(*) AS count FROM subscription WHERE business_id IN (SELECT id FROM business) GROUP BY status",
        );
        const count = (status: string): number => rows.find((row) => row.status === status)?.count ?? 0;
        return { active: count("active"), paused: count("paused") };
      }),
  };
}

function* insertSubscription(dialect: Dialect, subscription: Subscription, by: SubscriptionManager): Unit<Subscription> {
  const { businessId, id, createdAt } = subscription;
  yield* lockBusiness(dialect, businessId);
  const sql = "SELECT count(*) AS count FROM subscription WHERE business_id = @businessId";
  const { count } = (yield* get<{ count: number }>(sql, { businessId })) ?? { count: 0 };
  if (count >= MAX_SUBSCRIPTIONS) throw tooManyWebhooks();
  yield* insert("subscription", toRow(subscription));
  yield* insertAudit({ businessId, actor: getAuditActor(by), action: "subscription.create", subject: id, at: createdAt });
  return subscription;
}

type Deleted = { readonly businessId: string; readonly id: string };

/** Deletes subscriptions, and returns whether there were any. What waits for them ends when its turn comes. */
export function* deleteSubscriptions(target: Deleted, condition: string, actor: string, now: number): Unit<boolean> {
  const { businessId } = target;
  const sql = `DELETE FROM subscription WHERE business_id = @businessId AND ${condition} RETURNING id`;
  const deleted = yield* all<{ id: string }>(sql, target);
  for (const { id } of deleted) yield* insertAudit({ businessId, actor, action: "subscription.delete", subject: id, at: now });
  return deleted.length > 0;
}

/** Fails what waits for a subscription, step by step. If the process ends before, senders fail the rest when its turn comes. */
export async function endDeliveries({ write }: Driver, businessId: string, subscriptionId: string, error: string): Promise<void> {
  const waiting = `SELECT id FROM delivery WHERE business_id = @businessId AND subscription_id = @subscriptionId
    AND status IN ('pending', 'retrying') LIMIT ${ENDED_STEP}`;
  const sql = `UPDATE delivery SET status = 'failed', retry_at = NULL, error = @error
    WHERE business_id = @businessId AND id IN (${waiting}) AND status IN ('pending', 'retrying')`;
  while ((await write(() => run(sql, { businessId, subscriptionId, error }))) > 0);
}

/** Records in a subscription what an attempt says about its receiver, and pauses it if that is gone. Returns whether it is paused. */
export function* noteAttempt(
  { businessId, subscriptionId: id }: Pick<Delivery, "businessId" | "subscriptionId">,
  { ok, responseStatus }: DeliveryOutcome,
  sentAt: number,
): Unit<boolean> {
  const failed = "failures = failures + 1, failing_since = coalesce(failing_since, @sentAt)";
  const health = ok ? "failures = 0, failing_since = NULL" : failed;
  const row = yield* get<Pick<Subscription, "failures" | "failingSince" | "status">>(
    `UPDATE subscription SET last_delivery_at = @sentAt, ${health} WHERE ${IS_SUBSCRIPTION}
     RETURNING failures, failing_since AS "failingSince", status`,
    { businessId, id, sentAt },
  );
  if (row === undefined || row.status === "paused") return row !== undefined;
  const reason = ok ? null : findPauseReason(responseStatus, row, sentAt);
  if (reason === null) return false;
  yield* run(`UPDATE subscription SET status = 'paused', paused_reason = @reason, updated_at = @sentAt WHERE ${IS_SUBSCRIPTION}`, {
    reason,
    sentAt,
    businessId,
    id,
  });
  yield* insertAudit({ businessId, actor: getAuditActor("operator"), action: "subscription.pause", subject: id, at: sentAt });
  return true;
}
