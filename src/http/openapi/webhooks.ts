import { WEBHOOK_EVENTS, eventSchema } from "../wire/settings/webhook-event.ts";
import type { SchemaComponents } from "./components.ts";
import { buildExample } from "./example.ts";
import type { Json } from "./json.ts";

/** The headers of every event; the signatures are of the exact bytes of the body. */
const HEADERS: readonly Json[] = [
  {
    name: "X-Service-Signature",
    description:
      "HMAC-SHA256 of the raw body in hexadecimal. The key is the signing secret as it was shown, with whsec_, as UTF-8; only the current one.",
    example: "6e1c5b1b1b1f0a4f6c7a0d5a4c3a1c9c8a4f2e7d5b6a9081f2e3d4c5b6a79881",
  },
  {
    name: "Webhook-Id",
    description: "The id of the delivery. Sending an event again from the delivery log is a new delivery.",
    example: "dlv_01jdj5x8r7n3p",
  },
  { name: "Webhook-Timestamp", description: "When it was sent, in seconds since 1970.", example: "1793607300" },
  {
    name: "Webhook-Signature",
    description:
      "Signatures as Standard Webhooks defines them: v1, a comma, and the HMAC-SHA256 of Webhook-Id, Webhook-Timestamp and the body, joined with full stops, in Base64. The key is the part of the secret after whsec_, decoded from Base64. While the secret is being rotated there are two, separated by a space.",
    example: "v1,bhxbGxsfCk9sego0WkwxwcmKTy59W2qQgfLj1MW2p5g=",
  },
].map((header) => ({ ...header, in: "header", required: true, schema: { type: "string" } }));

/** The requests that receivers of webhooks get, by event. */
export function describeWebhooks(components: SchemaComponents): Json {
  const events = Object.entries(WEBHOOK_EVENTS).map(([event, { description, payload }]) => {
    const schema = eventSchema(event, payload);
    const operation = {
      operationId: toOperationId(event),
      tags: ["Settings: webhook"],
      summary: `Receive the event ${event}`,
      description,
      security: [],
      parameters: HEADERS.map(({ name }) => ({ $ref: `#/components/parameters/${String(name)}` })),
      requestBody: {
        required: true,
        content: { "application/json": { schema: components.write(schema, "response"), example: buildExample(schema as unknown as Json) } },
      },
      responses: {
        "2XX": { description: "The receiver has the event. Its body is ignored." },
        "4XX": { description: "Any other response is a failed delivery, which can be sent again from the delivery log." },
      },
    };
    return [event, { post: operation }] as const;
  });
  return Object.fromEntries(events);
}

/** The headers of events, for `components.parameters`. */
export const webhookParameters = (): Json => Object.fromEntries(HEADERS.map((header) => [header["name"], header]));

/** `tile.ready` is `onTileReady`. */
const toOperationId = (event: string): string => `on${event.replaceAll(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
