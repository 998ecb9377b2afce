import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { readStartCommand } from "../../../scripts/start-command.ts";

const ROOT = join(import.meta.dirname, "../../..");
const START = readStartCommand(ROOT);

export type Environment = Readonly<Record<string, string>>;

/** How a process ended, and its complete output. */
export type Finished = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type EntryProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts an entry point with the flags and the environment of `npm start`, and no other environment variables of this process. `launcher`
 * is a program with arguments that becomes the entry point, such as prlimit.
 */
export function startEntry(
  entry: string,
  args: readonly string[],
  environment: Environment,
  { isWithIpc = false, launcher = [] }: { readonly isWithIpc?: boolean; readonly launcher?: readonly string[] } = {},
): EntryProcess {
  const [program = process.execPath, ...words] = [
    ...launcher,
    process.execPath,
    ...START.flags,
    join(ROOT, "scripts/run.mjs"),
    entry,
    ...args,
  ];
  const child = spawn(program, words, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: process.env.HOME ?? "",
      TZ: "UTC",
      ...START.environment,
      EMBEDDINGS: "off",
      ...environment,
    },
    stdio: isWithIpc ? ["pipe", "pipe", "pipe", "ipc"] : "pipe",
    // All three are pipes in both cases, but the types of `spawn` can't express that.
  }) as EntryProcess;
  child.stdout.setEncoding("utf8");
  child.stderr.setEncoding("utf8");
  return child;
}
