import { COMMON_OPTIONS, type CommandGroup } from "../command.ts";
import { COMMAND_GROUPS } from "../commands/all.ts";
import { formatOption, formatSynopsis } from "./synopsis.ts";

/** Returns the generated part of docs/reference/command-line.md: every command by topic, with its options. */
export const renderReference = (): string =>
  [
    ...COMMAND_GROUPS.map(renderGroup),
    ["## Options of every command", "", ...renderTable(["option", "meaning"], commonRows())].join("\n"),
  ].join("\n\n");

function renderGroup({ title, commands }: CommandGroup): string {
  const options = commands.flatMap(({ name, options: own = {} }) =>
    Object.entries(own).map(([option, each]) => [
      code(formatOption(option, each)),
      code(name),
      `${escape(each.meaning)}${each.isRequired === true ? " Required." : ""}`,
    ]),
  );
  return [
    `## ${title}`,
    "",
    ...renderTable(
      ["command", "what it does"],
      commands.map((command) => [code(formatSynopsis(command)), escape([command.summary, command.details ?? ""].join(" ").trim())]),
    ),
    ...(options.length === 0 ? [] : ["", ...renderTable(["option", "of", "meaning"], options)]),
  ].join("\n");
}

const commonRows = (): string[][] =>
  Object.entries(COMMON_OPTIONS).map(([name, option]) => [code(formatOption(name, option)), option.meaning]);

const renderTable = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  renderRow(head),
  `|${head.map(() => "---|").join("")}`,
  ...rows.map(renderRow),
];

const renderRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const code = (text: string): string => `\`${escape(text)}\``;
const escape = (text: string): string => text.replaceAll("|", "\\|");
