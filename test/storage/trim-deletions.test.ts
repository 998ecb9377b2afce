import { expect, onTestFinished, test } from "vitest";
import { Database } from "#storage/postgres/engine/database.ts";
import { createDriver as createPostgresDriver } from "#storage/postgres/engine/driver.ts";
import { openStore as openPostgresStore } from "#storage/postgres/store.ts";
import { trimDeletions } from "#storage/sql/background/trim-deletions.ts";
import type { Driver } from "#storage/sql/driver.ts";
import type { Store } from "#domain/store.ts";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { createDriver as createSqliteDriver } from "#storage/sqlite/engine/driver.ts";
import { migrate } from "#storage/sqlite/engine/migrate.ts";
import { storeOn } from "#storage/sqlite/store.ts";
import { addText } from "../contract/store-context.ts";
import { getCreated, seedBusiness, T0, textTile } from "../support/boards.ts";
import { newMigratedDatabase } from "../support/postgres/migrated.ts";

type Opened = { readonly store: Store; readonly driver: Driver };

async function openSqlite(): Promise<Opened> {
  const db = new Connection(":memory:");
  migrate(db);
  const store = storeOn(db);
  onTestFinished(() => store.close());
  return { store, driver: createSqliteDriver(db) };
}

async function openPostgres(): Promise<Opened> {
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

test.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
])("the oldest deletions of a business are forgotten beyond its limit, on %s", async (_engine, open) => {
  const { store, driver } = await open();
  const [large, small] = [await seedBusiness(store), await seedBusiness(store, "Other Lab")];
  const remove = async ({ scope }: typeof large, name: string, at: number): Promise<void> => {
    const { id } = await addText({ store, scope }, name, { externalId: name });
    await store.tiles.remove(scope, id, at);
  };
  for (let n = 0; n < 6; n++) await remove(large, `n${n}`, T0 + n);
  await remove(small, "only", T0);
  const listForgotten = async ({ scope }: typeof large, names: readonly string[]): Promise<string[]> => {
    const items = names.map((name) => ({ scope, tile: textTile("Again", { externalId: name, skipDeleted: true, zoneId: null }) }));
    const results = getCreated(await store.tiles.createMany(items, T0 + 9));
    return names.filter((_, index) => "tile" in results[index]! && results[index].tile !== null);
  };
  // Only what was deleted before T0 + 2 may be forgotten, since the other tiles can still be restored.
  expect(await trimDeletions(driver, T0 + 2, 2)).toBe(2);
  expect(await trimDeletions(driver, T0 + 10, 3)).toBe(1);
  expect(await trimDeletions(driver, T0 + 10, 3)).toBe(0);
  expect(await listForgotten(large, ["n0", "n1", "n2", "n3", "n4", "n5"])).toEqual(["n0", "n1", "n2"]);
  expect(await listForgotten(small, ["only"])).toEqual([]);
});
