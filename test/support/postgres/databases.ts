import { randomBytes } from "node:crypto";
import { escapeIdentifier, Pool } from "pg";
import { inject } from "vitest";

export type TestDatabase = {
  /** For a superuser. */
  readonly url: string;
  readonly name: string;
  /** Breaks off its sessions and removes it. */
  drop(): Promise<void>;
};

// Kept connections, which don't hold the process up: opening one takes as long as a third of a new database.
const server = new Pool({ connectionString: inject("postgresUrl"), max: 4, allowExitOnIdle: true });

/** A new, empty database of a random name on the server that all test files share. */
export function newDatabase(): Promise<TestDatabase> {
  return newDatabaseFrom("template0");
}

/** A new database that is a copy of another one, with which nobody may be connected meanwhile. */
export async function newDatabaseFrom(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  // By default a copy goes through the log, which takes longer here: the checkpoint that copying files needs waits for no disk.
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${escapeIdentifier(template)} STRATEGY FILE_COPY`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  const drop = async (): Promise<void> => void (await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return { url: url.href, name, drop };
}
