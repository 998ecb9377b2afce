import { AppError, getErrorMessage } from "#domain/core/errors/error.ts";
import { VERSION } from "#domain/core/version.ts";
import { exitCommandOnCrash, watchOutputErrors } from "#composition/crash.ts";
import { describeFailure } from "#runtime/process/failure.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import { describeOptionAlone, describeUnhelpful, describeUnknown, findCommand, readArguments, refuseMistakenFile } from "./arguments.ts";
import { UsageError } from "./command.ts";
import { COMMANDS } from "./commands/all.ts";
import { renderHelp } from "./help/help.ts";
import { formatSynopsis } from "./help/synopsis.ts";
import { createStyle, toPrintable, toPrintableLine } from "./style.ts";

/** The exit code when standard output is closed, as shells report SIGPIPE. */
const CLOSED_PIPE_CODE = 141;
const KEEP_ALIVE_MS = 3_600_000;

/** Runs one command. The exit code is 0, 1 on failure, 2 on a usage error, 70 after an unexpected error, or 141 when stdout is closed. */
export async function run(args: readonly string[]): Promise<void> {
  exitCommandOnCrash();
  let outputCode: number | undefined;
  watchOutputErrors((error) => {
    if (outputCode !== undefined) return;
    outputCode = error.code === "EPIPE" ? CLOSED_PIPE_CODE : 1;
    process.exitCode = outputCode;
    if (error.code !== "EPIPE") process.stderr.write(`The result could not be written to standard output: ${getErrorMessage(error)}\n`);
  });
  // Poll loops do not keep a process running, and a command may wait for one.
  const running = setInterval(() => {}, KEEP_ALIVE_MS);
  try {
    const code = await dispatch(args);
    process.exitCode = outputCode ?? code;
  } catch (error) {
    // A command that streams to a closed pipe fails with the error that was handled above.
    if (outputCode === undefined) process.stderr.write(`${format(error)}\n`);
    process.exitCode = outputCode ?? (error instanceof UsageError ? 2 : 1);
  } finally {
    clearInterval(running);
  }
}

/** The sentence of a usage error is one line, whatever the arguments hold. */
const format = (error: unknown): string =>
  error instanceof UsageError ? toPrintableLine(error.message) : `${toPrintable(describeFailure(error))}${adviseList(error)}`;

const LISTS: Readonly<Record<string, string>> = {
  board_not_found: "board list",
  key_not_found: "key list",
  inbound_address_not_found: "inbound-address list",
  member_not_found: "member list",
};

/** Names the command that lists what an argument should have named. */
function adviseList(error: unknown): string {
  const list = error instanceof AppError ? LISTS[error.code] : undefined;
  return list === undefined ? "" : ` "${formatCommand(list)}" shows what there is.`;
}

async function dispatch(args: readonly string[]): Promise<number> {
  const { words, command } = findCommand(args, COMMANDS);
  const isHelp = args.includes("--help") || args.includes("-h");
  if (words.length === 0 && args.includes("--version")) return printLine(args.includes("--json") ? { version: VERSION } : VERSION);
  if (args.length === 0 || words[0] === "help" || (isHelp && command === undefined))
    return printHelp(words[0] === "help" ? words.slice(1) : words);
  if (words.length === 0) throw new UsageError(describeOptionAlone(args[0] ?? ""));
  if (command === undefined) throw new UsageError(describeUnknown(words, COMMANDS));
  if (isHelp) return printHelp(command.name.split(" "));
  refuseMistakenFile({ words, command }, COMMANDS);
  const { values, positionals, isComplete } = readArguments(args, command);
  if (!isComplete) throw new UsageError(`Usage: ${formatCommand(formatSynopsis(command))}`);
  const isJson = values.json === true;
  return (await command.run({ options: values, parameters: positionals, isJson, installation: command.installation })) ?? 0;
}

function printLine(value: unknown): number {
  process.stdout.write(`${typeof value === "string" ? value : JSON.stringify(value)}\n`);
  return 0;
}

/** Prints the help of the command or noun that the words begin with; without words, of the program. */
function printHelp(words: readonly string[]): number {
  const help = renderHelp(words, createStyle(process.stdout));
  if (help === null) throw new UsageError(describeUnhelpful(words, COMMANDS));
  process.stdout.write(help);
  return 0;
}
