import { toPrintable, toPrintableLine } from "./style.ts";

/** Usage error: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export type Option = {
  /** What stands for the value in the help, such as ID. Without it, the option is a switch. */
  readonly value?: string;
  readonly meaning: string;
  /** The possible values, where they are a list. */
  readonly choices?: readonly string[];
  readonly isRequired?: true;
  /** The option may be given several times. */
  readonly isRepeatable?: true;
};

export type Parameter = {
  readonly name: string;
  readonly meaning: string;
  readonly choices?: readonly string[];
  readonly isFile?: true;
  /** Only the last parameters may be left out. */
  readonly isOptional?: true;
};

export type Options = Readonly<Record<string, Option>>;

/** What a command does without an installation: it fails, creates one, or needs none. */
export type InstallationNeed = "required" | "created" | "none";

export type Invocation = {
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly parameters: readonly string[];
  /** Whether to print a single JSON value on stdout. */
  readonly isJson: boolean;
  readonly installation: InstallationNeed;
};

/** The help, the completion scripts and docs/reference/command-line.md are generated from these. */
export type Command = {
  /** One or two words: a verb, or a noun and a verb. */
  readonly name: string;
  /** One sentence, for lists of commands. */
  readonly summary: string;
  /** Further sentences, for the help of the command. */
  readonly details?: string;
  readonly parameters?: readonly Parameter[];
  /** Without those that every command takes. */
  readonly options?: Options;
  /** What follows the name of the program, or a complete shell line with `{program}` for the name. */
  readonly examples: readonly [string, string, ...string[]];
  readonly installation: InstallationNeed;
  /** Returns the exit code; undefined means 0. */
  run(invocation: Invocation): Promise<number | void>;
};

/** Commands of one topic, in the order of the help. */
export type CommandGroup = { readonly title: string; readonly commands: readonly Command[] };

/** Options that every command takes. */
export const COMMON_OPTIONS: Options = {
  json: { meaning: "Prints one JSON value on standard output." },
  business: { value: "ID", meaning: "Works on this business; by default on the first one." },
  help: { meaning: "Prints this help." },
};

/** Prints `value` as one line of JSON with `--json`, otherwise `lines`. Control characters, which names may hold, are escaped. */
export function print(invocation: Pick<Invocation, "isJson">, value: unknown, lines: string | readonly string[]): void {
  const text = invocation.isJson
    ? toPrintable(JSON.stringify(value))
    : typeof lines === "string"
      ? toPrintable(lines)
      : lines.map(toPrintableLine).join("\n");
  process.stdout.write(`${text}\n`);
}
