import { it } from "vitest";
import type { Store } from "#domain/store.ts";
import { openStore } from "#storage/sqlite/store.ts";
import { seedBusiness } from "../support/boards.ts";
import { isPostgres } from "../support/engine.ts";
import { openPostgresStore } from "../support/postgres/store.ts";
import type { StoreContext } from "./store-context.ts";

/** Opens an empty store on the engine of this run. */
export const openEmptyStore = async (): Promise<Store> => (isPostgres() ? openPostgresStore() : openStore(":memory:"));

/** Calls `body` with a new store that has one business. */
export async function withStore(body: (context: StoreContext) => Promise<void>): Promise<void> {
  const store = await openEmptyStore();
  try {
    await body({ store, ...(await seedBusiness(store)) });
  } finally {
    await store.close();
  }
}

/** Declares a test of the contract, which gets a new store with one business. It runs on both engines. */
export function test(title: string, body: (context: StoreContext) => Promise<void>): void {
  it(title, () => withStore(body));
}
