import type { Delivery, DeliveryDetail, Webhook, WebhookSecret } from "../generated/schemas.ts";
import type { BodyOf } from "../transport/operation.ts";
import { paginate } from "../transport/paginate.ts";
import type { CallOptions, PageOptions, Send } from "../transport/transport.ts";

/** Owners only. */
export function webhookMethods(send: Send) {
  async function deliveries({ limit, cursor, ...call }: PageOptions = {}): Promise<{
    readonly deliveries: readonly Delivery[];
    readonly nextCursor: string | null;
  }> {
    const query = { limit, cursor: cursor ?? undefined };
    const page = await send("GET /api/settings/webhook/deliveries", { ...call, query });
    return { deliveries: page.deliveries, nextCursor: page.nextCursor };
  }

  return {
    /** Null if no webhook is set. */
    get: async (call: CallOptions = {}): Promise<Webhook | null> => (await send("GET /api/settings/webhook", call)).webhook,

    /** Replaces the current webhook. The secret is new. */
    set: async (body: BodyOf<"POST /api/settings/webhook">, call: CallOptions = {}): Promise<WebhookSecret> =>
      secretIn(await send("POST /api/settings/webhook", { ...call, body })),

    /** The secret does not change. */
    update: async (body: BodyOf<"PATCH /api/settings/webhook">, call: CallOptions = {}): Promise<Webhook> =>
      (await send("PATCH /api/settings/webhook", { ...call, body })).webhook,

    /** Creates a new secret. The previous one also signs for `overlapHours`: 24 by default, at most 720. */
    rotate: async ({ overlapHours, ...call }: CallOptions & { readonly overlapHours?: number } = {}): Promise<WebhookSecret> =>
      secretIn(await send("POST /api/settings/webhook/rotate", { ...call, body: { overlapHours } })),

    remove: async (call: CallOptions = {}): Promise<void> => {
      await send("DELETE /api/settings/webhook", call);
    },

    /** Sends an event named `test`; returns its delivery. */
    test: async (call: CallOptions = {}): Promise<{ readonly id: string }> =>
      (await send("POST /api/settings/webhook/test", call)).delivery,

    /** One page of the delivery log, newest first. */
    deliveries,

    /** The whole delivery log, newest first, read page by page. */
    iterateDeliveries: (options: PageOptions = {}): AsyncGenerator<Delivery, void, undefined> =>
      paginate(async (cursor) => {
        const page = await deliveries({ ...options, cursor });
        return { items: page.deliveries, nextCursor: page.nextCursor };
      }, options.cursor),

    delivery: async (deliveryId: string, call: CallOptions = {}): Promise<DeliveryDetail> =>
      (await send("GET /api/settings/webhook/deliveries/{deliveryId}", { ...call, path: { deliveryId } })).delivery,

    /** Sends the same event again, as a new delivery. */
    redeliver: async (deliveryId: string, call: CallOptions = {}): Promise<{ readonly id: string }> =>
      (await send("POST /api/settings/webhook/deliveries/{deliveryId}/redeliver", { ...call, path: { deliveryId } })).delivery,
  };
}

const secretIn = ({ webhook, secret }: WebhookSecret): WebhookSecret => ({ webhook, secret });
