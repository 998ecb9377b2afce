import { onTestFinished } from "vitest";
import { readConfig } from "#config";
import { type AppContext, openAppContext } from "#composition/app-context.ts";
import { createKey } from "#service/settings/keys.ts";
import { type Environment, type ServerProcess, makeFolder, startServer } from "../../e2e/support/process.ts";
import { newMigratedDatabase } from "../../support/postgres/migrated.ts";

type Role = "api" | "worker" | "all";

/** A key with write permission, and the default board of the new database. */
export type Access = { readonly key: string; readonly keyId: string; readonly businessId: string; readonly boardId: string };

export type Nodes = {
  /** The environment of the command line, and of each node besides its own folder. */
  readonly environment: Environment;
  /** Starts a node as a process, with settings of its own, and waits until it is ready. */
  start(role: Role, more?: Environment): Promise<ServerProcess>;
  /** The same database opened in this process, like on another node, at the first call. */
  appContext(): Promise<AppContext>;
  /** Creates another key. */
  newAccess(): Promise<Access>;
};

type Place = { readonly url: string; drop(): Promise<void> };

/** Nodes on one database, by default a new one. When the test ends, they are killed and the database is dropped. */
export async function openNodes(more: Environment = {}, place?: Place): Promise<Nodes> {
  const { url, drop } = place ?? (await newMigratedDatabase());
  const folder = makeFolder();
  const environment: Environment = {
    DATABASE_URL: url,
    SECRET_KEY: "a secret key of the tests, of 32 characters",
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
    start(role, own = {}) {
      const server = startServer({ ...environment, ...own, ROLE: role, DATA_DIR: folder.path(`node-${starting.length}`) });
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
