import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server that all test files share; databases.ts makes databases on it. */
    readonly postgresUrl: string;
  }
}

let server: PostgresServer | undefined;

/** Projects whose tests use no database server. */
const WITHOUT_POSTGRES = ["unit", "browser"];

/** Starts the one PostgreSQL of a test run, whose address every test file can ask for. */
export async function setup(project: TestProject): Promise<void> {
  if (project.vitest.projects.every(({ name }) => WITHOUT_POSTGRES.includes(name))) return;
  server = await startPostgres();
  project.provide("postgresUrl", server.url);
}

/** Ends it; when the run is killed and doesn't come to this, the server ends by itself. */
export async function teardown(): Promise<void> {
  await server?.stop();
}
