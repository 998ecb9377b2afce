import { onTestFinished } from "vitest";
import { Database } from "#storage/postgres/engine/database.ts";

const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/** Returns a function that counts the transactions of this database that wait for a lock, on a connection of its own. */
export function watchLockWaits(url: string): () => Promise<number> {
  const db = new Database({ url, connections: 1 });
  onTestFinished(() => db.close());
  return async () => (await db.all(WAITING)).length;
}
