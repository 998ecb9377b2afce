import type { Check, Claim } from "./claim.ts";
import { Skip } from "./expect.ts";
import type { Probe } from "./probe.ts";

export type Outcome = "passed" | "failed" | "skipped";

export type Result = {
  /** The check's name. */
  readonly check: string;
  /** The claims it holds the server to. */
  readonly claims: readonly string[];
  readonly outcome: Outcome;
  /** Why it failed or was skipped. */
  readonly message?: string;
  readonly milliseconds: number;
};

/** Runs each check once, in the order of the claims, even where several claims share it. */
export async function runChecks(claims: readonly Claim[], probe: Probe): Promise<readonly Result[]> {
  const byCheck = new Map<Check, string[]>();
  for (const { id, check } of claims) {
    if (check) byCheck.set(check, [...(byCheck.get(check) ?? []), id]);
  }
  const results: Result[] = [];
  for (const [check, ids] of byCheck) {
    const started = performance.now();
    const end = await outcomeOf(check, probe);
    results.push({ check: check.name, claims: ids, ...end, milliseconds: Math.round(performance.now() - started) });
  }
  return results;
}

async function outcomeOf(check: Check, probe: Probe): Promise<{ readonly outcome: Outcome; readonly message?: string }> {
  try {
    await check(probe);
    return { outcome: "passed" };
  } catch (error) {
    if (error instanceof Skip) return { outcome: "skipped", message: error.message };
    return { outcome: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
