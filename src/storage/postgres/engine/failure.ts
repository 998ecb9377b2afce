import { AppError, getErrorCode, getErrorMessage } from "#domain/core/errors/error.ts";
import { describeShortage, findShortage } from "#domain/core/errors/shortage.ts";
import { createBusyError, StorageError, type StorageProblem } from "#domain/core/errors/storage-error.ts";

/** SQLSTATE classes and codes of a server that is unreachable, starting, stopping or full, from the appendix "PostgreSQL Error Codes". */
const UNAVAILABLE = /^(08...|57P0[1-5]|57014|53...|25006|HV00N)$/;
const UNAVAILABLE_SYSTEM_ERRORS = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
]);
/** Errors that the driver reports only by their message. */
const UNAVAILABLE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Query read timeout/;
/** SQLSTATE codes of a transaction that was rolled back because of another one, and can be run again. */
const REPEATABLE = new Set(["40001", "40P01", "55P03"]);

/** What further SQLSTATE codes mean. The first match counts; other codes of an unavailable server mean that it is away. */
const PROBLEMS: readonly (readonly [codes: RegExp, problem: StorageProblem])[] = [
  [/^53100$/, "full"],
  [/^25006$/, "read_only"],
  [/^XX00[12]$/, "damaged"],
  [/^58...$/, "failed"],
];
/** A statement that took too long, and a server without a free connection or memory. */
const BUSY = /^(57014|53[2-9]..|55P03)$/;

/** Whether the database is temporarily unavailable, so that the same call may succeed soon. */
export function isConnectionProblem(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionProblem);
  if (!(error instanceof Error)) return false;
  const code = getErrorCode(error);
  return UNAVAILABLE.test(code) || UNAVAILABLE_SYSTEM_ERRORS.has(code) || UNAVAILABLE_MESSAGE.test(error.message);
}

export const isRepeatable = (error: unknown): boolean => REPEATABLE.has(getErrorCode(error));

/** Converts an error of an unusable database to one for callers. Returns any other error unchanged. */
export function toAppError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = getErrorCode(error);
  const shortage = findShortage(error);
  if (shortage !== null && shortage !== "disk") return createBusyError(error, describeShortage(shortage));
  if (BUSY.test(code)) return createBusyError(error);
  const problem = PROBLEMS.find(([codes]) => codes.test(code))?.[1] ?? (isConnectionProblem(error) ? "away" : null);
  return problem === null ? error : new StorageError(problem, error);
}

/** Returns the rest of a sentence that begins with "DATABASE_URL", without the password. Returns null for an error unrelated to settings. */
export function describeStartFailure(thrown: unknown, url: URL): string | null {
  // The error for callers hides the reason, which the operator needs.
  const error = thrown instanceof AppError && thrown.cause !== undefined ? thrown.cause : thrown;
  const address = `${url.hostname || "localhost"}:${url.port === "" ? "5432" : url.port}`;
  const database = decodeURIComponent(url.pathname.slice(1)) || url.username;
  const user = decodeURIComponent(url.username) || "the user";
  switch (getErrorCode(error)) {
    case "28P01":
    case "28000":
      return `is refused: ${address} rejects ${user} with this password; correct the user or the password`;
    case "3D000":
      return `names the database "${database}", which does not exist on ${address}; create it first`;
    case "42501":
      return `names a user without sufficient privileges (${getReason(error)}); make ${user} the owner of the database "${database}", or grant CREATE on it and on its schema`;
    default:
      return isConnectionProblem(error)
        ? `is unreachable: no PostgreSQL server responds at ${address} (${getReason(error)}); start it, or correct the address`
        : null;
  }
}

/** Returns the message of the error, or of the first attempt to connect. */
const getReason = (error: unknown): string => getErrorMessage(error instanceof AggregateError ? error.errors[0] : error);
