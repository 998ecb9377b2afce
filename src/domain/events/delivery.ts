/** `retrying`: the last attempt failed, and another one follows. */
export const DELIVERY_STATUSES = ["pending", "sending", "retrying", "succeeded", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** How many deliveries may wait for a receiver. Further ones end at once, so that a receiver that is away fills no disk. */
export const MAX_WAITING_DELIVERIES = 10_000;
/** The log keeps so many of the newest deliveries of a receiver, and those that wait. */
export const MAX_LOGGED_DELIVERIES = 10_000;

/** Why a delivery ended that was not sent, or of which that is unknown: shown in the log. */
export const NOT_SENT = {
  removed: "The webhook was removed before this was sent.",
  paused: "The webhook was paused before this was sent.",
  expired:
    "The API key of the webhook expired before this was sent. Register the webhook again with a new key. The change feed has the event for 30 days.",
  backlog: `Already ${MAX_WAITING_DELIVERIES.toLocaleString("en")} deliveries were waiting for this webhook, so this was not sent. Send it again when the receiver keeps up. The change feed has the event for 30 days.`,
  stopped: "The service stopped while this was being sent; it may have arrived.",
} as const;

/** An attempt that has ended. */
export type DeliveryAttempt = {
  readonly at: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number;
};

export type Delivery = {
  readonly id: string;
  readonly businessId: string;
  readonly webhookId: string;
  /** The subscription that receives it; empty for the webhook of the business. */
  readonly subscriptionId: string;
  readonly event: string;
  readonly url: string;
  readonly status: DeliveryStatus;
  /** How many attempts began, and how many there can be. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** The last attempts that ended, oldest first; null before the first one, and for deliveries of older versions. */
  readonly attempts: readonly DeliveryAttempt[] | null;
  /** When the next attempt is due, while the status is `retrying`. */
  readonly retryAt: number | null;
  /** The exact body sent; null until it was sent. */
  readonly body: string | null;
  readonly payload: string;
  readonly responseStatus: number | null;
  readonly responseStart: string | null;
  readonly error: string | null;
  readonly durationMs: number | null;
  readonly createdAt: number;
  readonly sentAt: number | null;
};

/** Returns the attempts that have ended, oldest first. Deliveries of older versions had one. */
export function listAttempts({ attempts, sentAt, responseStatus, durationMs, error }: DeliverySummary): readonly DeliveryAttempt[] {
  return attempts ?? (sentAt === null ? [] : [{ at: sentAt, responseStatus, durationMs: durationMs ?? 0, error }]);
}

/** A row of the delivery log. */
export type DeliverySummary = Omit<Delivery, "body" | "payload" | "responseStart">;
/** Keyset cursor of the delivery log: time and number of the last returned row. */
export type DeliveryCursor = readonly [createdAt: number, number: number];

export type DeliveryOutcome = {
  readonly ok: boolean;
  readonly responseStatus: number | null;
  /** At most 20 KB, as text. */
  readonly responseStart: string | null;
  readonly error: string | null;
  readonly durationMs: number;
};

/** Which deliveries are listed. */
export type DeliveryFilter = {
  /** Those of this subscription; by default those of the webhook of the business. */
  readonly subscriptionId?: string;
  readonly status?: DeliveryStatus;
  /** Only those recorded at or after this time. */
  readonly since?: number;
};

/** Where a recorded delivery is sent, and how often it is tried. */
export type DeliveryReceiver = Pick<Delivery, "webhookId" | "url" | "maxAttempts">;

/** Of what time failed deliveries are sent again. */
export type RedeliveryTime = { readonly since: number; readonly until: number };

/** Which failed deliveries are sent again, and to which address: that of their receiver as it is now. */
export type Redelivery = RedeliveryTime & { readonly subscriptionId: string; readonly receiver: DeliveryReceiver };

/** Slots beyond those for any delivery, and which receivers get slots. */
export type ClaimOptions = {
  /** Slots for receivers with nothing being sent, one each. */
  readonly receivers?: number;
  /** Whether to claim for receivers whose last attempt failed, in place of the others. */
  readonly isFailing?: boolean;
};

/** What one step of a redelivery scheduled. `next` is the cursor of the next step; null if there is none. */
export type RedeliveryStep = { readonly scheduled: number; readonly next: DeliveryCursor | null };
