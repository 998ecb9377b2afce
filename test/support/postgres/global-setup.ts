import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server that all test files share; databases.ts creates databases on it. */
    readonly postgresUrl: string;
  }
}

let server: PostgresServer | undefined;

/** Projects whose tests use no database server. */
const WITHOUT_POSTGRES = ["unit", "browser"];

/** Starts the PostgreSQL server of a test run, and provides its URL to all test files. */
export async function setup(project: TestProject): Promise<void> {
  if (project.vitest.projects.every(({ name }) => WITHOUT_POSTGRES.includes(name))) return;
  server = await startPostgres();
  project.provide("postgresUrl", server.url);
}

/** Stops the server. If the run is killed, the server is stopped by its cleanup process. */
export async function teardown(): Promise<void> {
  await server?.stop();
}
