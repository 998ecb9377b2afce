import { Database } from "./database.ts";
import type { Reader } from "./transaction.ts";

/** Returns the schema version of the PostgreSQL database at `url`, or null if Tessera has no tables in it. */
export async function inspectDatabase(url: string): Promise<number | null> {
  const db = new Database({ url, connections: 1 });
  try {
    const { known } = (await db.get<{ known: boolean }>("SELECT to_regclass('migration') IS NOT NULL AS known")) ?? { known: false };
    if (!known) return null;
    return (await db.get<{ version: number | null }>("SELECT max(number) AS version FROM migration"))?.version ?? null;
  } finally {
    await db.close();
  }
}

/** Whether a server is connected to the database: each has a connection that listens for notifications. */
export async function hasNodes(on: Reader): Promise<boolean> {
  const sql = "SELECT 1 AS found FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tessera feed' LIMIT 1";
  return (await on.get(sql)) !== undefined;
}
