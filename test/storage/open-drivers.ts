import { onTestFinished } from "vitest";
import type { Store } from "#domain/store.ts";
import { Database } from "#storage/postgres/engine/database.ts";
import { createDriver as createPostgresDriver } from "#storage/postgres/engine/driver.ts";
import { openStore as openPostgresStore } from "#storage/postgres/store.ts";
import type { Driver } from "#storage/sql/driver.ts";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { createDriver as createSqliteDriver } from "#storage/sqlite/engine/driver.ts";
import { migrate } from "#storage/sqlite/engine/migrate.ts";
import { storeOn } from "#storage/sqlite/store.ts";
import { newMigratedDatabase } from "../support/postgres/migrated.ts";

/** A store, and a driver on the same database. */
export type Opened = { readonly store: Store; readonly driver: Driver };

/** Opens a new database for one test. */
export async function openSqlite(): Promise<Opened> {
  const db = new Connection(":memory:");
  migrate(db);
  const store = storeOn(db);
  onTestFinished(() => store.close());
  return { store, driver: createSqliteDriver(db) };
}

/** As `openSqlite`. */
export async function openPostgres(): Promise<Opened> {
  const database = await newMigratedDatabase();
  const store = await openPostgresStore({ url: database.url, connections: 2 });
  const db = new Database({ url: database.url, connections: 2 });
  onTestFinished(async () => {
    await db.close();
    await store.close();
    await database.drop();
  });
  return { store, driver: createPostgresDriver(db, { publish: () => {} } as never) };
}
