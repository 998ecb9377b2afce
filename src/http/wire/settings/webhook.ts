import { Type } from "typebox";
import { isoTime } from "#domain/core/system.ts";
import { EVENT_TYPES, type EventType, MAX_OVERLAP_HOURS, type Webhook } from "#domain/settings/webhook.ts";
import { invalidField } from "#domain/core/errors/error.ts";
import { type Output, choice, entity, object, orNull, time, urlInput } from "../schema.ts";
import { EXAMPLE } from "../example.ts";

const eventName = choice(EVENT_TYPES, { title: "WebhookEventName" });

const webhookFields = {
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(eventName),
  retries: Type.Boolean({ description: "Whether a failed delivery is tried again, six times within 31 hours." }),
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
      retries: false,
      overlapUntil: null,
      createdAt: EXAMPLE.created,
      updatedAt: EXAMPLE.created,
    },
  ],
});

export const WEBHOOK_RESPONSES = {
  webhook: object({ webhook: WEBHOOK }),
  webhookOrNull: object({ webhook: Type.Union([WEBHOOK, Type.Null()]) }),
  withSecret: entity("WebhookSecret", {
    webhook: WEBHOOK,
    secret: Type.String({ description: "The signing secret. It is shown only once.", examples: ["whsec_bWFyaXRpbWU…"] }),
  }),
};

export const presentWebhook = (webhook: Webhook, now: number): Output<typeof WEBHOOK> => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  retries: webhook.retries,
  overlapUntil: webhook.previousUntil !== null && webhook.previousUntil > now ? isoTime(webhook.previousUntil) : null,
  createdAt: isoTime(webhook.createdAt),
  updatedAt: isoTime(webhook.updatedAt),
});

const url = urlInput("The address that events are sent to.");
const events = Type.Optional(
  Type.Array(choice(EVENT_TYPES, { title: "WebhookEventName" }), { maxItems: 20, description: "The events to send." }),
);

const retries = Type.Optional(Type.Boolean({ description: "Whether failed deliveries are tried again. Default: false." }));

export const WEBHOOK_INPUTS = {
  set: Type.Object({ url, events, retries }, { examples: [{ url: "https://hooks.example.com/tessera", events: ["tile.ready"] }] }),
  update: Type.Object(
    { url: Type.Optional({ ...url, "x-blank": "refused" }), events, retries },
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
    { title: "RotationInput", examples: [{ overlap_hours: 24 }] },
  ),
};

/** Returns the events of a request, without duplicates; an empty list turns all of them off. Throws 400 for unknown names. */
export function readEvents(names: readonly unknown[]): EventType[] {
  const unknown = names.find((name) => !EVENT_TYPES.some((type) => type === name));
  if (unknown !== undefined || names.includes(undefined)) throw invalidField("events", `must be some of ${EVENT_TYPES.join(", ")}.`);
  return EVENT_TYPES.filter((type) => names.includes(type));
}
