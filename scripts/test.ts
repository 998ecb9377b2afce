import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const bin = (name: string): string => join(root, "node_modules", ".bin", name);

/** What must hold besides the tests, each a command that fails loudly. */
const CHECKS: readonly (readonly [string, string, readonly string[]])[] = [
  ["types", "tsc", ["--noEmit"]],
  ["types of the page", "tsc", ["--noEmit", "-p", "web"]],
  ["lint", "oxlint", ["--deny-warnings"]],
  ["format", "oxfmt", ["--check", "."]],
  ["unused code", "knip", []],
];

type Tally = { passed: number; failed: number; skipped: number };

function runChecks(): Tally {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  for (const [name, command, args] of CHECKS) {
    const started = performance.now();
    const { status } = spawnSync(process.execPath, [bin(command), ...args], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
    process.stdout.write(`${status === 0 ? "ok" : "FAILED"}: ${name} (${((performance.now() - started) / 1_000).toFixed(1)} s)\n`);
    if (status === 0) tally.passed++;
    else tally.failed++;
  }
  return tally;
}

function runTests(args: readonly string[]): Tally {
  const folder = mkdtempSync(join(tmpdir(), "tessera-test-"));
  const file = join(folder, "result.json");
  try {
    const { status } = spawnSync(
      process.execPath,
      [bin("vitest"), "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`, ...args],
      {
        cwd: root,
        stdio: ["ignore", "inherit", "inherit"],
      },
    );
    const result = JSON.parse(readFileSync(file, "utf8")) as { numPassedTests: number; numFailedTests: number; numPendingTests: number };
    const failed = result.numFailedTests > 0 || status === 0 ? result.numFailedTests : 1;
    return { passed: result.numPassedTests, failed, skipped: result.numPendingTests };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `npm test`: every check and every test; the last line tells the sum. Arguments go to the test runner and leave the checks out. */
export async function run(args: readonly string[]): Promise<void> {
  const checks = args.length === 0 ? runChecks() : { passed: 0, failed: 0, skipped: 0 };
  const tests = runTests(args);
  const total = { passed: checks.passed + tests.passed, failed: checks.failed + tests.failed, skipped: checks.skipped + tests.skipped };
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
}
