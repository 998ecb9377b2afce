import type { AssetType, Open, Tile, TileType } from "./generated/schemas.ts";

type Event<Name extends string, Payload> = { readonly event: Name; readonly payload: Payload; readonly sentAt: string };

type TilePayload = {
  readonly tileId: string;
  readonly boardId: string;
  readonly title: string;
  readonly type: Open<TileType>;
  /** Registered webhooks get this field and the following ones. */
  readonly externalId?: string | null;
  readonly sourceUrl?: string | null;
  readonly zoneId?: string | null;
  readonly tags?: readonly string[];
  /** With `includeTile`: the tile as it was when the event was sent; null if it was deleted. */
  readonly tile?: Tile | null;
};

type GenerationPayload = { readonly generationId: string; readonly boardId: string } & (
  | { readonly endpoint: "/api/v1/generate"; readonly assetType: Open<AssetType> }
  | { readonly endpoint: "/api/v1/idea"; readonly assetType?: undefined }
);

/** A link or file has become text. Sent once in the life of a tile. */
export type TileReadyEvent = Event<"tile.ready", TilePayload>;
/** A link or file could not be read. Off by default. */
export type TileFailedEvent = Event<"tile.failed", TilePayload>;
/** A tile was created or restored. Registered webhooks only. */
export type TileCreatedEvent = Event<"tile.created", TilePayload>;
/** A tile was deleted. Registered webhooks only. */
export type TileDeletedEvent = Event<"tile.deleted", TilePayload>;
/** A source could not be read. Registered webhooks only. */
export type SourceFailingEvent = Event<
  "source.failing",
  { readonly sourceId: string; readonly boardId: string; readonly url: string; readonly title: string }
>;
/** Reading a link again changed its text or title; for registered webhooks also: a call changed the tile. Off by default. */
export type TileUpdatedEvent = Event<"tile.updated", TilePayload>;
/** A generation succeeded. */
export type GenerationCompleteEvent = Event<"generation.complete", GenerationPayload>;
/** A generation ended without a result. Off by default. */
export type GenerationFailedEvent = Event<"generation.failed", GenerationPayload>;
/** Sent when an owner tests the webhook. */
export type TestEvent = Event<"test", { readonly message: string }>;

/** What a server sends. Newer servers may send names that are not listed here, so ignore those that you do not know. */
export type WebhookEvent =
  | TileReadyEvent
  | TileFailedEvent
  | TileUpdatedEvent
  | TileCreatedEvent
  | TileDeletedEvent
  | SourceFailingEvent
  | GenerationCompleteEvent
  | GenerationFailedEvent
  | TestEvent;

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookRequest = {
  /** The raw body, before any parser. */
  readonly body: Uint8Array | ArrayBuffer | string;
  readonly headers: WebhookHeaders;
  /** The secret as it was shown, including `whsec_`. */
  readonly secret: string;
  /** The maximum age of a request, also into the future. Default: 300. Use `Infinity` for requests that are verified later from a queue. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  readonly now?: number;
};

/** The request is not a valid event of the server. */
export class WebhookVerificationError extends Error {
  readonly reason: Open<"missing" | "signature" | "timestamp" | "body">;

  constructor(reason: WebhookVerificationError["reason"], message: string) {
    super(message);
    this.name = "WebhookVerificationError";
    this.reason = reason;
  }
}

/** A server sends one signature for each secret that is valid. More would make forged requests expensive to refuse. */
const MAX_SIGNATURES = 8;

/**
 * Verifies a webhook request and returns its event. Throws `WebhookVerificationError` if it is not valid, and a `RangeError` without a
 * secret.
 *
 * `X-Service-Signature` is the hex HMAC-SHA256 of the raw body, keyed with the UTF-8 bytes of the secret as shown. If the
 * Standard Webhooks headers are present, only they are checked: one of their signatures must match and their timestamp be recent. After
 * a rotation, only they are also signed with the previous secret.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  if (!request.secret) throw new RangeError("secret is missing: the webhook's, which starts with whsec_.");
  const tolerance = request.toleranceSeconds ?? 300;
  const nowSeconds = (request.now ?? Date.now()) / 1000;
  const service = getHeader(request.headers, "x-service-signature");
  const standard = getHeader(request.headers, "webhook-signature");
  if (!service && !standard) throw new WebhookVerificationError("missing", "The request carries no signature.");
  const bytes = copyBytes(request.body);

  if (standard) {
    const timestamp = await verifyStandard(request, bytes, standard);
    verifyAge(timestamp, nowSeconds, tolerance);
    return parseEvent(bytes);
  }
  if (!(await matches(encode(request.secret), fromHex(service ?? ""), bytes))) throw mismatch();
  const event = parseEvent(bytes);
  // An attacker who removes the timestamp header to replay a request can't change the time inside the signed body.
  const sentAt = Date.parse(event.sentAt);
  if (!Number.isNaN(sentAt)) verifyAge(sentAt / 1000, nowSeconds, tolerance);
  return event;
}

/** Checks `webhook-signature` (Standard Webhooks 1.0: `v1,` + base64, several separated by spaces). Returns the timestamp in seconds. */
async function verifyStandard(request: WebhookRequest, bytes: Uint8Array, signatures: string): Promise<number> {
  const id = getHeader(request.headers, "webhook-id");
  const timestamp = getHeader(request.headers, "webhook-timestamp");
  if (!id || !timestamp || !/^\d+$/.test(timestamp)) {
    throw new WebhookVerificationError("missing", "webhook-id or webhook-timestamp is missing or malformed.");
  }
  const prefix = encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + bytes.length);
  signed.set(prefix);
  signed.set(bytes, prefix.length);

  const key = fromBase64(request.secret.replace(/^whsec_/, ""));
  let found = false;
  for (const part of signatures.split(" ", MAX_SIGNATURES)) {
    // Every signature is checked, so that the duration does not reveal which one matched.
    if (part.startsWith("v1,") && (await matches(key, fromBase64(part.slice(3)), signed))) found = true;
  }
  if (!found) throw mismatch();
  return Number(timestamp);
}

function verifyAge(atSeconds: number, nowSeconds: number, tolerance: number): void {
  const age = nowSeconds - atSeconds;
  // A tolerance that is not a number, such as that of an unset variable, accepts nothing.
  if (!(age <= tolerance)) throw new WebhookVerificationError("timestamp", "The request is too old.");
  if (!(-age <= tolerance)) throw new WebhookVerificationError("timestamp", "The request's timestamp lies in the future.");
}

/** `crypto.subtle.verify` compares in constant time. */
async function matches(key: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>, data: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (key.length === 0 || signature.length !== 32) return false;
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, hmac, false, ["verify"]);
  return crypto.subtle.verify("HMAC", imported, signature, data);
}

function parseEvent(bytes: Uint8Array): WebhookEvent {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof body === "object" && body !== null && "event" in body) return body as WebhookEvent;
  } catch {
    // Reported below, like a body that is not an event.
  }
  throw new WebhookVerificationError("body", "The signed body is not an event.");
}

function getHeader(headers: WebhookHeaders, name: string): string | undefined {
  // Some frameworks have a class Headers of their own.
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : found?.[0];
}

const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === "function";

const mismatch = (): WebhookVerificationError =>
  new WebhookVerificationError("signature", "The signature does not match the body and the secret.");

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Of a parsed body, `new Uint8Array` would be empty, or as large as its field `length` says. */
function copyBytes(body: WebhookRequest["body"]): Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return encode(body);
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return new Uint8Array(body);
  throw new WebhookVerificationError("body", "The body is not text or bytes: pass it as it was received, before any parser.");
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return new Uint8Array();
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);
  } catch {
    return new Uint8Array();
  }
}
