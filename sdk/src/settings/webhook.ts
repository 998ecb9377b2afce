import type { Delivery, DeliveryDetail, Webhook, WebhookSecret } from "../generated/schemas.ts";
import type { BodyOf } from "../transport/operation.ts";
import { type DeliveryListOptions, type DeliveryPage, type RedeliveryOptions, toRedelivery } from "../events/webhooks.ts";
import { paginate } from "../transport/paginate.ts";
import type { CallOptions, Send } from "../transport/transport.ts";

/** The webhook and its deliveries. Owners only. */
export interface WebhookMethods {
  /** Null if no webhook is set. */
  get(call?: CallOptions): Promise<Webhook | null>;

  /** Replaces the current webhook. The secret is new. Waiting events are kept if the address is the same. */
  set(body: BodyOf<"POST /api/settings/webhook">, call?: CallOptions): Promise<WebhookSecret>;

  /** The secret does not change. */
  update(body: BodyOf<"PATCH /api/settings/webhook">, call?: CallOptions): Promise<Webhook>;

  /** Creates a new secret. The previous one also signs for `overlapHours`: 24 by default, at most 720. */
  rotate(options?: CallOptions & { readonly overlapHours?: number }): Promise<WebhookSecret>;

  /** Stops sending events. The delivery log stays. */
  remove(call?: CallOptions): Promise<void>;

  /** Sends an event named `test`; returns its delivery. */
  test(call?: CallOptions): Promise<{ readonly id: string }>;

  /** One page of the delivery log, newest first. */
  deliveries(options?: DeliveryListOptions): Promise<DeliveryPage>;

  /** The whole delivery log, newest first, read page by page. */
  iterateDeliveries(options?: DeliveryListOptions): AsyncGenerator<Delivery, void, undefined>;

  /** A delivery with its request and the start of the response. */
  delivery(deliveryId: string, call?: CallOptions): Promise<DeliveryDetail>;

  /** Sends the same event again, as a new delivery. */
  redeliver(deliveryId: string, call?: CallOptions): Promise<{ readonly id: string }>;

  /** Sends the failed deliveries of a time again, ten a second; returns how many. */
  redeliverFailed(options: RedeliveryOptions): Promise<number>;
}

export function webhookMethods(send: Send): WebhookMethods {
  async function deliveries({ limit, cursor, status, since, ...call }: DeliveryListOptions = {}): Promise<DeliveryPage> {
    const query = {
      limit,
      cursor: cursor ?? undefined,
      status: status as "failed" | undefined,
      since: since instanceof Date ? since.toISOString() : since,
    };
    const page = await send("GET /api/settings/webhook/deliveries", { ...call, query });
    return { deliveries: page.deliveries, nextCursor: page.nextCursor };
  }

  return {
    get: async (call = {}) => (await send("GET /api/settings/webhook", call)).webhook,

    set: async (body, call = {}) => readSecret(await send("POST /api/settings/webhook", { ...call, body })),

    update: async (body, call = {}) => (await send("PATCH /api/settings/webhook", { ...call, body })).webhook,

    rotate: async ({ overlapHours, ...call } = {}) =>
      readSecret(await send("POST /api/settings/webhook/rotate", { ...call, body: { overlapHours } })),

    remove: async (call = {}) => {
      await send("DELETE /api/settings/webhook", call);
    },

    test: async (call = {}) => (await send("POST /api/settings/webhook/test", call)).delivery,

    deliveries,

    iterateDeliveries: (options = {}) =>
      paginate(async (cursor) => {
        const page = await deliveries({ ...options, cursor });
        return { items: page.deliveries, nextCursor: page.nextCursor };
      }, options.cursor),

    delivery: async (deliveryId, call = {}) =>
      (await send("GET /api/settings/webhook/deliveries/{deliveryId}", { ...call, path: { deliveryId } })).delivery,

    redeliver: async (deliveryId, call = {}) =>
      (await send("POST /api/settings/webhook/deliveries/{deliveryId}/redeliver", { ...call, path: { deliveryId } })).delivery,

    redeliverFailed: async ({ since, until, ...call }) =>
      (await send("POST /api/settings/webhook/deliveries/redeliver", { ...call, body: toRedelivery(since, until) })).scheduled,
  };
}

const readSecret = ({ webhook, secret }: WebhookSecret): WebhookSecret => ({ webhook, secret });
