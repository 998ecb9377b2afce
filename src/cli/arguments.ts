import { parseArgs } from "node:util";
import { getErrorCode, getErrorMessage } from "#domain/core/errors/error.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import { COMMON_OPTIONS, type Command, type Options, UsageError } from "./command.ts";
import { formatSynopsis } from "./help/synopsis.ts";
import { suggest } from "./suggest.ts";

/** The command that the words name, if any, and the words. Options may be anywhere between the words. */
export type Words = { readonly words: readonly string[]; readonly command: Command | undefined };

const toTypes = (options: Options) =>
  Object.fromEntries(
    Object.entries({ ...COMMON_OPTIONS, ...options }).map(([name, { value, isRepeatable }]) => [
      name,
      {
        type: value === undefined ? ("boolean" as const) : ("string" as const),
        ...(isRepeatable === true ? { multiple: true } : {}),
        ...(name === "help" ? { short: "h" } : {}),
      },
    ]),
  );

/** Finds the command in the arguments. Of several, the longest name counts. */
export function findCommand(args: readonly string[], commands: readonly Command[]): Words {
  const options = toTypes(Object.assign({}, ...commands.map((command) => command.options ?? {})) as Options);
  const words = parseArgs({ args: [...args], allowPositionals: true, strict: false, options }).positionals;
  const matching = commands.filter(({ name }) => name.split(" ").every((word, i) => words[i] === word));
  const [command] = matching.toSorted((a, b) => b.name.length - a.name.length);
  return { words, command };
}

/** Parses the options and parameters of a command. Throws a usage error for unknown options and for surplus parameters. */
export function readArguments(args: readonly string[], command: Command) {
  const { name, options = {}, parameters = [] } = command;
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], allowPositionals: true, options: toTypes(options) });
  } catch (error) {
    throw new UsageError(`${describe(error, name, options)} ${suggestHelp(name)}`);
  }
  const positionals = parsed.positionals.slice(name.split(" ").length);
  const surplus = positionals[parameters.length];
  if (surplus !== undefined)
    throw new UsageError(
      `"${surplus}" is one argument too many: the usage is ${formatCommand(formatSynopsis(command))}. Put an argument with spaces in quotes.`,
    );
  const required = parameters.filter(({ isOptional }) => isOptional !== true);
  return { values: parsed.values, positionals, isComplete: positionals.length >= required.length };
}

export const suggestHelp = (name: string): string => `See "${formatCommand(`${name}${name === "" ? "" : " "}--help`)}".`;

function describe(error: unknown, name: string, options: Options): string {
  const [, given = "", option = ""] = /'((?:-\w, )?-{1,2}([^' ]*))/.exec(getErrorMessage(error)) ?? [];
  switch (getErrorCode(error)) {
    case "ERR_PARSE_ARGS_UNKNOWN_OPTION": {
      const similar = suggest(option, [...Object.keys(options), ...Object.keys(COMMON_OPTIONS)]);
      return `"${name}" has no option ${given}.${similar === null ? "" : ` Did you mean --${similar}?`}`;
    }
    case "ERR_PARSE_ARGS_INVALID_OPTION_VALUE":
      return options[option]?.value === undefined && option !== "business"
        ? `--${option} takes no value.`
        : `--${option} needs a value, as in --${option} ${options[option]?.value ?? "ID"}. Write --${option}=-1 for a value that begins with a dash.`;
    default:
      return getErrorMessage(error);
  }
}

/** Refuses what would be taken for a file and is nearly the name of another command, such as "backup set" for "backups set". */
export function refuseMistakenFile({ words: [noun = "", verb = ""], command }: Words, commands: readonly Command[]): void {
  if (command?.name !== noun || command.parameters?.[0]?.isFile !== true) return;
  const meant = commands.find(({ name }) => name.endsWith(` ${verb}`) && suggest(noun, [name.slice(0, -verb.length - 1)]) !== null);
  if (meant === undefined) return;
  throw new UsageError(
    `There is no command "${noun} ${verb}". Did you mean "${meant.name}"? Write ./${verb} for a file of that name. ${suggestHelp(meant.name)}`,
  );
}

/** Returns the sentence for options without a command. */
export function describeOptionAlone(option: string): string {
  const [, name = ""] = /^-*([^=]*)/.exec(option) ?? [];
  const known = [...Object.keys(COMMON_OPTIONS), "version"];
  const similar = suggest(name, known);
  if (known.includes(name)) return `--${name} needs a command. ${suggestHelp("")}`;
  return `There is no option ${option} without a command.${similar === null ? "" : ` Did you mean --${similar}?`} ${suggestHelp("")}`;
}

/** Returns the sentence for words that name no command, with the most similar one. */
export function describeUnknown(words: readonly string[], commands: readonly Command[]): string {
  const [noun = ""] = words;
  const ofNoun = commands.filter(({ name }) => name.startsWith(`${noun} `));
  if (ofNoun.length > 0 && words.length === 1)
    return `"${noun}" needs an action: ${ofNoun.map(({ name }) => `"${name}"`).join(", ")}. ${suggestHelp(noun)}`;
  const similar = findSimilar(words, commands);
  if (similar === noun && ofNoun.length > 0)
    return `There is no command "${words.slice(0, 2).join(" ")}". "${noun}" has ${ofNoun.map(({ name }) => `"${name}"`).join(", ")}. ${suggestHelp(noun)}`;
  const given = words.slice(0, ofNoun.length > 0 || similar?.includes(" ") === true ? 2 : 1).join(" ");
  return `There is no command "${given}".${similar === null ? "" : ` Did you mean "${similar}"?`} ${suggestHelp("")}`;
}

/** Returns the sentence for words that `help` can't explain: of no command, or more than its name. */
export function describeUnhelpful(words: readonly string[], commands: readonly Command[]): string {
  const { command } = findCommand(words, commands);
  const surplus = command === undefined ? undefined : words[command.name.split(" ").length];
  if (command === undefined || surplus === undefined) return describeUnknown(words, commands);
  return `"${surplus}" is one word too many: "${formatCommand(`help ${command.name}`)}" explains the command.`;
}

/** Compares as many words as the name of each command has, so that parameters do not count. */
function findSimilar(words: readonly string[], commands: readonly Command[]): string | null {
  const nouns = [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""))];
  const [first = "", second] = words;
  const noun = nouns.includes(first) ? first : suggest(first, nouns);
  const names = commands.map(({ name }) => name);
  if (noun === null) return suggest(words.slice(0, 2).join(" "), names);
  const verbs = names.filter((name) => name.startsWith(`${noun} `)).map((name) => name.slice(noun.length + 1));
  const verb = second === undefined ? null : verbs.includes(second) ? second : suggest(second, verbs);
  return verb === null ? noun : `${noun} ${verb}`;
}
