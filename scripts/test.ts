import { runChecks } from "./checks.ts";
import { runTests } from "./vitest.ts";

/** `npm test`: every check and every test; the last line prints the sum. Arguments go to the test runner and leave the checks out. */
export async function run(args: readonly string[]): Promise<void> {
  const checks = args.length === 0 ? await runChecks() : { passed: 0, failed: 0, skipped: 0 };
  const tests = runTests(args);
  const total = { passed: checks.passed + tests.passed, failed: checks.failed + tests.failed, skipped: checks.skipped + tests.skipped };
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
}
