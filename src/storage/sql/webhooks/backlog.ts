import { MAX_WAITING_DELIVERIES } from "#domain/events/delivery.ts";
import { get, type Unit } from "../unit.ts";
import type { ReceiverKey } from "./end-deliveries.ts";

/** How many deliveries are recorded at most before those that wait are counted again, as other nodes record some too. */
const MAX_COUNTED_ROOM = 500;
/** Receivers that a process knows. What waits for one that is forgotten is counted again. */
const MAX_ROOMS = 10_000;
/** How long a receiver counts as full: counting takes about a millisecond then. */
const FULL_MS = 1_000;

/** How many more deliveries may wait for a receiver. When there are none, it is full until this time. */
export type Room = { left: number; readonly fullUntil: number };
/** What a process knows of its receivers, by the id of the subscription. */
export type Rooms = ReadonlyMap<string, Room>;

const countStatus = (status: string, businessId: string, subscriptionId: string): string =>
  `(SELECT count(*) FROM (SELECT 1 FROM delivery w WHERE w.business_id = ${businessId} AND w.subscription_id = ${subscriptionId}
    AND w.status = '${status}' LIMIT ${MAX_WAITING_DELIVERIES}) AS waiting)`;

/** Returns the expression for the number of deliveries that wait for a receiver, as far as the maximum matters. */
export const countWaiting = (businessId: string, subscriptionId: string): string =>
  `(${countStatus("pending", businessId, subscriptionId)} + ${countStatus("retrying", businessId, subscriptionId)})`;

/** Counts the deliveries that wait for a receiver, as far as the maximum matters. */
export function* countAllWaiting({ businessId, subscriptionId }: ReceiverKey): Unit<number> {
  const sql = `SELECT ${countWaiting("r.business_id", "r.subscription_id")} AS waiting
    FROM (SELECT CAST(@businessId AS TEXT) AS business_id, CAST(@subscriptionId AS TEXT) AS subscription_id) AS r`;
  return Number((yield* get<{ waiting: number }>(sql, { businessId, subscriptionId }))?.waiting ?? 0);
}

/** Returns the room that a receiver has, from what is known if that is enough for one more delivery. */
export function* readRoom(known: Room | undefined, receiver: ReceiverKey, now: number): Unit<Room> {
  if (known !== undefined && (known.left > 0 || now < known.fullUntil)) return known;
  const left = Math.min(MAX_COUNTED_ROOM, Math.max(0, MAX_WAITING_DELIVERIES - (yield* countAllWaiting(receiver))));
  return { left, fullUntil: left < MAX_COUNTED_ROOM ? now + FULL_MS : 0 };
}

/** Keeps what is known after a unit of work is committed. */
export function keepRooms(rooms: Map<string, Room>, changed: Rooms): void {
  if (rooms.size >= MAX_ROOMS) rooms.clear();
  for (const [id, room] of changed) rooms.set(id, room);
}
