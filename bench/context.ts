import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The repository's root, from which every child is started. */
export const ROOT = join(import.meta.dirname, "..");
/** The runner of every npm script. */
export const RUNNER = join(ROOT, "scripts", "run.mjs");

const PATIENCE_MS = 12_000;

/** One run's temporary folder and the children it started; `end` ends and removes them all, the last one first. */
export type Scene = {
  readonly folder: string;
  /** Ends this child with the scene, by its own id. */
  keep<C extends ChildProcess>(child: C): C;
  end(): Promise<void>;
};

export function createScene(): Scene {
  const folder = mkdtempSync(join(tmpdir(), "tessera-bench-"));
  const children: ChildProcess[] = [];
  return {
    folder,
    keep(child) {
      children.push(child);
      return child;
    },
    async end() {
      for (const child of children.splice(0).toReversed()) await endChild(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Asks a child to end, and insists when it does not. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("exit", () => resolve());
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await promise;
  clearTimeout(timer);
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
