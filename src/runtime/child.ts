import { type ChildProcess, execFile, type ExecFileOptions, fork, type ForkOptions } from "node:child_process";
import { runDetached } from "./work-context.ts";

/**
 * Starts the module in a process of its own with a channel for messages. The caller listens to what it needs; an error that comes
 * later, such as of a signal that could not be sent, is ignored instead of ending this process.
 */
export function forkModule(module: URL, options: ForkOptions): ChildProcess {
  return handled(runDetached(() => fork(module, options)));
}

/** What a program printed, as text. */
export type ProgramOutput = { readonly stdout: string; readonly stderr: string };

/** A program that could not be run, was ended, or exited with another code than 0; `cause` is the system's error. */
export class ProgramError extends Error {
  readonly stderr: string;

  constructor(cause: Error, stderr: string) {
    super(cause.message, { cause });
    this.name = "ProgramError";
    this.stderr = stderr;
  }
}

/** Runs a program without a shell, within the bounds of `options`. Throws `ProgramError`. */
export function runProgram(program: string, args: readonly string[], options: ExecFileOptions): Promise<ProgramOutput> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { ...options, encoding: "utf8" }, (error, stdout, stderr) => {
      if (error === null) resolve({ stdout, stderr });
      else reject(new ProgramError(error, stderr));
    });
    handled(child);
  });
}

function handled(child: ChildProcess): ChildProcess {
  for (const emitter of [child, child.stdin, child.stdout, child.stderr]) emitter?.on("error", () => {});
  return child;
}
