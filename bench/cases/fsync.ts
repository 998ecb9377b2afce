import { closeSync, fsyncSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { computeQuantile } from "../output/numbers.ts";

const SAMPLES = 200;

/** Measures appending and flushing 4 KB in the folder of a service, in milliseconds. */
export function measureFsync(folder: string): { readonly median: number; readonly p99: number } {
  const path = join(folder, "fsync.bin");
  const file = openSync(path, "a");
  const block = Buffer.alloc(4_096, 1);
  const durations = Float64Array.from({ length: SAMPLES }, () => {
    writeSync(file, block);
    const started = performance.now();
    fsyncSync(file);
    return performance.now() - started;
  }).sort();
  closeSync(file);
  rmSync(path);
  return { median: computeQuantile(durations, 0.5), p99: computeQuantile(durations, 0.99) };
}

/** Flushes the files of a folder to disk, so that later writeback does not slow down a measurement. */
export function flushFiles(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = openSync(join(folder, entry.name), "r+");
    fsyncSync(file);
    closeSync(file);
  }
}
