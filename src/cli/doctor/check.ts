import { getErrorCode, getErrorMessage } from "#domain/core/errors/error.ts";
import { describeFailure } from "#runtime/process/failure.ts";

/** What was found about one part of the installation. A warning does not change the exit code. */
export type Check = {
  readonly name: string;
  readonly state: "ok" | "warning" | "problem";
  readonly found: string;
  /** One sentence that names the setting or the command, if something should change. */
  readonly fix?: string;
};

export const ok = (name: string, found: string): Check => ({ name, state: "ok", found });
export const warning = (name: string, found: string, fix: string): Check => ({ name, state: "warning", found, fix });
export const problem = (name: string, found: string, fix?: string): Check => ({
  name,
  state: "problem",
  found,
  ...(fix === undefined ? {} : { fix }),
});

/** Returns the problem that an error describes as "what happened: what to do." */
export function toFailedCheck(name: string, error: unknown): Check {
  // The message of a system call names no fix.
  if (getErrorCode(error) !== "") return problem(name, describeFailure(error));
  const [, found, fix = ""] = /^(.+): ([a-z][^:]+)$/s.exec(getErrorMessage(error)) ?? [];
  return found === undefined ? problem(name, getErrorMessage(error)) : problem(name, found, fix.charAt(0).toUpperCase() + fix.slice(1));
}

/** Runs one check. An error of it is a problem, so that it does not hide the other checks. */
export async function attempt(name: string, check: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return toFailedCheck(name, error);
  }
}
