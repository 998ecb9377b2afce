import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The root of the repository, the working directory of all child processes. */
export const ROOT = join(import.meta.dirname, "..");
/** The runner of every npm script. */
export const RUNNER = join(ROOT, "scripts", "run.mjs");

const STOP_TIMEOUT_MS = 12_000;

/** The temporary folder and child processes of one run. `close` stops the processes, the newest first, and removes the folder. */
export type BenchContext = {
  readonly folder: string;
  /** Stops this child process when the context is closed. */
  track<C extends ChildProcess>(child: C): C;
  close(): Promise<void>;
};

export function createBenchContext(): BenchContext {
  const folder = mkdtempSync(join(tmpdir(), "tessera-bench-"));
  const children: ChildProcess[] = [];
  return {
    folder,
    track(child) {
      children.push(child);
      return child;
    },
    async close() {
      for (const child of children.splice(0).toReversed()) await stopChild(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends SIGTERM, and SIGKILL after a timeout. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("exit", () => resolve());
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await promise;
  clearTimeout(timer);
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
