import { parseArgs } from "node:util";
import { getErrorMessage } from "#domain/core/error.ts";
import { exitCommandOnCrash, surviveBrokenOutput } from "#composition/crash.ts";
import { COMMANDS } from "./commands/all.ts";
import { UsageError, usageOf } from "./command.ts";

/** The exit code when standard output is closed, as shells report SIGPIPE. */
const CLOSED_PIPE_CODE = 141;

/** Options that every command takes. */
const COMMON = { json: "flag", help: "flag", business: "text" } as const;

const typeOf = (kind: "text" | "flag") => ({ type: kind === "text" ? ("string" as const) : ("boolean" as const) });

/** Runs one command. The exit code is 0, 1 on failure, 2 on a usage error, 70 after an unexpected error, or 141 when stdout is closed. */
export async function run(args: readonly string[]): Promise<void> {
  exitCommandOnCrash();
  let outputCode: number | undefined;
  surviveBrokenOutput((error) => {
    if (outputCode !== undefined) return;
    outputCode = error.code === "EPIPE" ? CLOSED_PIPE_CODE : 1;
    process.exitCode = outputCode;
    if (error.code !== "EPIPE") process.stderr.write(`The result could not be written to standard output: ${getErrorMessage(error)}\n`);
  });
  try {
    const code = await dispatch(args);
    process.exitCode = outputCode ?? code;
  } catch (error) {
    process.stderr.write(`${getErrorMessage(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

async function dispatch(args: readonly string[]): Promise<number> {
  const words = positionalsOf(args);
  const command = COMMANDS.find(({ name }) => name.split(" ").every((word, i) => words[i] === word));
  if (command === undefined) {
    const isHelp = args.length === 0 || args.includes("--help") || words[0] === "help";
    (isHelp ? process.stdout : process.stderr).write(
      `${isHelp ? "" : `There is no command "${words.join(" ")}".\n\n`}${usageOf(COMMANDS)}`,
    );
    return isHelp ? 0 : 2;
  }
  const { values, positionals } = readArguments(args, command.options ?? {});
  const rest = positionals.slice(command.name.split(" ").length);
  const wanted = command.parameters ?? [];
  if (values.help === true) {
    process.stdout.write(usageOf([command]));
    return 0;
  }
  if (rest.length !== wanted.length) throw new UsageError(`Usage: ${usageOf([command]).trim()}`);
  return (await command.run({ options: values, parameters: rest, isJson: values.json === true })) ?? 0;
}

/** Returns the positional arguments, wherever options are. */
function positionalsOf(args: readonly string[]): string[] {
  const options = Object.fromEntries(
    COMMANDS.flatMap((command) => Object.entries({ ...COMMON, ...command.options })).map(([name, kind]) => [name, typeOf(kind)]),
  );
  return parseArgs({ args: [...args], allowPositionals: true, strict: false, options }).positionals;
}

function readArguments(args: readonly string[], options: Readonly<Record<string, "text" | "flag">>) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(Object.entries({ ...COMMON, ...options }).map(([name, kind]) => [name, typeOf(kind)])),
    });
  } catch (error) {
    throw new UsageError(getErrorMessage(error));
  }
}
