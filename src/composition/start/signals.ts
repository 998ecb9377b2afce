import { getErrorMessage } from "#domain/core/errors/error.ts";
import type { Log } from "#domain/core/log.ts";
import type { Announce } from "./output.ts";

/** Longer than all time limits of a stop together. */
const FORCED_EXIT_MS = 9_500;

/** Stops the service and ends the process on SIGTERM and SIGINT. The exit code is 1 if something could not be stopped. */
export function stopOnSignals({ log, stop }: { readonly log: Log; readonly stop: () => Promise<void> }, announce: Announce): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      // A forced exit loses nothing: running jobs are held under a lease, and the next start continues them.
      setTimeout(() => process.exit(0), FORCED_EXIT_MS).unref();
      log.info({ signal }, "Stopping: no new calls are accepted, and running work is completed or handed back.");
      stop().then(
        () => {
          log.info({}, "Tessera has stopped.");
          process.exit(0);
        },
        (error: unknown) => {
          for (const one of error instanceof AggregateError ? error.errors : [error])
            announce("error", `Stopping failed: ${getErrorMessage(one)}`);
          process.exit(1);
        },
      );
    });
  }
}
