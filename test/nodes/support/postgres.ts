import { Client } from "pg";
import { onTestFinished } from "vitest";
import { startPostgres } from "../../support/postgres/server.ts";

/** What a crash may not cost anything with; the tests' common server runs without. */
const DURABLE = { fsync: "on", full_page_writes: "on", synchronous_commit: "on" };

/** A PostgreSQL of the test's own that loses nothing in a crash, as a place for nodes. */
export async function startDurablePostgres() {
  const server = await startPostgres({ settings: DURABLE });
  onTestFinished(() => server.stop());
  return { ...server, drop: () => server.stop() };
}

/** Rows of one statement, past the service. */
export async function query(url: string, sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}
