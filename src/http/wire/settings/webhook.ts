import { Type } from "typebox";
import { isoTime } from "#domain/core/system.ts";
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliverySummary,
  EVENT_TYPES,
  type EventType,
  MAX_OVERLAP_HOURS,
  type Webhook,
} from "#domain/settings/webhook.ts";
import { invalidField } from "#domain/core/errors/error.ts";
import { type Output, choice, entity, isoOrNull, object, orNull, time, timeOrNull, urlInput } from "../schema.ts";
import { EXAMPLE } from "../example.ts";

const eventName = choice(EVENT_TYPES, { title: "WebhookEventName" });

const webhookFields = {
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(eventName),
  overlapUntil: orNull("string", {
    format: "date-time",
    description: "Until when the previous secret signs as well. null: only the current one signs.",
  }),
  createdAt: time,
  updatedAt: time,
};
const WEBHOOK = entity("Webhook", webhookFields, {
  examples: [
    {
      id: EXAMPLE.webhookId,
      url: "https://hooks.example.com/tessera",
      events: ["tile.ready", "generation.complete"],
      overlapUntil: null,
      createdAt: EXAMPLE.created,
      updatedAt: EXAMPLE.created,
    },
  ],
});

const summary = {
  id: Type.String(),
  event: Type.String(),
  url: Type.String(),
  status: choice(DELIVERY_STATUSES, { title: "DeliveryStatus" }),
  responseStatus: orNull("integer"),
  durationMs: orNull("integer"),
  error: orNull("string"),
  createdAt: time,
  sentAt: timeOrNull,
};

const SUMMARY_EXAMPLE = {
  id: EXAMPLE.deliveryId,
  event: "tile.ready",
  url: "https://hooks.example.com/tessera",
  status: "succeeded",
  responseStatus: 204,
  durationMs: 38,
  error: null,
  createdAt: EXAMPLE.created,
  sentAt: EXAMPLE.created,
};

/** A delivery in a listing. */
const DELIVERY_SUMMARY = entity("Delivery", summary, { examples: [SUMMARY_EXAMPLE] });

const deliveryFields = {
  ...summary,
  body: orNull("string", { description: "The exact request body. null until it is sent." }),
  headers: Type.Unsafe<Record<string, string> | null>({
    type: ["object", "null"],
    additionalProperties: { type: "string" },
    description: "The request headers, with masked signatures. null until it is sent.",
  }),
  responseStart: orNull("string", { description: "The first 20,000 bytes of the response, as text." }),
};
const DELIVERY = entity("DeliveryDetail", deliveryFields, {
  examples: [{ ...SUMMARY_EXAMPLE, body: '{"event":"tile.ready"}', headers: { "webhook-signature": "v1,***" }, responseStart: "" }],
});

export const WEBHOOK_RESPONSES = {
  webhook: object({ webhook: WEBHOOK }),
  webhookOrNull: object({ webhook: Type.Union([WEBHOOK, Type.Null()]) }),
  withSecret: entity("WebhookSecret", {
    webhook: WEBHOOK,
    secret: Type.String({ description: "The signing secret. It is shown only once.", examples: ["whsec_bWFyaXRpbWU…"] }),
  }),
  deliveryId: object({ delivery: object({ id: Type.String({ examples: [EXAMPLE.deliveryId] }) }) }),
  delivery: object({ delivery: DELIVERY }),
  deliveries: object({ deliveries: Type.Array(DELIVERY_SUMMARY), nextCursor: orNull("string") }),
};

export const presentWebhook = (webhook: Webhook, now: number): Output<typeof WEBHOOK> => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  overlapUntil: webhook.previousUntil !== null && webhook.previousUntil > now ? isoTime(webhook.previousUntil) : null,
  createdAt: isoTime(webhook.createdAt),
  updatedAt: isoTime(webhook.updatedAt),
});

export const presentDeliverySummary = (delivery: DeliverySummary): Output<typeof DELIVERY_SUMMARY> => ({
  id: delivery.id,
  event: delivery.event,
  url: delivery.url,
  status: delivery.status,
  responseStatus: delivery.responseStatus,
  durationMs: delivery.durationMs,
  error: delivery.error,
  createdAt: isoTime(delivery.createdAt),
  sentAt: isoOrNull(delivery.sentAt),
});

export const presentDelivery = (delivery: Delivery): Output<typeof DELIVERY> => ({
  ...presentDeliverySummary(delivery),
  body: delivery.body,
  headers: delivery.sentAt === null ? null : presentHeaders(delivery.id, delivery.sentAt),
  responseStart: delivery.responseStart,
});

/** Returns the headers that the sender sets. Signatures are not stored, so they are masked. */
const presentHeaders = (id: string, sentAt: number): Record<string, string> => ({
  "content-type": "application/json",
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(sentAt / 1_000)),
  "webhook-signature": "v1,***",
  "x-service-signature": "***",
});

const url = urlInput("The address that events are sent to.");
const events = Type.Optional(
  Type.Array(choice(EVENT_TYPES, { title: "WebhookEventName" }), { maxItems: 20, description: "The events to send." }),
);

export const WEBHOOK_INPUTS = {
  set: Type.Object({ url, events }, { examples: [{ url: "https://hooks.example.com/tessera", events: ["tile.ready"] }] }),
  update: Type.Object(
    { url: Type.Optional({ ...url, "x-blank": "refused" }), events },
    { examples: [{ events: ["tile.ready", "tile.failed"] }] },
  ),
  rotate: Type.Object(
    {
      overlap_hours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_OVERLAP_HOURS,
          description: "How long the previous secret keeps signing, in hours. Default: 24.",
        }),
      ),
    },
    { examples: [{ overlap_hours: 24 }] },
  ),
};

/** Returns the events of a request, without duplicates; an empty list turns all of them off. Throws 400 for unknown names. */
export function readEvents(names: readonly unknown[]): EventType[] {
  const unknown = names.find((name) => !EVENT_TYPES.some((type) => type === name));
  if (unknown !== undefined || names.includes(undefined)) throw invalidField("events", `must be some of ${EVENT_TYPES.join(", ")}.`);
  return EVENT_TYPES.filter((type) => names.includes(type));
}
