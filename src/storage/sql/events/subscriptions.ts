import {
  findPauseReason,
  MAX_SUBSCRIPTIONS,
  type Subscription,
  type SubscriptionPatch,
  type SubscriptionStore,
} from "#domain/events/subscription.ts";
import { type Delivery, type DeliveryOutcome, NOT_SENT } from "#domain/events/delivery.ts";
import type { SubscriptionManager } from "#domain/settings/webhook.ts";
import { isEmpty } from "../checks/changes.ts";
import { secretAlreadyShown, tooManyWebhooks } from "../checks/errors.ts";
import { createIdempotently } from "../checks/idempotency.ts";
import { type Dialect, type Driver, lockBusiness } from "../driver.ts";
import { flag, insert, json, Mapping, plainFields } from "../mapping.ts";
import { getAuditActor, insertAudit } from "../settings/audit.ts";
import { endDeliveries, endStep, type ReceiverKey, stopRetries, IS_PAUSED } from "../webhooks/end-deliveries.ts";
import { all, get, run, type Unit } from "../unit.ts";

const FIELDS = {
  ...plainFields("id", "businessId", "url", "boardId", "description", "status", "pausedReason", "keyId", "createdBy"),
  ...plainFields("sealedSecret", "sealedPrevious", "previousUntil", "failures", "failingSince", "lastDeliveryAt", "createdAt", "updatedAt"),
  ...{ events: json, zoneIds: json, types: json, tags: json, properties: json, includeTile: flag, retries: flag },
};
export const SUBSCRIPTIONS = new Mapping<Subscription>(FIELDS, "s");

const IS_SUBSCRIPTION = "business_id = @businessId AND id = @id";
const UPDATE = `UPDATE subscription SET url = @url, events = @events, board_id = @boardId, zone_ids = @zoneIds, types = @types, tags = @tags,
  properties = @properties, include_tile = @includeTile, retries = @retries, description = @description, status = @status,
  paused_reason = @pausedReason, sealed_secret = @sealedSecret, sealed_previous = @sealedPrevious, previous_until = @previousUntil, failures = @failures,
  failing_since = @failingSince, updated_at = @updatedAt WHERE ${IS_SUBSCRIPTION}`;

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

    update: (businessId, id, patch, by, now) => update(driver, { businessId, id, by, now }, patch),

    rotate: (businessId, id, rotate, by, now) =>
      write(() => change(dialect, { businessId, id, by, now, action: "subscription.rotate" }, rotate)),

    async remove(businessId, id, by, now) {
      const isRemoved = await write(() => deleteSubscriptions({ businessId, id }, "id = @id", getAuditActor(by), now));
      if (isRemoved) await endDeliveries(driver, { businessId, subscriptionId: id }, NOT_SENT.removed);
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

/** Who changes which subscription. */
type Change = {
  readonly businessId: string;
  readonly id: string;
  readonly by: SubscriptionManager;
  readonly now: number;
  readonly action: string;
};

/** Changes a subscription as it is when nobody else can change it. Returns null if there is none. */
function* change(
  dialect: Dialect,
  { businessId, id, by, now, action }: Change,
  choose: (current: Subscription) => Partial<Subscription>,
): Unit<Subscription | null> {
  yield* lockBusiness(dialect, businessId);
  // An attempt may pause the subscription meanwhile.
  const current = yield* SUBSCRIPTIONS.findForChange(dialect, OF_SUBSCRIPTION, { businessId, id });
  if (current === null) return null;
  const changes = choose(current);
  if (isEmpty(changes)) return current;
  const changed = { ...current, ...changes, updatedAt: now };
  if (changed.status !== current.status) yield* endWaiting(dialect, { businessId, subscriptionId: id });
  yield* run(UPDATE, toRow(changed));
  yield* insertAudit({ businessId, actor: getAuditActor(by), action, subject: id, at: now });
  return changed;
}

/** Ends what waits at a pause, or what one left waiting, as far as one unit of work can. What is being sent has no further attempt. */
function* endWaiting(dialect: Dialect, receiver: ReceiverKey): Unit<void> {
  yield* stopRetries(receiver);
  yield* endStep(dialect, receiver, NOT_SENT.paused);
}

async function update(
  driver: Driver,
  target: Omit<Change, "action">,
  { status, ...patch }: SubscriptionPatch,
): Promise<Subscription | null> {
  const { dialect, write } = driver;
  const receiver = { businessId: target.businessId, subscriptionId: target.id };
  const resumed = { status: "active", pausedReason: null, failures: 0, failingSince: null } as const;
  const next = status === "paused" ? { status, pausedReason: null } : status === "active" ? resumed : {};
  // All that a pause left waiting, since its process ended: nothing of it must be sent after the pause.
  if (status === "active") await endDeliveries(driver, receiver, NOT_SENT.paused, IS_PAUSED);
  const changed = await write(() => change(dialect, { ...target, action: "subscription.update" }, () => ({ ...patch, ...next })));
  // Another call may resume it meanwhile, and what comes then is sent.
  if (changed?.status === "paused") await endDeliveries(driver, receiver, NOT_SENT.paused, IS_PAUSED);
  return changed;
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

/** Records in a subscription what an attempt says about its receiver, and pauses it if that is gone. Returns whether it is paused. */
export function* noteAttempt(
  dialect: Dialect,
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
  yield* endWaiting(dialect, { businessId, subscriptionId: id });
  yield* insertAudit({ businessId, actor: getAuditActor("operator"), action: "subscription.pause", subject: id, at: sentAt });
  return true;
}
