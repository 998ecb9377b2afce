import { Client } from "pg";
import { onTestFinished } from "vitest";
import { startPostgres } from "../../support/postgres/server.ts";

/** With these settings a crash loses no commits; the shared test server runs without them. */
const DURABLE = { fsync: "on", full_page_writes: "on", synchronous_commit: "on" };

/** A PostgreSQL server for one test, which loses no commit in a crash, as the database of nodes. */
export async function startDurablePostgres() {
  const server = await startPostgres({ settings: DURABLE });
  onTestFinished(() => server.stop());
  return { ...server, drop: () => server.stop() };
}

/** The rows of one statement, without the service. */
export async function query(url: string, sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}
