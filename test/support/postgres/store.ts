import type { Store } from "#domain/store.ts";
import { openStore } from "#storage/postgres/store.ts";
import { newMigratedDatabase } from "./migrated.ts";

/** Opens a store on a new database. */
export async function openPostgresStore(): Promise<Store> {
  const database = await newMigratedDatabase();
  const store = await openStore({ url: database.url, connections: 10 });
  return {
    ...store,
    async close() {
      await store.close();
      await database.drop();
    },
  };
}
