import { getErrorMessage } from "#domain/core/errors/error.ts";

/** The exit code after an unexpected error, EX_SOFTWARE of sysexits.h. */
export const CRASH_EXIT_CODE = 70;
/** Timeout for returning jobs to the queue before the process ends, in milliseconds. */
const RETURN_TIMEOUT_MS = 5_000;
/** Errors that follow the first one are logged up to this many times. */
const MAX_FURTHER_ERRORS = 10;

export type CrashOptions = {
  readonly log: { fatal(fields: object, message: string): void };
  /** Counts the crash against the jobs that run, and returns them to the queue. Its result is logged. */
  readonly returnJobs: () => Promise<{ readonly counted?: readonly string[] }>;
  /** Ends the process; the first call counts. */
  readonly exit?: (code: number) => void;
};

/**
 * Ends the process after an error that nothing handled (`uncaughtException`, `unhandledRejection`): logs it with its cause, returns jobs
 * to the queue, and exits with code 70 within 5 seconds, since the state of the process is unknown from here on.
 */
export function exitOnCrash({ log, returnJobs, exit = (code) => process.exit(code) }: CrashOptions): void {
  let errors = 0;
  const end = async (): Promise<void> => {
    setTimeout(() => exit(CRASH_EXIT_CODE), RETURN_TIMEOUT_MS);
    try {
      const record = await returnJobs();
      if ((record.counted?.length ?? 0) > 0) log.fatal(record, "The crash was counted as an attempt of these jobs.");
    } catch (error) {
      log.fatal({ err: error }, "Jobs could not be returned to the queue; they are due again when their leases expire.");
    }
    // Exit one turn of the event loop later, so that closed connections are really closed.
    setTimeout(() => exit(CRASH_EXIT_CODE), 0);
  };
  process.on("uncaughtException", (err, origin) => {
    errors++;
    if (errors > 1) {
      if (errors <= MAX_FURTHER_ERRORS) log.fatal({ err, origin }, "Another unexpected error while the process ends.");
      return;
    }
    log.fatal({ err, origin }, `An unexpected error that nothing handled. The process ends with exit code ${CRASH_EXIT_CODE}.`);
    void end();
  });
}

/** For a command: an error that nothing handled is printed and ends the process with code 70. */
export function exitCommandOnCrash(): void {
  process.on("uncaughtException", (error: unknown) => {
    const details = error instanceof Error ? (error.stack ?? error.message) : getErrorMessage(error);
    process.stderr.write(`An unexpected error ended this command. Please report it with these lines:\n${details}\n`);
    process.exit(CRASH_EXIT_CODE);
  });
}

/**
 * Keeps the process running when standard output or standard error can't be written to, such as on a full disk or after the reader
 * of a pipe has gone. `onOutputError` is called for standard output.
 */
export function watchOutputErrors(onOutputError: (error: NodeJS.ErrnoException) => void = () => {}): void {
  process.stdout.on("error", onOutputError);
  process.stderr.on("error", () => {});
}
