import { PgBoss, type Clock } from "pg-boss";
import type { Database } from "../engine/database.ts";
import { isUniqueViolation } from "../engine/failure.ts";

/** The name of the ingestion queue. */
export const INGEST = "ingest";
/** The schema with the tables of pg-boss. */
export const BOSS_SCHEMA = "pgboss";
/** An id that no job has. */
const MISSING_JOB = "00000000-0000-0000-0000-000000000000";
/** Jobs must not expire by age, since each one ends with its tile. */
const RETENTION_SECONDS = 10 * 365 * 86_400;

/**
 * Starts pg-boss on our connections. It only stores the jobs: they are claimed, renewed and ended in our own transactions, so its workers,
 * schedules and supervisor are off.
 */
export async function startBoss(db: Database, clock?: Clock): Promise<PgBoss> {
  const boss = new PgBoss({
    db,
    schema: BOSS_SCHEMA,
    supervise: false,
    schedule: false,
    ...(clock === undefined ? {} : { clock }),
  });
  // Calls throw their errors; this event is for background work, which is off.
  boss.on("error", () => {});
  // When nodes start at the same time on an empty database, one creates the tables and the others get a conflict. Then a second start works.
  await boss.start().catch((error: unknown) => (isUniqueViolation(error) ? boss.start() : Promise.reject(error)));
  await boss.createQueue(INGEST, { policy: "standard", partition: true, retryDelay: 0, retentionSeconds: RETENTION_SECONDS });
  // Makes pg-boss cache the queue now. Otherwise it would read it through a second connection during a later transaction.
  await boss.touch(INGEST, MISSING_JOB);
  return boss;
}
