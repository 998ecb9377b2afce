import { randomBytes } from "node:crypto";
import type { Authorized } from "../core/access.ts";
import type { Business } from "../core/board.ts";
import type {
  ClaimOptions,
  Delivery,
  DeliveryCursor,
  DeliveryFilter,
  DeliveryOutcome,
  DeliverySummary,
  Redelivery,
  RedeliveryStep,
} from "../events/delivery.ts";

/** The event types of webhooks. The first two are in the specification, the others are off by default. */
export const EVENT_TYPES = ["tile.ready", "generation.complete", "tile.failed", "tile.updated", "generation.failed"] as const;
export type EventType = (typeof EVENT_TYPES)[number];
export const DEFAULT_EVENTS: readonly EventType[] = ["tile.ready", "generation.complete"];

/** The event sent on request to test a receiver. It can't be turned on or off. */
export const TEST_EVENT = "test";

export type TileEventPayload = {
  readonly tileId: string;
  readonly boardId: string;
  readonly title: string;
  readonly type: string;
};

/** Returns the exact body of an event, in the envelope of the specification. */
export const eventBody = (event: string, payload: unknown, sentAt: string): string => JSON.stringify({ event, payload, sentAt });

export type Webhook = {
  readonly id: string;
  readonly businessId: string;
  readonly url: string;
  readonly events: readonly EventType[];
  /** Whether a failed delivery is tried again. */
  readonly retries: boolean;
  /** Encrypted by the `SecretBox`. */
  readonly sealedSecret: string;
  /** The encrypted previous secret, and until when it also signs. */
  readonly sealedPrevious: string | null;
  readonly previousUntil: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** How long the previous secret may also sign: 30 days. */
export const MAX_OVERLAP_HOURS = 720;

/** Who changes the webhook: the operator at the command line, or an authorized actor. */
export type WebhookOwner = "operator" | Authorized<Business, "own">;

/** Who manages subscriptions: a key its own ones, an owner or the operator all of them. */
export type SubscriptionManager = "operator" | Authorized<Business, "subscribe">;

export type WebhookPatch = { readonly url?: string; readonly events?: readonly EventType[]; readonly retries?: boolean };

/** The encrypted secrets of a webhook: the one that signs, and the one before. */
export type WebhookSecrets = Pick<Webhook, "sealedSecret" | "sealedPrevious" | "previousUntil">;

export interface WebhookStore {
  find(businessId: string): Promise<Webhook | null>;
  /**
   * Stores the webhook, and returns it as stored. If the current one has the same address, its id and time of creation are kept, so that
   * the events that wait for it are sent.
   */
  put(webhook: Webhook, by: WebhookOwner): Promise<Webhook>;
  /** Replaces the secrets by those that `rotate` returns for the webhook as it is. Returns null when there is no webhook. */
  rotate(businessId: string, rotate: (current: Webhook) => WebhookSecrets, by: WebhookOwner, now: number): Promise<Webhook | null>;
  /** Changes address or events, not the secrets. Returns null when there is no webhook. */
  update(businessId: string, patch: WebhookPatch, by: WebhookOwner, now: number): Promise<Webhook | null>;
  clear(businessId: string, by: WebhookOwner, now: number): Promise<boolean>;
  /** Lists the newest deliveries of a subscription, by default those of the webhook of the business, newest first. */
  deliveries(businessId: string, limit: number, subscriptionId?: string): Promise<Delivery[]>;
  /** Returns a page of the delivery log without bodies; `next` is null at the end. */
  deliveryPage(
    businessId: string,
    limit: number,
    after: DeliveryCursor | null,
    filter?: DeliveryFilter,
  ): Promise<{ readonly deliveries: readonly DeliverySummary[]; readonly next: DeliveryCursor | null }>;
  delivery(businessId: string, deliveryId: string): Promise<Delivery | null>;
  /** Records a test event or a redelivery. */
  record(
    delivery: Pick<Delivery, "id" | "businessId" | "webhookId" | "event" | "url" | "payload" | "createdAt"> &
      Partial<Pick<Delivery, "subscriptionId" | "maxAttempts">>,
    by: WebhookOwner | SubscriptionManager,
  ): Promise<void>;
  /**
   * Schedules failed deliveries again, `intervalMs` apart, under their own ids, so that a receiver recognises what has arrived. They are
   * sent to the receiver as given. Does one step of them, those recorded after the cursor, from `startAt` on.
   */
  redeliverFailed(
    businessId: string,
    redelivery: Redelivery,
    by: WebhookOwner | SubscriptionManager,
    startAt: number,
    intervalMs: number,
    after: DeliveryCursor | null,
  ): Promise<RedeliveryStep>;
  /**
   * Claims pending deliveries and marks them as sending, with at most `perReceiver` running per receiver: the webhook of a business, or a
   * subscription. The business with the fewest running goes first. Up to `reserved` more are claimed for businesses with none running, one
   * each; none by default. The deliveries of receivers in `except`, the ids of businesses and subscriptions, wait. With several workers, a
   * delivery not settled within `sendMs` milliseconds counts as lost.
   */
  claim(
    limit: number,
    perReceiver: number,
    sendMs: number,
    now: number,
    reserved?: number,
    except?: readonly string[],
    options?: ClaimOptions,
  ): Promise<Delivery[]>;
  /**
   * Stores the outcome of a claimed delivery with its address, the body that was sent, and what it says about the receiver. A failed
   * delivery is tried again at `retryAt` if it has attempts left. Returns false, and stores nothing, if it was closed or claimed again meanwhile.
   */
  recordOutcome(delivery: Delivery, body: string, sentAt: number, outcome: DeliveryOutcome, retryAt?: number | null): Promise<boolean>;
  /** Fails a claimed delivery of which nothing is sent, which is no attempt. Returns false if it was closed in the meantime. */
  recordUnsent(delivery: Delivery, error: string): Promise<boolean>;
  /** Makes a claimed delivery pending again, since nothing was sent, unless it was claimed again meanwhile. */
  returnToQueue(delivery: Delivery): Promise<void>;
  /**
   * Ends deliveries that a crash interrupted: they fail, or are tried again if they have attempts left. If only one worker uses the store,
   * these are all deliveries marked as sending at its start; otherwise those that count as lost by `now`.
   */
  recover(now: number): Promise<number>;
  onDelivery(wake: () => void): () => void;
}

/** Sends one signed request. Failures of the receiver are returned as outcome; what this machine is short of is thrown as `ShortageError`. */
export interface WebhookSender {
  send(request: {
    readonly id: string;
    readonly url: string;
    readonly body: string;
    /** The current secret first, then the previous one while it overlaps. */
    readonly secrets: readonly string[];
    readonly timestampSeconds: number;
  }): Promise<DeliveryOutcome>;
}

/** Creates a secret in the format of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Encrypts secrets for storage. Decryption needs the same `context` (the business id). */
export interface SecretBox {
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
}
