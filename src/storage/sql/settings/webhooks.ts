import type {
  Delivery,
  DeliveryCursor,
  DeliveryOutcome,
  DeliverySummary,
  Webhook,
  WebhookChange,
  WebhookOwner,
  WebhookPatch,
  WebhookStore,
} from "#domain/settings/webhook.ts";
import { isEmpty } from "../../shared/changes.ts";
import { WEBHOOK_REMOVED } from "../../shared/errors.ts";
import { getAuditActor, insertAudit } from "./audit.ts";
import type { Driver } from "../driver.ts";
import { addListener, type Notifier } from "../notifier.ts";
import { insert, json, Mapping, plainFields } from "../mapping.ts";
import { all, get, run, type Unit } from "../unit.ts";

type NewDelivery = Parameters<WebhookStore["record"]>[0];

const WEBHOOKS = new Mapping<Webhook>({
  ...plainFields("id", "businessId", "url", "sealedSecret", "sealedPrevious", "previousUntil", "createdAt", "updatedAt"),
  events: json,
});
const SUMMARY_FIELDS = {
  ...plainFields("id", "businessId", "webhookId", "event", "url", "status", "createdAt", "sentAt"),
  ...plainFields("responseStatus", "error", "durationMs"),
};
const DELIVERY_SUMMARIES = new Mapping<DeliverySummary>(SUMMARY_FIELDS);
export const DELIVERIES = new Mapping<Delivery>({ ...SUMMARY_FIELDS, ...plainFields("payload", "body", "responseStart") });

/** The parts that differ between engines: one process or several nodes claim deliveries. */
export type DeliveryAdapter = Pick<WebhookStore, "claim" | "recover">;

const readWebhook = (businessId: string): Unit<Webhook | null> => WEBHOOKS.find("webhook WHERE business_id = @businessId", { businessId });

export const insertDelivery = ({ businessId, id, webhookId, event, url, payload, createdAt }: NewDelivery): Unit<number> =>
  insert("delivery", { businessId, id, webhookId, event, url, status: "pending", payload, createdAt });

/** The webhook of a business and the log of its deliveries. */
export class SqlWebhookStore implements Omit<WebhookStore, keyof DeliveryAdapter> {
  readonly #driver: Driver;
  readonly #notifier: Notifier;

  constructor(driver: Driver, notifier: Notifier) {
    this.#driver = driver;
    this.#notifier = notifier;
  }

  find(businessId: string): Promise<Webhook | null> {
    return this.#driver.read(() => readWebhook(businessId));
  }

  put(webhook: Webhook, by: WebhookOwner, action: WebhookChange = "webhook.set"): Promise<Webhook> {
    const { dialect, writeSettings } = this.#driver;
    const { businessId, updatedAt } = webhook;
    return writeSettings("webhooks", function* () {
      yield* dialect.lockBusiness(businessId);
      const current = yield* readWebhook(businessId);
      // Events wait for the id of a webhook. The same receiver keeps it, so that they are sent.
      const stored = current?.url === webhook.url ? { ...webhook, id: current.id, createdAt: current.createdAt } : webhook;
      yield* run("DELETE FROM webhook WHERE business_id = @businessId", { businessId });
      yield* insert("webhook", { ...stored, events: JSON.stringify(stored.events) });
      yield* insertAudit({ businessId, actor: getAuditActor(by), action, subject: stored.id, at: updatedAt });
      return stored;
    });
  }

  update(businessId: string, patch: WebhookPatch, by: WebhookOwner, now: number): Promise<Webhook | null> {
    const { dialect, writeSettings } = this.#driver;
    return writeSettings("webhooks", function* () {
      yield* dialect.lockBusiness(businessId);
      const webhook = yield* readWebhook(businessId);
      if (webhook === null || isEmpty(patch)) return webhook;
      const { url = webhook.url, events = webhook.events } = patch;
      const sql = "UPDATE webhook SET url = @url, events = @events, updated_at = @now WHERE business_id = @businessId";
      yield* run(sql, { url, events: JSON.stringify(events), now, businessId });
      yield* insertAudit({ businessId, actor: getAuditActor(by), action: "webhook.update", subject: webhook.id, at: now });
      return yield* readWebhook(businessId);
    });
  }

  clear(businessId: string, by: WebhookOwner, now: number): Promise<boolean> {
    return this.#driver.writeSettings("webhooks", function* () {
      const row = yield* get<{ id: string }>("DELETE FROM webhook WHERE business_id = @businessId RETURNING id", { businessId });
      if (row === undefined) return false;
      // Pending events can't be signed without the webhook's secret.
      yield* run("UPDATE delivery SET status = 'failed', error = @error WHERE business_id = @businessId AND status = 'pending'", {
        error: WEBHOOK_REMOVED,
        businessId,
      });
      yield* insertAudit({ businessId, actor: getAuditActor(by), action: "webhook.clear", subject: row.id, at: now });
      return true;
    });
  }

  deliveries(businessId: string, limit: number): Promise<Delivery[]> {
    const { insertionOrder } = this.#driver.dialect;
    const from = `delivery WHERE business_id = @businessId ORDER BY created_at DESC, ${insertionOrder} DESC LIMIT @limit`;
    return this.#driver.read(() => DELIVERIES.list(from, { businessId, limit }));
  }

  deliveryPage(businessId: string, limit: number, after: DeliveryCursor | null): ReturnType<WebhookStore["deliveryPage"]> {
    const { insertionOrder } = this.#driver.dialect;
    const [createdAt, number] = after ?? [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    return this.#driver.read(function* () {
      const rows = yield* all<DeliverySummary & { readonly number: number }>(
        `SELECT ${DELIVERY_SUMMARIES.columns}, ${insertionOrder} AS number FROM delivery
         WHERE business_id = @businessId AND (created_at, ${insertionOrder}) < (@createdAt, @number)
         ORDER BY created_at DESC, ${insertionOrder} DESC LIMIT @count`,
        { businessId, createdAt, number, count: limit + 1 },
      );
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const next = last === undefined ? null : ([last.createdAt, last.number] as const);
      return { deliveries: page.map(({ number: _number, ...delivery }) => delivery), next };
    });
  }

  delivery(businessId: string, id: string): Promise<Delivery | null> {
    return this.#driver.read(() => DELIVERIES.find("delivery WHERE business_id = @businessId AND id = @id", { businessId, id }));
  }

  async record(delivery: NewDelivery): Promise<void> {
    await this.#driver.write(() => insertDelivery(delivery));
    this.#notifier.notifySenders();
  }

  async recordOutcome({ businessId, id }: Delivery, body: string, sentAt: number, outcome: DeliveryOutcome): Promise<boolean> {
    const { ok, responseStatus, responseStart, error, durationMs } = outcome;
    const status = ok ? "succeeded" : "failed";
    const changed = await this.#driver.write(() =>
      run(
        `UPDATE delivery SET status = @status, body = @body, sent_at = @sentAt, response_status = @responseStatus,
         response_start = @responseStart, error = @error, duration_ms = @durationMs
         WHERE business_id = @businessId AND id = @id AND status = 'sending'`,
        { status, body, sentAt, responseStatus, responseStart, error, durationMs: Math.round(durationMs), businessId, id },
      ),
    );
    return changed > 0;
  }

  async returnToQueue({ businessId, id }: Delivery): Promise<void> {
    await this.#driver.write(() =>
      run("UPDATE delivery SET status = 'pending' WHERE business_id = @businessId AND id = @id AND status = 'sending'", { businessId, id }),
    );
  }

  onDelivery(wake: () => void): () => void {
    return addListener(this.#notifier.senders, wake);
  }
}
