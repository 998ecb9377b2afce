import { Client } from "pg";
import { onTestFinished } from "vitest";
import { newDatabase } from "../../support/postgres/databases.ts";
import { openCopy, openMoved } from "./filled.ts";
import { readStore } from "./read-store.ts";

/** The address of a new, empty database that is dropped after the test. */
export async function emptyDatabase(): Promise<string> {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  return url;
}

/** The rows of one statement, without the store. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** What the store in a PostgreSQL database returns and does. */
export async function readPostgres(url: string): Promise<unknown> {
  const store = await openMoved(url);
  try {
    return await readStore(store);
  } finally {
    await store.close();
  }
}

/** What the store in a SQLite file returns and does; the file is not changed. */
export async function readSqlite(file: string): Promise<unknown> {
  const store = openCopy(file);
  try {
    return await readStore(store);
  } finally {
    await store.close();
  }
}
