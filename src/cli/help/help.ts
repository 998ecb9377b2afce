import { formatCommand, getProgramName } from "#runtime/process/program-name.ts";
import { COMMON_OPTIONS, type Command, type CommandGroup } from "../command.ts";
import { COMMANDS, COMMAND_GROUPS } from "../commands/all.ts";
import type { Style } from "../style.ts";
import { formatOption, formatSynopsis } from "./synopsis.ts";

/** Stands for the name of the program in examples. */
const PROGRAM = "{program}";

/** Returns the help of the command that the words name, of all commands of a noun, or of the program without words. Null for others. */
export function renderHelp(words: readonly string[], style: Style): string | null {
  if (words.length === 0) return describeProgram(style);
  const [noun = ""] = words;
  const command = COMMANDS.find(({ name }) => name === (hasVerbs(noun) ? words.slice(0, 2).join(" ") : noun));
  if (command !== undefined && !(words.length === 1 && hasVerbs(noun)))
    return words.length > command.name.split(" ").length ? null : describeCommand(command, style);
  if (words.length > 1) return null;
  const group = COMMANDS.filter(({ name }) => name.split(" ")[0] === words[0]);
  return group.length === 0 ? null : group.map((each) => describeCommand(each, style)).join("\n");
}

const hasVerbs = (noun: string): boolean => COMMANDS.some(({ name }) => name.startsWith(`${noun} `));

function describeProgram(style: Style): string {
  const program = getProgramName();
  // A name of several words would fill half of each line.
  const prefix = program.includes(" ") ? "" : `${program} `;
  const width = Math.max(...COMMANDS.map((command) => (prefix + command.name).length));
  return [
    `${style.bold("Usage:")} ${program} COMMAND [parameters] [options]`,
    "",
    "Works on the installation in DATA_DIR or DATABASE_URL, also while its server runs.",
    ...COMMAND_GROUPS.flatMap((group) => ["", ...describeGroup(group, prefix, width, style)]),
    "",
    style.bold("Options of every command"),
    ...table(Object.entries(COMMON_OPTIONS).map(([name, option]) => [formatOption(name, option), option.meaning])),
    "",
    `"${formatCommand("help COMMAND")}" shows its parameters, options and examples.`,
    `"${formatCommand("--version")}" prints the version.`,
    "",
  ].join("\n");
}

const describeGroup = ({ title, commands }: CommandGroup, prefix: string, width: number, style: Style): string[] => [
  style.bold(title),
  ...commands.map(({ name, summary }) => `  ${(prefix + name).padEnd(width)}  ${style.dim(summary)}`),
];

function describeCommand(command: Command, style: Style): string {
  const { summary, details, parameters = [], options = {}, examples } = command;
  const listed = Object.entries({ ...options, ...COMMON_OPTIONS });
  return [
    summary,
    ...(details === undefined ? [] : [details]),
    "",
    `${style.bold("Usage:")} ${formatCommand(formatSynopsis(command))}`,
    ...(parameters.length === 0 ? [] : ["", style.bold("Parameters"), ...table(parameters.map(({ name, meaning }) => [name, meaning]))]),
    "",
    style.bold("Options"),
    ...table(
      listed.map(([name, option]) => [formatOption(name, option), `${option.meaning}${"isRequired" in option ? " Required." : ""}`]),
    ),
    "",
    style.bold("Examples"),
    ...examples.map((example) => `  ${formatExample(example)}`),
    "",
  ].join("\n");
}

/** Returns an example as a line for a shell. */
export const formatExample = (example: string): string =>
  example.includes(PROGRAM) ? example.replaceAll(PROGRAM, getProgramName()) : formatCommand(example);

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
