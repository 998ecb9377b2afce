import { type Static, Type } from "typebox";
import { invalidField } from "#domain/core/errors/error.ts";
import { isoTime } from "#domain/core/system.ts";
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryFilter,
  type DeliverySummary,
  listAttempts,
  type RedeliveryTime,
} from "#domain/events/delivery.ts";
import { readTime } from "../../request/time.ts";
import { type Output, choice, entity, isoOrNull, object, orNull, pageInputs, time, timeOrNull } from "../schema.ts";
import { EXAMPLE } from "../example.ts";

const deliveryStatus = choice(DELIVERY_STATUSES, { title: "DeliveryStatus" });

const summary = {
  id: Type.String(),
  event: Type.String(),
  url: Type.String(),
  status: deliveryStatus,
  responseStatus: orNull("integer"),
  durationMs: orNull("integer"),
  error: orNull("string"),
  attempts: Type.Integer({ description: "How many attempts have ended." }),
  nextAttemptAt: orNull("string", { format: "date-time", description: "When it is tried again, while the status is retrying." }),
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
  attempts: 1,
  nextAttemptAt: null,
  createdAt: EXAMPLE.created,
  sentAt: EXAMPLE.created,
};

/** A delivery in a listing. */
const DELIVERY_SUMMARY = entity("Delivery", summary, { examples: [SUMMARY_EXAMPLE] });

const ATTEMPT = entity(
  "DeliveryAttempt",
  { at: time, responseStatus: orNull("integer"), durationMs: Type.Integer(), error: orNull("string") },
  { examples: [{ at: EXAMPLE.created, responseStatus: 204, durationMs: 38, error: null }] },
);

const DELIVERY = entity(
  "DeliveryDetail",
  {
    ...summary,
    attemptLog: Type.Array(ATTEMPT, { description: "The attempts that have ended, oldest first; at most the last 20." }),
    body: orNull("string", {
      description: "The exact body of the last request; null until it is sent. The texts of a tile in it are left out.",
    }),
    headers: Type.Unsafe<Record<string, string> | null>({
      type: ["object", "null"],
      additionalProperties: { type: "string" },
      description: "The request headers, with masked signatures. null until it is sent.",
    }),
    responseStart: orNull("string", { description: "The first 20,000 bytes of the response, as text." }),
  },
  {
    examples: [
      {
        ...SUMMARY_EXAMPLE,
        attemptLog: [{ at: EXAMPLE.created, responseStatus: 204, durationMs: 38, error: null }],
        body: '{"event":"tile.ready"}',
        headers: { "webhook-signature": "v1,***" },
        responseStart: "",
      },
    ],
  },
);

export const DELIVERY_RESPONSES = {
  deliveryId: object({ delivery: object({ id: Type.String({ examples: [EXAMPLE.deliveryId] }) }) }),
  delivery: object({ delivery: DELIVERY }),
  deliveries: object({ deliveries: Type.Array(DELIVERY_SUMMARY), nextCursor: orNull("string") }),
  scheduled: object({ scheduled: Type.Integer({ description: "How many deliveries are sent again.", examples: [12] }) }),
};

export const presentDeliverySummary = (delivery: DeliverySummary): Output<typeof DELIVERY_SUMMARY> => ({
  id: delivery.id,
  event: delivery.event,
  url: delivery.url,
  status: delivery.status,
  responseStatus: delivery.responseStatus,
  durationMs: delivery.durationMs,
  error: delivery.error,
  attempts: listAttempts(delivery).length,
  nextAttemptAt: isoOrNull(delivery.retryAt),
  createdAt: isoTime(delivery.createdAt),
  sentAt: isoOrNull(delivery.sentAt),
});

export const presentDelivery = (delivery: Delivery): Output<typeof DELIVERY> => ({
  ...presentDeliverySummary(delivery),
  attemptLog: listAttempts(delivery).map(({ at, ...attempt }) => ({ at: isoTime(at), ...attempt })),
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

export const DELIVERY_QUERY = Type.Object({
  status: Type.Optional(choice(DELIVERY_STATUSES, { title: "DeliveryStatus", description: "Only deliveries with this status." })),
  since: Type.Optional(Type.String({ format: "date-time", description: "Only deliveries of events since this time." })),
  ...pageInputs("Page size. Default: 50."),
});

/** Reads which deliveries of a receiver are listed. */
export const readDeliveryFilter = (
  { status, since }: Static<typeof DELIVERY_QUERY>,
  subscriptionId = "",
): DeliveryFilter & { readonly subscriptionId: string } => ({
  subscriptionId,
  ...(status === undefined ? {} : { status }),
  ...(since === undefined ? {} : { since: readTime("since", since) }),
});

export const REDELIVERY_BODY = Type.Object(
  {
    status: Type.Optional(choice(["failed"], { description: "Only failed deliveries are sent again." })),
    since: Type.String({ format: "date-time", description: "From this time on." }),
    until: Type.Optional(Type.String({ format: "date-time", description: "Before this time. Default: now." })),
  },
  { title: "RedeliveryInput", examples: [{ status: "failed", since: EXAMPLE.created }] },
);

/** Reads the time of the deliveries that are sent again. Throws 400 if it ends before it begins. */
export function readRedelivery(body: Static<typeof REDELIVERY_BODY>, now: number): RedeliveryTime {
  const since = readTime("since", body.since);
  const until = body.until === undefined ? now : readTime("until", body.until);
  if (until < since) throw invalidField("until", "must be later than since.");
  return { since, until };
}
