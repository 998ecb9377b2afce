import type { ChildProcess } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { chownSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startCleanupProcess } from "./cleanup-process.ts";
import { makeFolder } from "./folder.ts";
import { findPrograms, isReady, startProgram, unprivileged } from "./programs.ts";

/** "fast" ends the sessions and writes everything to disk; "immediate" is a crash, from which the next start recovers. */
export type StopMode = "fast" | "immediate";

export type PostgresServer = {
  /** The address for a superuser, postgres://user:password@127.0.0.1:port/postgres. A restart does not change it. */
  readonly url: string;
  readonly port: number;
  /** The id of the main process, which changes with each start. */
  readonly pid: number;
  /** Stops the server and keeps its data for `start()`. Does nothing if it is stopped. */
  stopKeeping(mode: StopMode): Promise<void>;
  start(): Promise<void>;
  restart(mode: StopMode): Promise<void>;
  /** Stops the server and removes its data. A second call does nothing. */
  stop(): Promise<void>;
};

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "300",
  shared_buffers: "64MB",
  fsync: "off",
  full_page_writes: "off",
};
const SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT" } as const;
const USER = "postgres";
const START_TIMEOUT_MS = 60_000;

/**
 * Starts a new PostgreSQL server on loopback with its data in a temporary folder, which is in memory if there is space. For speed, commits
 * are not flushed (fsync=off); `settings` override the defaults. When this process ends for any reason, server and folder are removed.
 */
export async function startPostgres(
  options: { readonly settings?: Readonly<Record<string, string>>; readonly port?: number } = {},
): Promise<PostgresServer> {
  const ids = unprivileged();
  const folder = makeFolder();
  const cleanup = startCleanupProcess(folder);
  const [data, log] = [join(folder, "data"), join(folder, "log")];
  const password = randomBytes(16).toString("hex");
  let server: ChildProcess | undefined;

  function launch(program: string, args: readonly string[]): ChildProcess {
    const child = startProgram(program, args, ids, log);
    cleanup.setProcessGroup(child.pid ?? null);
    child.once("exit", () => cleanup.setProcessGroup(null));
    return child;
  }

  async function start(programs: string, port: number): Promise<void> {
    if (server !== undefined && !hasEnded(server)) return;
    const settings = Object.entries({ ...SETTINGS, ...options.settings, port: `${port}` });
    const child = launch(join(programs, "postgres"), ["-D", data, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])]);
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!isReady(data, child.pid)) {
      if (hasEnded(child) || Date.now() > deadline) throw new Error(`PostgreSQL didn't start:\n${readFileSync(log, "utf8")}`);
      await sleep(10);
    }
    child.unref();
    server = child;
  }

  async function stopKeeping(mode: StopMode): Promise<void> {
    if (server === undefined || hasEnded(server)) return;
    server.ref();
    server.kill(SIGNALS[mode]);
    await once(server, "exit");
  }

  try {
    const programs = findPrograms(ids, folder);
    const port = options.port ?? (await freePort());
    await initialise(folder, password, ids, (flags) => launch(join(programs, "initdb"), flags));
    await start(programs, port);
    return {
      url: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`,
      port,
      get pid() {
        return server?.pid ?? 0;
      },
      stopKeeping,
      start: () => start(programs, port),
      restart: async (mode) => {
        await stopKeeping(mode);
        await start(programs, port);
      },
      stop: () => cleanup.cleanUp(),
    };
  } catch (error) {
    await cleanup.cleanUp();
    throw error;
  }
}

/** Creates the data folder, with a superuser who has this password. `initdb` runs that program. */
async function initialise(
  folder: string,
  password: string,
  { uid, gid }: ReturnType<typeof unprivileged>,
  initdb: (flags: readonly string[]) => ChildProcess,
): Promise<void> {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [folder, passwordFile]) if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  const flags = ["--no-sync", "--no-instructions", "--locale=C", "--encoding=UTF8", "--auth=scram-sha-256"];
  const child = initdb([...flags, `--pgdata=${join(folder, "data")}`, `--username=${USER}`, `--pwfile=${passwordFile}`]);
  const [code] = (await once(child, "exit")) as [number | null];
  rmSync(passwordFile);
  if (code !== 0) throw new Error(`initdb failed:\n${readFileSync(join(folder, "log"), "utf8")}`);
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Returns a free port below those of outgoing connections, which could otherwise take the port while the server restarts. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const probe = createServer().listen(port, "127.0.0.1");
    const listening = once(probe, "listening").then(() => true);
    const isFree = await listening.catch(() => false);
    if (isFree) await new Promise<void>((resolve) => probe.close(() => resolve()));
    if (isFree) return port;
  }
}
