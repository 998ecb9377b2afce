import { readConfig } from "#config";
import type { Actor } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import { getErrorMessage } from "#domain/core/error.ts";
import { type AppContext, openAppContext } from "#composition/app-context.ts";
import { parseDuration } from "#service/settings/keys.ts";

/** Usage error: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export type Invocation = {
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly parameters: readonly string[];
  /** Whether to print a single JSON value on stdout. */
  readonly isJson: boolean;
};

export type Command = {
  readonly name: string;
  readonly summary: string;
  readonly parameters?: readonly string[];
  readonly options?: Readonly<Record<string, "text" | "flag">>;
  /** Returns the exit code; undefined means 0. */
  run(invocation: Invocation): Promise<number | void>;
};

export const usageOf = (commands: readonly Command[]): string =>
  commands
    .map(({ name, parameters = [], options = {}, summary }) => {
      const flags = Object.entries(options).map(([option, kind]) => `[--${option}${kind === "text" ? " …" : ""}]`);
      return `tessera ${[name, ...parameters, ...flags].join(" ")}\n    ${summary}\n`;
    })
    .join("");

export type Opened = AppContext & { readonly business: Business; readonly actor: Actor };

/** Opens the database with the settings of the environment, for the given or the first business, and closes it after `work`. */
export async function withData<T>(invocation: Invocation, work: (opened: Opened) => Promise<T>): Promise<T> {
  const appContext = await openAppContext(readConfig(process.env));
  try {
    const businesses = await appContext.deps.store.boards.businesses();
    const wanted = invocation.options.business;
    const business = wanted === undefined ? businesses[0] : businesses.find(({ id }) => id === wanted);
    if (business === undefined) throw new Error(`There is no business ${String(wanted)}. "business list" shows them.`);
    return await work({ ...appContext, business, actor: { kind: "operator", businessId: business.id } });
  } finally {
    await appContext.close();
  }
}

/** Prints `value` as one line of JSON with `--json`, otherwise `lines`. */
export function print(invocation: Invocation, value: unknown, lines: string | readonly string[]): void {
  const text = invocation.isJson ? JSON.stringify(value) : typeof lines === "string" ? lines : lines.join("\n");
  process.stdout.write(`${text}\n`);
}

/** Returns the text of an option, or undefined without it. Refuses an empty text, since an unset variable must not widen a key's access. */
export function textOption(invocation: Invocation, name: string): string | undefined {
  const value = invocation.options[name];
  if (typeof value !== "string") return undefined;
  if (value.trim() === "") throw new UsageError(`--${name} is empty. Give it a value, or leave it out.`);
  return value.trim();
}

/** Returns an option as a whole number of at least 1, or undefined without it. */
export function countOption(invocation: Invocation, name: string): number | undefined {
  const text = textOption(invocation, name);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`--${name} must be a whole number of at least 1, such as 100000, but is "${text}".`);
  return Number(text);
}

/** Returns an option as a duration in milliseconds, or undefined without it. */
export function durationOption(invocation: Invocation, name: string): number | undefined {
  const text = textOption(invocation, name);
  try {
    return text === undefined ? undefined : parseDuration(text);
  } catch (error) {
    throw new UsageError(`--${name}: ${getErrorMessage(error)}`);
  }
}
