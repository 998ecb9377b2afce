import { readArguments, USAGE, UsageError } from "./arguments.ts";
import type { Options } from "./arguments.ts";
import { REQUIREMENTS } from "./requirements.ts";
import { openProbe } from "./probe.ts";
import { openReceiver } from "./receiver.ts";
import { runChecks } from "./runner.ts";
import type { Outcome, Result } from "./runner.ts";

/** Runs the suite and returns the exit code: 0 all passed, 1 a check failed, 2 nothing could run. */
async function main(argv: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = readArguments(argv);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    return 2;
  }
  const { webhookPort, webhookSecret } = options;
  const receiver = webhookPort && webhookSecret ? await openReceiver(webhookPort, webhookSecret) : null;
  try {
    const probe = await openProbe(options, receiver);
    const results = await runChecks(REQUIREMENTS, probe).finally(() => probe.close());
    report(results, options.json === true);
    return results.some((result) => result.outcome === "failed") ? 1 : 0;
  } catch (error) {
    console.error(`The server can't be checked: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  } finally {
    await receiver?.close();
  }
}

function report(results: readonly Result[], json: boolean): void {
  const count = (outcome: Outcome): number => results.filter((result) => result.outcome === outcome).length;
  const unchecked = REQUIREMENTS.filter((requirement) => requirement.unchecked !== undefined);
  const summary = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
  if (json) {
    const notCheckable = unchecked.map(({ id, unchecked: why }) => ({ claim: id, why }));
    console.log(JSON.stringify({ ...summary, claims: REQUIREMENTS.length, results, notCheckable }));
    return;
  }
  for (const { outcome, claims, check, message } of results) {
    if (outcome !== "passed") console.log(`${outcome === "failed" ? "FAIL" : "skip"} ${claims.join(" ")} ${check}: ${message}`);
  }
  console.log(`${REQUIREMENTS.length} requirements; ${unchecked.length} can't be checked over HTTP (see docs/reference/conformance.md)`);
  console.log(`${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped`);
}

/** `npm run conformance`. */
export async function run(args: readonly string[]): Promise<void> {
  process.exitCode = await main(args);
}
