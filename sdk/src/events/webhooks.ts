import type { Delivery, DeliveryDetail, Subscription, SubscriptionSecret, WebhookSample } from "../generated/schemas.ts";
import type { BodyOf } from "../transport/operation.ts";
import { paginate, requireList } from "../transport/paginate.ts";
import type { CallOptions, CreateOptions, PageOptions, Send } from "../transport/transport.ts";

export type DeliveryPage = { readonly deliveries: readonly Delivery[]; readonly nextCursor: string | null };

export type DeliveryListOptions = PageOptions & {
  readonly status?: Delivery["status"];
  /** Only deliveries of events since this time. */
  readonly since?: string | Date;
};

/** Failed deliveries of a time: from `since` on, before `until`, which is now by default. */
export type RedeliveryOptions = CallOptions & { readonly since: string | Date; readonly until?: string | Date };

/** Webhooks that a program registers for itself. Requires a key that was made with `webhooks`. */
export interface SubscriptionMethods {
  /** Those of this key, oldest first; for owners those of all keys and owners. */
  list(call?: CallOptions): Promise<readonly Subscription[]>;

  /** Sends events from now on. The secret is shown once: a repeated call with the same `idempotencyKey` fails with 409. */
  create(body: BodyOf<"POST /api/webhooks">, call?: CreateOptions): Promise<SubscriptionSecret>;

  get(webhookId: string, call?: CallOptions): Promise<Subscription>;

  /** `status: "paused"` pauses it, and `"active"` resumes it. */
  update(webhookId: string, body: BodyOf<"PATCH /api/webhooks/{webhookId}">, call?: CallOptions): Promise<Subscription>;

  delete(webhookId: string, call?: CallOptions): Promise<void>;

  /** Creates a new secret. The previous one also signs for `overlapHours`: 24 by default, at most 720. */
  rotate(webhookId: string, options?: CallOptions & { readonly overlapHours?: number }): Promise<SubscriptionSecret>;

  /** Sends a sample of its first event; returns its delivery. */
  test(webhookId: string, call?: CallOptions): Promise<{ readonly id: string }>;

  /** The three latest events of this kind among the newest 2,000 of the business, newest first, or else one that is made up. */
  samples(event?: WebhookSample["event"], call?: CallOptions): Promise<readonly WebhookSample[]>;

  /** One page of the delivery log, newest first. */
  deliveries(webhookId: string, options?: DeliveryListOptions): Promise<DeliveryPage>;

  /** The whole delivery log, newest first, read page by page. */
  iterateDeliveries(webhookId: string, options?: DeliveryListOptions): AsyncGenerator<Delivery, void, undefined>;

  /** A delivery with its attempts, its request and the start of the response. */
  delivery(webhookId: string, deliveryId: string, call?: CallOptions): Promise<DeliveryDetail>;

  /** Sends the same event again, as a new delivery. */
  redeliver(webhookId: string, deliveryId: string, call?: CallOptions): Promise<{ readonly id: string }>;

  /** Sends the failed deliveries of a time again, ten a second; returns how many. */
  redeliverFailed(webhookId: string, options: RedeliveryOptions): Promise<number>;
}

/** The calls of keys and of owners are the same under two paths. */
type Base = "/api/webhooks" | "/api/settings/webhooks";

export function subscriptionMethods(send: Send, base: Base): SubscriptionMethods {
  // The types of both paths are the same.
  const at = <O extends string>(operation: O): O => operation.replace("/api/webhooks", base) as O;

  async function deliveries(webhookId: string, { limit, cursor, status, since, ...call }: DeliveryListOptions = {}): Promise<DeliveryPage> {
    const query = {
      ...(limit !== undefined && { limit }),
      ...(cursor != null && { cursor }),
      ...(status !== undefined && { status: status as "failed" }),
      ...(since !== undefined && { since: toIso(since) }),
    };
    const page = await send(at("GET /api/webhooks/{webhookId}/deliveries"), { ...call, path: { webhookId }, query });
    return { deliveries: requireList(page.deliveries), nextCursor: page.nextCursor };
  }

  return {
    list: async (call = {}) => requireList((await send(at("GET /api/webhooks"), call)).webhooks),

    create: async (body, call = {}) => readSecret(await send(at("POST /api/webhooks"), { ...call, body })),

    get: async (webhookId, call = {}) => (await send(at("GET /api/webhooks/{webhookId}"), { ...call, path: { webhookId } })).webhook,

    update: async (webhookId, body, call = {}) =>
      (await send(at("PATCH /api/webhooks/{webhookId}"), { ...call, path: { webhookId }, body })).webhook,

    delete: async (webhookId, call = {}) => {
      await send(at("DELETE /api/webhooks/{webhookId}"), { ...call, path: { webhookId } });
    },

    rotate: async (webhookId, { overlapHours, ...call } = {}) => {
      const body = overlapHours === undefined ? {} : { overlapHours };
      return readSecret(await send(at("POST /api/webhooks/{webhookId}/rotate"), { ...call, path: { webhookId }, body }));
    },

    test: async (webhookId, call = {}) =>
      (await send(at("POST /api/webhooks/{webhookId}/test"), { ...call, path: { webhookId } })).delivery,

    samples: async (event, call = {}) => {
      const query = event === undefined ? {} : { event: event as "tile.ready" };
      return requireList((await send(at("GET /api/webhooks/samples"), { ...call, query })).samples);
    },

    deliveries,

    iterateDeliveries: (webhookId, options = {}) =>
      paginate(async (cursor) => {
        const page = await deliveries(webhookId, { ...options, cursor });
        return { items: page.deliveries, nextCursor: page.nextCursor };
      }, options.cursor),

    delivery: async (webhookId, deliveryId, call = {}) => {
      const path = { webhookId, deliveryId };
      return (await send(at("GET /api/webhooks/{webhookId}/deliveries/{deliveryId}"), { ...call, path })).delivery;
    },

    redeliver: async (webhookId, deliveryId, call = {}) => {
      const path = { webhookId, deliveryId };
      return (await send(at("POST /api/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver"), { ...call, path })).delivery;
    },

    redeliverFailed: async (webhookId, { since, until, ...call }) => {
      const body = toRedelivery(since, until);
      return (await send(at("POST /api/webhooks/{webhookId}/deliveries/redeliver"), { ...call, path: { webhookId }, body })).scheduled;
    },
  };
}

const toIso = (at: string | Date): string => (typeof at === "string" ? at : at.toISOString());

/** The body of a call that sends failed deliveries again. */
export const toRedelivery = (since: string | Date, until: string | Date | undefined) => ({
  since: toIso(since),
  ...(until !== undefined && { until: toIso(until) }),
});

const readSecret = ({ webhook, secret }: SubscriptionSecret): SubscriptionSecret => ({ webhook, secret });
