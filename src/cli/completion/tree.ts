import { getProgramName } from "#runtime/process/program-name.ts";
import { COMMON_OPTIONS, type Command, type Option } from "../command.ts";

/** What may follow the words of a command. */
export type Completions = {
  /** The words before, such as "key create" or "key"; empty at the start. */
  readonly path: string;
  /** Verbs, or the commands at the start, each with its meaning. */
  readonly words: readonly (readonly [word: string, meaning: string])[];
  readonly options: readonly (readonly [name: string, option: Option])[];
  /** The parameters in order: their possible values, or files. */
  readonly parameters: readonly { readonly choices: readonly string[]; readonly isFile: boolean }[];
};

const firstWord = (name: string): string => name.split(" ")[0] ?? "";

/** Returns what may follow each beginning of a command. */
export function listCompletions(commands: readonly Command[]): readonly Completions[] {
  const nouns = [...new Set(commands.map(({ name }) => firstWord(name)))];
  const start: Completions = {
    path: "",
    words: [...nouns.map((noun) => describeNoun(noun, commands)), HELP],
    options: [VERSION_OPTION],
    parameters: [],
  };
  return [start, ...nouns.flatMap((noun) => listNounCompletions(noun, commands))];
}

const HELP = ["help", "Shows the help of a command."] as const;
const VERSION_OPTION = ["version", { meaning: "Prints the version." }] as const;

function describeNoun(noun: string, commands: readonly Command[]): readonly [string, string] {
  const all = commands.filter(({ name }) => firstWord(name) === noun);
  return [noun, all.length === 1 ? (all[0]?.summary ?? "") : all.flatMap(({ name }) => name.slice(noun.length + 1) || []).join(", ")];
}

function listNounCompletions(noun: string, commands: readonly Command[]): Completions[] {
  const verbs = commands.filter(({ name }) => name.startsWith(`${noun} `));
  const own = commands.find(({ name }) => name === noun);
  const words = verbs.map(({ name, summary }) => [name.slice(noun.length + 1), summary] as const);
  return [{ ...describe(noun, own), words }, ...verbs.map((command) => describe(command.name, command))];
}

const describe = (path: string, command: Command | undefined): Completions => ({
  path,
  words: [],
  options: Object.entries({ ...command?.options, ...COMMON_OPTIONS }),
  parameters: (command?.parameters ?? []).map(({ choices = [], isFile = false }) => ({ choices, isFile })),
});

/** The names that the scripts complete: the installed commands, and a name of one word from TESSERA_COMMAND. */
export const completedPrograms = (): readonly string[] => [
  ...new Set(["tessera-server", "tessera", ...(/^[\w.-]+$/.test(getProgramName()) ? [getProgramName()] : [])]),
];

/** The options of all commands that take a value. The word after them is no command. */
export const listValueOptions = (completions: readonly Completions[]): readonly string[] => [
  ...new Set(completions.flatMap(({ options }) => options.filter(([, { value }]) => value !== undefined).map(([name]) => `--${name}`))),
];
