import { NOT_SENT } from "#domain/events/delivery.ts";
import type { Webhook, WebhookOwner, WebhookStore } from "#domain/settings/webhook.ts";
import { isEmpty } from "../checks/changes.ts";
import { getAuditActor, insertAudit } from "../settings/audit.ts";
import { type Driver, lockBusiness } from "../driver.ts";
import type { Notifier } from "../notifier.ts";
import { flag, insert, json, Mapping, plainFields } from "../mapping.ts";
import { get, run, type Unit } from "../unit.ts";
import { createDeliveryLog } from "./deliveries.ts";
import { createSenderQueue } from "./sender-queue.ts";

const WEBHOOKS = new Mapping<Webhook>({
  ...plainFields("id", "businessId", "url", "sealedSecret", "sealedPrevious", "previousUntil", "createdAt", "updatedAt"),
  events: json,
  retries: flag,
});

const UPDATE_WEBHOOK = `UPDATE webhook SET id = @id, url = @url, events = @events, retries = @retries, sealed_secret = @sealedSecret,
  sealed_previous = @sealedPrevious, previous_until = @previousUntil, created_at = @createdAt, updated_at = @updatedAt
  WHERE business_id = @businessId`;

const toRow = (webhook: Webhook) => ({ ...webhook, events: JSON.stringify(webhook.events) });

const readWebhook = (businessId: string): Unit<Webhook | null> => WEBHOOKS.find("webhook WHERE business_id = @businessId", { businessId });

/** The webhook of a business and its deliveries. */
export function createWebhookStore(driver: Driver, notifier: Notifier): WebhookStore {
  const { dialect, read } = driver;
  const write = <T>(unit: () => Unit<T>): Promise<T> => driver.writeSettings("webhooks", unit);
  /** Changes the webhook as it is when nobody else can change it. Returns null when there is none. */
  const change = (
    businessId: string,
    choose: (current: Webhook) => Partial<Webhook>,
    by: WebhookOwner,
    action: string,
    now: number,
  ): Promise<Webhook | null> =>
    write(function* () {
      yield* lockBusiness(dialect, businessId);
      const current = yield* readWebhook(businessId);
      if (current === null) return null;
      const changes = choose(current);
      if (isEmpty(changes)) return current;
      const changed = { ...current, ...changes, updatedAt: now };
      yield* run(UPDATE_WEBHOOK, toRow(changed));
      yield* insertAudit({ businessId, actor: getAuditActor(by), action, subject: current.id, at: now });
      return changed;
    });
  return {
    ...createDeliveryLog(driver, notifier),
    ...createSenderQueue(driver, notifier),

    find: (businessId) => read(() => readWebhook(businessId)),

    put: (webhook, by) =>
      write(function* () {
        const { businessId, updatedAt } = webhook;
        yield* lockBusiness(dialect, businessId);
        const current = yield* readWebhook(businessId);
        // Events wait for the id of a webhook. The same receiver keeps it, so that they are sent.
        const stored = current?.url === webhook.url ? { ...webhook, id: current.id, createdAt: current.createdAt } : webhook;
        // Changed in place: an event that is recorded at the same time would not find a new row.
        yield* current === null ? insert("webhook", toRow(stored)) : run(UPDATE_WEBHOOK, toRow(stored));
        yield* insertAudit({ businessId, actor: getAuditActor(by), action: "webhook.set", subject: stored.id, at: updatedAt });
        return stored;
      }),

    rotate: (businessId, rotate, by, now) => change(businessId, rotate, by, "webhook.rotate", now),
    update: (businessId, patch, by, now) => change(businessId, () => patch, by, "webhook.update", now),

    clear: (businessId, by, now) =>
      write(function* () {
        yield* lockBusiness(dialect, businessId);
        const row = yield* get<{ id: string }>("DELETE FROM webhook WHERE business_id = @businessId RETURNING id", { businessId });
        if (row === undefined) return false;
        // Pending events can't be signed without the webhook's secret.
        const sql = `UPDATE delivery SET status = 'failed', retry_at = NULL, error = @error
          WHERE business_id = @businessId AND subscription_id = '' AND status IN ('pending', 'retrying')`;
        yield* run(sql, { error: NOT_SENT.removed, businessId });
        yield* insertAudit({ businessId, actor: getAuditActor(by), action: "webhook.clear", subject: row.id, at: now });
        return true;
      }),
  };
}
