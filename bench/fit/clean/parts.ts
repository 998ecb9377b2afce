import { execFile } from "node:child_process";
import { availableParallelism, freemem } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../context.ts";

const GIGABYTE = 2 ** 30;
/** Memory of a process that fits a model: the outlines of all pages, and the features of their blocks. */
const PART_GIGABYTES = 6;

/** Returns how many parts are fitted at a time: as many as processors and free memory allow, and at least one. */
export const countParallelParts = (processors: number, freeBytes: number): number =>
  Math.max(1, Math.min(processors, Math.floor(freeBytes / (PART_GIGABYTES * GIGABYTE))));

/** Runs this command for each part in a process of its own, several at a time. `describe` says what a part does, for the progress on stderr. */
export async function runParts(parts: readonly string[], args: readonly string[], describe: (part: string) => string): Promise<void> {
  const waiting = [...parts];
  const work = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const started = performance.now();
      await runPart([...args, "--part", part]);
      process.stderr.write(`${describe(part)}: ${((performance.now() - started) / 1_000).toFixed(0)} s.\n`);
    }
  };
  await Promise.all(Array.from({ length: countParallelParts(availableParallelism(), freemem()) }, work));
}

async function runPart(args: readonly string[]): Promise<void> {
  const script = [join(ROOT, "scripts/run.mjs"), join(ROOT, "bench/fit/clean/main.ts")];
  await promisify(execFile)(process.execPath, [`--max-old-space-size=${PART_GIGABYTES * 1_024}`, ...script, ...args]);
}
