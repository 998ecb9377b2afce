import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { createBusiness } from "#service/content/boards.ts";
import { openStore } from "#storage/postgres/store.ts";
import { newMigratedDatabase } from "../../support/postgres/migrated.ts";

const fail = (code: string): string => `
  CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}', MESSAGE = 'could not extend file'; END $$;
  CREATE OR REPLACE TRIGGER fail BEFORE INSERT OR UPDATE ON %t FOR EACH STATEMENT EXECUTE FUNCTION fail()`;

it.each([
  ["53100", "storage_full", "full"],
  ["25006", "storage_unavailable", "read_only"],
  ["XX001", "storage_unavailable", "damaged"],
])(
  "a PostgreSQL server that can't store, with SQLSTATE %s, is %s, by the probe and by calls, until it works again",
  async (state, code, problem) => {
    const database = await newMigratedDatabase();
    onTestFinished(() => database.drop());
    const store = await openStore({ url: database.url, connections: 2 });
    onTestFinished(() => store.close());
    const client = new Client(database.url);
    await client.connect();
    onTestFinished(() => client.end());
    const problems: string[] = [];
    store.onFailure((error) => problems.push(error.problem));
    for (const table of ["epoch", "business"]) await client.query(fail(state).replace("%t", table));
    await expect(store.probe()).rejects.toMatchObject({ code, problem });
    await expect(createBusiness({ store, clock: { now: () => 1 } }, "Harbour")).rejects.toMatchObject({ code });
    expect(problems).toEqual([problem]);
    for (const table of ["epoch", "business"]) await client.query(`DROP TRIGGER fail ON ${table}`);
    await store.probe();
    await createBusiness({ store, clock: { now: () => 1 } }, "Harbour");
  },
);
