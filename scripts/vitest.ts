import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Tally, programPath } from "./checks.ts";

type Result = Tally & {
  /** Absolute paths of the files in which something failed. */
  readonly failedFiles: readonly string[];
};

/** More files than this do not fail because the machine is busy. */
const MAX_REPEATED_FILES = 5;

/**
 * Runs the test runner with these arguments; a run that fails without a failed test counts as one. Without arguments, what fails runs a
 * second time, alone, since other work on the machine may have kept a test from what it waited for. Both results are printed, and the
 * second counts.
 */
export function runTests(args: readonly string[]): Tally {
  const first = runOnce(args);
  const { passed, failed, skipped, failedFiles } = first;
  if (args.length > 0 || failedFiles.length === 0 || failedFiles.length > MAX_REPEATED_FILES) return { passed, failed, skipped };
  process.stdout.write(`\nRepeating alone, because tests failed in them: ${failedFiles.join(", ")}\n`);
  const second = runOnce([...failedFiles, "--maxWorkers=1"]);
  return { passed: passed + failed - second.failed, failed: second.failed, skipped };
}

function runOnce(args: readonly string[]): Result {
  const folder = mkdtempSync(join(tmpdir(), "tessera-test-"));
  const file = join(folder, "result.json");
  try {
    const { status } = spawnSync(
      process.execPath,
      [programPath("vitest"), "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`, ...args],
      { cwd: join(import.meta.dirname, ".."), stdio: ["ignore", "inherit", "inherit"] },
    );
    return readResult(readFileSync(file, "utf8"), status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly { readonly name: string; readonly status: string }[];
};

function readResult(json: string, status: number | null): Result {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(json) as Report;
  const failedFiles = new Set(testResults.flatMap((file) => (file.status === "failed" ? [file.name] : [])));
  const failed = numFailedTests > 0 || status === 0 ? numFailedTests : 1;
  return { passed: numPassedTests, failed, skipped: numPendingTests, failedFiles: [...failedFiles] };
}
