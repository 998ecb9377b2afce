import Database from "better-sqlite3";
import { Client } from "pg";
import { inject } from "vitest";
import { databaseFile } from "#storage/sqlite/store.ts";
import { newMigratedDatabase } from "./postgres/migrated.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The engine on which this project runs its tests. */
    readonly engine: "sqlite" | "postgres";
  }
}

export const isPostgres = (): boolean => inject("engine") === "postgres";

/** Creates storage for a service: its environment variables, and a function that removes it. */
export async function newStorage(): Promise<{ readonly environment: Record<string, string>; drop(): Promise<void> }> {
  if (!isPostgres()) return { environment: {}, drop: async () => {} };
  const database = await newMigratedDatabase();
  return { environment: { DATABASE_URL: database.url, SECRET_KEY: "a secret key of the tests, of 32 characters" }, drop: database.drop };
}

/** Runs a statement directly on the database, beside the server. */
export async function changeRows(
  { DATA_DIR: dataDir = "", DATABASE_URL: url }: Readonly<Record<string, string>>,
  sql: string,
): Promise<void> {
  if (url === undefined) {
    const db = new Database(databaseFile(dataDir), { timeout: 10_000 });
    db.exec(sql);
    db.close();
    return;
  }
  const client = new Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Reads rows directly from the database, with a statement that both engines accept. `?` is a parameter. */
export async function readRows(
  service: { readonly dataDir: string; readonly environment: Record<string, string> },
  sql: string,
  ...values: string[]
): Promise<unknown[]> {
  const { DATABASE_URL: url } = service.environment;
  if (url === undefined) {
    const db = new Database(databaseFile(service.dataDir), { readonly: true });
    try {
      return db.prepare(sql).all(values);
    } finally {
      db.close();
    }
  }
  const client = new Client(url);
  await client.connect();
  try {
    let place = 0;
    return (
      await client.query(
        sql.replaceAll("?", () => `$${++place}`),
        values,
      )
    ).rows;
  } finally {
    await client.end();
  }
}
