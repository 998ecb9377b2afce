import type { Dialect, Driver } from "../driver.ts";
import { run, type Unit } from "../unit.ts";

/** A subscription, or the webhook of a business, whose `subscriptionId` is empty. */
export type ReceiverKey = { readonly businessId: string; readonly subscriptionId: string };

/** Deliveries of each status that one unit of work ends. */
const ENDED_STEP = 500;
export const OF_RECEIVER = "business_id = @businessId AND subscription_id = @subscriptionId";
/** Whether the receiver is a subscription that is paused. */
export const IS_PAUSED =
  "EXISTS (SELECT 1 FROM subscription WHERE business_id = @businessId AND id = @subscriptionId AND status = 'paused')";
const WAITING = ["pending", "retrying"] as const;

/** Fails the next deliveries that wait for a receiver. Returns how many. A condition chooses receivers. */
export function* endStep({ unindexed }: Dialect, receiver: ReceiverKey, error: string, condition = "TRUE"): Unit<number> {
  let ended = 0;
  for (const status of WAITING)
    ended += yield* run(
      `UPDATE delivery SET status = 'failed', retry_at = NULL, error = @error WHERE business_id = @businessId
       AND id IN (SELECT id FROM delivery WHERE ${OF_RECEIVER} AND status = '${status}' AND ${condition} LIMIT ${ENDED_STEP})
       AND ${unindexed("status")} = '${status}'`,
      { ...receiver, error },
    );
  return ended;
}

/** Fails what waits for a receiver, step by step. */
export async function endDeliveries({ dialect, write }: Driver, receiver: ReceiverKey, error: string, condition?: string): Promise<void> {
  while ((await write(() => endStep(dialect, receiver, error, condition))) > 0);
}

/** Makes what is being sent its last attempt, whether it fails or is interrupted. */
export const stopRetries = (receiver: ReceiverKey): Unit<number> =>
  run(`UPDATE delivery SET max_attempts = attempt WHERE ${OF_RECEIVER} AND status = 'sending'`, receiver);
