import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Tally, programPath } from "./checks.ts";

/** Runs the test runner with these arguments; a run that fails without a failed test counts as one. */
export function runTests(args: readonly string[]): Tally {
  const folder = mkdtempSync(join(tmpdir(), "tessera-test-"));
  const file = join(folder, "result.json");
  try {
    const { status } = spawnSync(
      process.execPath,
      [programPath("vitest"), "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`, ...args],
      { cwd: join(import.meta.dirname, ".."), stdio: ["ignore", "inherit", "inherit"] },
    );
    const result = JSON.parse(readFileSync(file, "utf8")) as { numPassedTests: number; numFailedTests: number; numPendingTests: number };
    const failed = result.numFailedTests > 0 || status === 0 ? result.numFailedTests : 1;
    return { passed: result.numPassedTests, failed, skipped: result.numPendingTests };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
