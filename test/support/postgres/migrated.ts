import { openStore } from "#storage/postgres/store.ts";
import { type TestDatabase, newDatabase, newDatabaseFrom } from "./databases.ts";

let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const { url, name } = await newDatabase();
  await (await openStore({ url, connections: 2 })).close();
  return name;
}

/** Creates a database with all tables by copying one, which takes a tenth of the time of creating the tables. */
export async function newMigratedDatabase(): Promise<TestDatabase> {
  template ??= makeTemplate();
  return newDatabaseFrom(await template);
}
