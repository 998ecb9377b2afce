import { spawn } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

export type Tally = { passed: number; failed: number; skipped: number };

/** What must hold besides the tests: a name, a program of node_modules and its arguments. */
const CHECKS: readonly (readonly [name: string, command: string, args: readonly string[]])[] = [
  ["types", "tsc", ["--noEmit"]],
  ["types of the page", "tsc", ["--noEmit", "-p", "web"]],
  ["lint", "oxlint", ["--deny-warnings"]],
  ["format", "oxfmt", ["--check", "."]],
  ["unused code", "knip", []],
];

/** Path of a program that a dependency installs. */
export const programPath = (name: string): string => join(root, "node_modules", ".bin", name);

/** Runs every check side by side and prints each as it ends: one line, and what a failed one wrote. */
export async function runChecks(): Promise<Tally> {
  const results = await Promise.all(CHECKS.map(runCheck));
  const passed = results.filter(Boolean).length;
  return { passed, failed: results.length - passed, skipped: 0 };
}

async function runCheck([name, command, args]: (typeof CHECKS)[number]): Promise<boolean> {
  const started = performance.now();
  const child = spawn(process.execPath, [programPath(command), ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
  const isOk = await new Promise<boolean>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code === 0));
  });
  printResult(name, isOk, started, Buffer.concat(output).toString());
  return isOk;
}

function printResult(name: string, isOk: boolean, started: number, output: string): void {
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  process.stdout.write(`${isOk ? "" : `${output}\n`}${isOk ? "ok" : "FAILED"}: ${name} (${seconds} s)\n`);
}
