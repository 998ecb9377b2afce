import { randomBytes } from "node:crypto";
import { escapeIdentifier, Pool } from "pg";
import { inject } from "vitest";

export type TestDatabase = {
  /** The URL for a superuser. */
  readonly url: string;
  readonly name: string;
  /** Ends its sessions and removes it. */
  drop(): Promise<void>;
};

// Connections are reused, since opening one takes a third of the time of a new database. They do not keep the process running.
const server = new Pool({ connectionString: inject("postgresUrl"), max: 4, allowExitOnIdle: true });

/** Creates an empty database with a random name on the server that all test files share. */
export function newDatabase(): Promise<TestDatabase> {
  return newDatabaseFrom("template0");
}

/** Creates a copy of another database, which must have no connections meanwhile. */
export async function newDatabaseFrom(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  // By default, a copy is written to the log. Copying files is faster here, since its checkpoint does not wait for a disk.
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${escapeIdentifier(template)} STRATEGY FILE_COPY`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  const drop = async (): Promise<void> => void (await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return { url: url.href, name, drop };
}
