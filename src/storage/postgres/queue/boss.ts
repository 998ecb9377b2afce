import { PgBoss, type Clock } from "pg-boss";
import type { Database } from "../engine/database.ts";
import { isTaken } from "../engine/failure.ts";

/** The queue of links to be ingested. */
export const INGEST = "ingest";
/** Where the queue's own tables live. */
export const BOSS_SCHEMA = "pgboss";
/** A job that there is not. */
const NOBODY = "00000000-0000-0000-0000-000000000000";
/** Jobs wait as long as it takes: they end with their tile, never by age. */
const KEEP_SECONDS = 10 * 365 * 86_400;

/**
 * Starts pg-boss on our connections. It keeps the jobs; claiming, renewing and ending them is asked of it inside our own
 * transactions, so its workers, schedules and supervisor are off.
 */
export async function startBoss(db: Database, clock?: Clock): Promise<PgBoss> {
  const boss = new PgBoss({
    db,
    schema: BOSS_SCHEMA,
    supervise: false,
    schedule: false,
    ...(clock === undefined ? {} : { clock }),
  });
  // Faults of calls are thrown to their caller; this event repeats those of its background, which is off.
  boss.on("error", () => {});
  // Of nodes that start together on an empty database, one makes the tables and the others meet its names; they find them made then.
  await boss.start().catch((error: unknown) => (isTaken(error) ? boss.start() : Promise.reject(error)));
  await boss.createQueue(INGEST, { policy: "standard", partition: true, retryDelay: 0, retentionSeconds: KEEP_SECONDS });
  // Has pg-boss read what it keeps of the queue, which it would else do over a second connection inside somebody's transaction.
  await boss.touch(INGEST, NOBODY);
  return boss;
}
