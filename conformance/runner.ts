import type { Check, Requirement } from "./requirement.ts";
import { Skip } from "./expect.ts";
import type { Probe } from "./probe.ts";

export type Outcome = "passed" | "failed" | "skipped";

export type Result = {
  /** The name of the check. */
  readonly check: string;
  /** The ids of its requirements. */
  readonly claims: readonly string[];
  readonly outcome: Outcome;
  /** Why it failed or was skipped. */
  readonly message?: string;
  readonly milliseconds: number;
};

/** Lists each check once, with the ids of the requirements that share it, in the order of the requirements. */
export function listChecks(requirements: readonly Requirement[]): readonly { readonly check: Check; readonly claims: readonly string[] }[] {
  const idsByCheck = new Map<Check, string[]>();
  for (const { id, check } of requirements) {
    if (check) idsByCheck.set(check, [...(idsByCheck.get(check) ?? []), id]);
  }
  return [...idsByCheck].map(([check, claims]) => ({ check, claims }));
}

/** Runs every check. */
export async function runChecks(requirements: readonly Requirement[], probe: Probe): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const { check, claims } of listChecks(requirements)) {
    const started = performance.now();
    const result = await runCheck(check, probe);
    results.push({ check: check.name, claims, ...result, milliseconds: Math.round(performance.now() - started) });
  }
  return results;
}

async function runCheck(check: Check, probe: Probe): Promise<{ readonly outcome: Outcome; readonly message?: string }> {
  try {
    await check(probe);
    return { outcome: "passed" };
  } catch (error) {
    if (error instanceof Skip) return { outcome: "skipped", message: error.message };
    return { outcome: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
