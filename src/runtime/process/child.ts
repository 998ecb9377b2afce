import { type ChildProcess, execFile, type ExecFileOptions, fork, type ForkOptions } from "node:child_process";

/**
 * Starts the module in a child process with a message channel. The caller listens to the events it needs. Later errors, such as a signal
 * that could not be sent, are ignored; without a listener they would end this process.
 */
export function forkModule(module: URL, options: ForkOptions): ChildProcess {
  return ignoreErrors(fork(module, options));
}

/** The output of a program, as text. */
export type ProgramOutput = { readonly stdout: string; readonly stderr: string };

/** A program could not be started, was killed, or exited with another code than 0. `cause` is the error of the system. */
export class ProgramError extends Error {
  readonly stderr: string;

  constructor(cause: Error, stderr: string) {
    super(cause.message, { cause });
    this.name = "ProgramError";
    this.stderr = stderr;
  }
}

/** Runs a program without a shell, with the limits in `options`. Throws `ProgramError`. */
export function runProgram(program: string, args: readonly string[], options: ExecFileOptions): Promise<ProgramOutput> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { ...options, encoding: "utf8" }, (error, stdout, stderr) => {
      if (error === null) resolve({ stdout, stderr });
      else reject(new ProgramError(error, stderr));
    });
    ignoreErrors(child);
  });
}

function ignoreErrors(child: ChildProcess): ChildProcess {
  for (const emitter of [child, child.stdin, child.stdout, child.stderr]) emitter?.on("error", () => {});
  return child;
}
