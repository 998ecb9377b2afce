import { run as runCommand } from "#cli/main.ts";

/** A command to run. `end` is written to both outputs when it has ended. */
export type CommandRequest = {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly end: string;
};
export type CommandReport = { readonly code: number };

const ownEnvironment = { ...process.env };

/** Runs commands one after another in this process, which ends with the process that started it. */
export async function run(): Promise<void> {
  let previous = Promise.resolve();
  process.on("message", (order: CommandRequest) => {
    previous = previous.then(() => execute(order));
  });
  process.once("disconnect", () => process.exit());
}

async function execute({ args, environment, end }: CommandRequest): Promise<void> {
  for (const name of Object.keys(process.env)) if (!(name in ownEnvironment)) delete process.env[name];
  Object.assign(process.env, ownEnvironment, environment);
  process.exitCode = 0;
  await runCommand(args);
  // Each command installs its own handlers.
  process.removeAllListeners("uncaughtException");
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners("error");
    stream.write(end);
  }
  process.send?.({ code: process.exitCode } satisfies CommandReport);
  process.exitCode = 0;
}
