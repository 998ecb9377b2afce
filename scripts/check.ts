import { runChecks } from "./checks.ts";
import { runTests } from "./vitest.ts";

/** `npm run check`: types, lint, format, unused code, and the unit tests, which start nothing. For the inner loop: under a minute. */
export async function run(): Promise<void> {
  const checks = await runChecks();
  const tests = runTests(["--project", "unit"]);
  process.exitCode = checks.failed === 0 && tests.failed === 0 && tests.passed > 0 ? 0 : 1;
}
