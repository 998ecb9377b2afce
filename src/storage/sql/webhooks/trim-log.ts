import { MAX_LOGGED_DELIVERIES } from "#domain/events/delivery.ts";
import type { Driver } from "../driver.ts";
import { deleteBatch, sumLengths } from "../maintenance/purge-steps.ts";
import { get, run, type Unit } from "../unit.ts";
import { OF_RECEIVER, type ReceiverKey } from "./end-deliveries.ts";

/** How many deliveries of a receiver end before its log is trimmed again. */
const TRIM_STEP = 500;
/** How many batches one call erases: the first log after an upgrade may have a million deliveries. */
const MAX_BATCHES = 4;
/** Receivers whose deliveries are counted. The log of one that is forgotten is trimmed when its next delivery ends. */
const MAX_COUNTED = 10_000;
const HAS_ENDED = "status IN ('succeeded', 'failed')";

type Boundary = { readonly createdAt: number; readonly number: number };

/** Returns the newest delivery beyond those that the log keeps. */
const findBoundary = (receiver: ReceiverKey): Unit<Boundary | undefined> =>
  get<Boundary>(
    `SELECT created_at AS "createdAt", number FROM delivery WHERE ${OF_RECEIVER}
     ORDER BY created_at DESC, number DESC LIMIT 1 OFFSET ${MAX_LOGGED_DELIVERIES}`,
    receiver,
  );

const ERASE = deleteBatch({
  table: "delivery",
  key: "business_id, id",
  select: `SELECT business_id, id, ${sumLengths("payload", "body", "response_start")} AS bytes FROM delivery
    WHERE ${OF_RECEIVER} AND (created_at, number) <= (@createdAt, @number) AND ${HAS_ENDED} ORDER BY created_at, number`,
  isExpired: HAS_ENDED,
});

/**
 * Creates the function that is told of deliveries that have ended. It keeps the log of each receiver at the newest ones, and those that wait:
 * with every 500 that end, it erases what has ended before them. It never throws: what is left is erased with the next delivery.
 */
export function createLogTrimmer({ read, write }: Driver): (receiver: ReceiverKey, ended?: number) => Promise<void> {
  const counts = new Map<string, number>();
  /** Returns whether the log has no more than it keeps. */
  const trim = async (receiver: ReceiverKey): Promise<boolean> => {
    const boundary = await read(() => findBoundary(receiver));
    if (boundary === undefined) return true;
    for (let batch = 0; batch < MAX_BATCHES; batch++) if ((await write(() => run(ERASE, { ...receiver, ...boundary }))) === 0) return true;
    return false;
  };
  return async ({ businessId, subscriptionId }, ended = 1) => {
    const receiver = { businessId, subscriptionId };
    const key = `${businessId} ${subscriptionId}`;
    const count = (counts.get(key) ?? TRIM_STEP) + ended;
    if (counts.size >= MAX_COUNTED) counts.clear();
    counts.set(key, count < TRIM_STEP ? count : 0);
    if (count < TRIM_STEP) return;
    // The outcome of the delivery is stored, whatever becomes of the log.
    const isDone = await trim(receiver).catch(() => false);
    if (!isDone) counts.set(key, TRIM_STEP);
  };
}
