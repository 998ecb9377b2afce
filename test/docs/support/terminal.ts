import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { until } from "../../e2e/support/servers.ts";
import { ROOT } from "./pages.ts";

export type Environment = Readonly<Record<string, string>>;

/** A terminal that a reader keeps open for one command, such as a server. */
export type Terminal = {
  readonly output: () => string;
  /** Presses Ctrl+C, and waits for the end. */
  stop(): Promise<void>;
};

const READY = /\b(?:is ready on|listening on)\b/i;
const READY_MS = 60_000;
const STOP_MS = 15_000;

function launch(
  program: string,
  args: readonly string[],
  environment: Environment,
): { readonly child: ChildProcess; readonly output: () => string } {
  // A process group, so that Ctrl+C reaches all of its processes.
  const child = spawn(program, args, { cwd: ROOT, env: environment, stdio: ["pipe", "pipe", "pipe"], detached: true });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (part: string) => (text += part));
  return { child, output: () => text };
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
  const ended = once(child, "close");
  process.kill(-child.pid, signal);
  const kill = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(kill);
}

/** Runs a long-running command and waits until it prints that it is ready. */
export async function openTerminal(command: string, environment: Environment): Promise<Terminal> {
  const { child, output } = launch("bash", ["-c", command], environment);
  const stop = () => end(child, "SIGINT");
  try {
    await until("the ready line", () => READY.test(output()) || hasEnded(child), READY_MS);
    if (hasEnded(child)) throw new Error(`"${command}" ended:\n${output()}`);
  } catch (error) {
    await stop();
    throw new Error(output(), { cause: error });
  }
  return { output, stop };
}

export type Shell = {
  /** Runs lines as if they were pasted, and returns their output. Throws if a command fails. */
  run(lines: string): Promise<string>;
  close(): Promise<void>;
};

/** One bash for a whole guide, so that variables and functions persist. */
export function openShell(environment: Environment, limitMs = 120_000): Shell {
  const { child, output } = launch("bash", ["-eu", "-o", "pipefail"], environment);
  let count = 0;
  return {
    async run(lines) {
      const start = output().length;
      const mark = `end of block ${++count}`;
      child.stdin?.write(`${lines}\necho; echo "${mark}"\n`);
      const printed = () => output().slice(start);
      await until("the end of a block", () => printed().includes(mark) || hasEnded(child), limitMs);
      if (!printed().includes(mark)) throw new Error(`A command failed in\n${lines}\n${printed()}`);
      return printed().split(`\n${mark}`)[0]!;
    },
    close: () => end(child, "SIGKILL"),
  };
}
