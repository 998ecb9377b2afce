import { randomBytes } from "node:crypto";
import type { Authorized } from "../core/access.ts";
import type { Business } from "../core/board.ts";

/** Events a webhook can carry; the first two are the specification's, the others are off until turned on. */
export const EVENT_TYPES = ["tile.ready", "generation.complete", "tile.failed", "tile.updated", "generation.failed"] as const;
export type EventType = (typeof EVENT_TYPES)[number];
export const DEFAULT_EVENTS: readonly EventType[] = ["tile.ready", "generation.complete"];

/** Sent by hand, to see whether a receiver hears; nobody turns it on or off. */
export const TEST_EVENT = "test";

export type TileEventPayload = {
  readonly tileId: string;
  readonly boardId: string;
  readonly title: string;
  readonly type: string;
};

/** The exact bytes of an event, in the specification's envelope. */
export const eventBody = (event: string, payload: unknown, sentAt: string): string => JSON.stringify({ event, payload, sentAt });

export type Webhook = {
  readonly id: string;
  readonly businessId: string;
  readonly url: string;
  readonly events: readonly EventType[];
  /** Sealed; only the secret box opens it. */
  readonly sealedSecret: string;
  /** The secret before the last rotation, and until when it also signs. */
  readonly sealedPrevious: string | null;
  readonly previousUntil: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export const DELIVERY_STATUSES = ["pending", "sending", "succeeded", "failed"] as const;

export type Delivery = {
  readonly id: string;
  readonly businessId: string;
  readonly webhookId: string;
  readonly event: string;
  readonly url: string;
  readonly status: (typeof DELIVERY_STATUSES)[number];
  /** The exact body sent; null until the sender made it. */
  readonly body: string | null;
  readonly payload: string;
  readonly responseStatus: number | null;
  readonly responseStart: string | null;
  readonly error: string | null;
  readonly durationMs: number | null;
  readonly createdAt: number;
  readonly sentAt: number | null;
};

/** A row of the log. */
export type DeliverySummary = Omit<Delivery, "body" | "payload" | "responseStart">;
/** Where a page of the log goes on: time and number of the row shown last. */
export type DeliveryCursor = readonly [createdAt: number, number: number];

export type DeliveryOutcome = {
  readonly ok: boolean;
  readonly responseStatus: number | null;
  /** At most 20 KB, as text. */
  readonly responseStart: string | null;
  readonly error: string | null;
  readonly durationMs: number;
};

/** Who changes the webhook: the operator at the command line, or an actor that was let in to it. */
export type WebhookOwner = "operator" | Authorized<Business, "own">;

export type WebhookPatch = { readonly url?: string; readonly events?: readonly EventType[] };

/** What is done with a new secret, as the audit log calls it. */
export type WebhookChange = "webhook.set" | "webhook.rotate";

export interface WebhookStore {
  find(businessId: string): Promise<Webhook | null>;
  /** Sets the address with a new secret, or rotates the secret; `as` is what the audit log calls it, `webhook.set` unless told. */
  put(webhook: Webhook, by: WebhookOwner, as?: WebhookChange): Promise<Webhook>;
  /** Changes address or events; the secrets stay. Null when there is none. */
  update(businessId: string, patch: WebhookPatch, by: WebhookOwner, now: number): Promise<Webhook | null>;
  clear(businessId: string, by: WebhookOwner, now: number): Promise<boolean>;
  /** The newest, newest first. */
  deliveries(businessId: string, limit: number): Promise<Delivery[]>;
  /** A page of the same, without what was sent and answered; `next` is null at the end. */
  deliveryPage(
    businessId: string,
    limit: number,
    after: DeliveryCursor | null,
  ): Promise<{ readonly deliveries: readonly DeliverySummary[]; readonly next: DeliveryCursor | null }>;
  delivery(businessId: string, deliveryId: string): Promise<Delivery | null>;
  /** Records an event by hand (test, redelivery). */
  record(
    delivery: Pick<Delivery, "id" | "businessId" | "webhookId" | "event" | "url" | "payload" | "createdAt">,
    by: WebhookOwner,
  ): Promise<void>;
  /**
   * Takes pending deliveries, at most `perBusiness` of one business under way, and marks them as being sent. Where several workers
   * share the store, one not settled within `sendMs` milliseconds is taken for lost with its sender.
   */
  claim(limit: number, perBusiness: number, sendMs: number, now: number): Promise<Delivery[]>;
  /** Stores the exact body before it is sent. */
  settle(delivery: Delivery, body: string, sentAt: number, outcome: DeliveryOutcome): Promise<void>;
  /**
   * Closes deliveries that a crash left half-way, since an attempt is never made twice: all that are being sent where one worker
   * owns the store, at its start; where several share it, those taken for lost by `now`.
   */
  recover(now: number): Promise<number>;
  onDelivery(wake: () => void): () => void;
}

/** Sends one signed request. Never throws for what the receiver does: the outcome tells. */
export interface WebhookSender {
  send(request: {
    readonly id: string;
    readonly url: string;
    readonly body: string;
    /** First the current secret, then one that still overlaps. */
    readonly secrets: readonly string[];
    readonly timestampSeconds: number;
  }): Promise<DeliveryOutcome>;
}

/** `whsec_` + base64 of 32 random bytes, the form of the Standard Webhooks specification. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Seals secrets for storage; `context` (the business id) must be the same when opening. */
export interface SecretBox {
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
}
