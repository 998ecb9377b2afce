import { onTestFinished } from "vitest";
import { readConfig } from "#config";
import { type AppContext, openAppContext } from "#composition/app-context.ts";
import { createKey } from "#service/settings/keys.ts";
import { type Environment, type ServerProcess, makeFolder, startServer } from "../../e2e/support/process.ts";
import { newMigratedDatabase } from "../../support/postgres/migrated.ts";

type Role = "api" | "worker" | "all";

/** A key that may write, and the board that a new database has. */
export type Access = { readonly key: string; readonly keyId: string; readonly businessId: string; readonly boardId: string };

export type Nodes = {
  /** What the command line is run with, and each node besides a folder of its own. */
  readonly environment: Environment;
  /** Starts a node as a process and waits until it is ready. */
  start(role: Role): Promise<ServerProcess>;
  /** The same database opened in this process, as one more node has it; opened by the first call. */
  appContext(): Promise<AppContext>;
  /** Makes another key. */
  newAccess(): Promise<Access>;
};

type Place = { readonly url: string; drop(): Promise<void> };

/** Nodes on one database, a new one where none is given; they are killed, and the database is dropped, when the test ends. */
export async function openNodes(more: Environment = {}, place?: Place): Promise<Nodes> {
  const { url, drop } = place ?? (await newMigratedDatabase());
  const folder = makeFolder();
  const environment: Environment = {
    DATABASE_URL: url,
    SECRET_KEY: "a secret key of the tests",
    LOG_LEVEL: "warn",
    ...more,
    DATA_DIR: folder.path("command-line"),
  };
  const starting: Promise<ServerProcess>[] = [];
  let opened: Promise<AppContext> | undefined;
  const appContext = (): Promise<AppContext> => (opened ??= openAppContext(readConfig(environment)));
  onTestFinished(async () => {
    const started = await Promise.allSettled(starting);
    await Promise.all(started.map((server) => (server.status === "fulfilled" ? server.value.kill("SIGKILL") : undefined)));
    await (await opened)?.close();
    await drop();
    folder.remove();
  });
  return {
    environment,
    appContext,
    start(role) {
      const server = startServer({ ...environment, ROLE: role, DATA_DIR: folder.path(`node-${starting.length}`) });
      starting.push(server);
      return server;
    },
    async newAccess() {
      const { deps } = await appContext();
      const [business] = await deps.store.boards.businesses();
      const [board] = await deps.store.boards.list(business!.id);
      const options = { name: "nodes", boardId: null, permission: "write", expiresAt: null, createdBy: "operator" } as const;
      const { key, apiKey } = await createKey(deps, business!.id, options);
      return { key, keyId: apiKey.id, businessId: business!.id, boardId: board!.id };
    },
  };
}
