import { getErrorMessage } from "#domain/core/error.ts";

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
export function toProblem(name: string, error: unknown): Check {
  const [, found, fix = ""] = /^(.+): ([a-z][^:]+)$/s.exec(getErrorMessage(error)) ?? [];
  return found === undefined ? problem(name, getErrorMessage(error)) : problem(name, found, fix.charAt(0).toUpperCase() + fix.slice(1));
}
