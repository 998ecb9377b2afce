import { getErrorMessage } from "#domain/core/errors/error.ts";
import type { Log } from "#domain/core/log.ts";
import type { ModelError } from "#domain/model/model.ts";

export const logModelFailure = (log: Log, { failure, message, cause }: ModelError): void =>
  log.warn({ failure, cause: cause === undefined ? "" : getErrorMessage(cause) }, message);

const logged = new WeakSet<object>();

/** Logs an error once: that of a thread which cannot start is met by every call until the thread is started again. */
export function warnOnce(log: Log, error: unknown, message: string): void {
  if (error instanceof Error) {
    if (logged.has(error)) return;
    logged.add(error);
  }
  log.warn({ cause: getErrorMessage(error) }, message);
}
