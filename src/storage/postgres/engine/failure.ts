import { AppError } from "#domain/core/error.ts";

/** SQLSTATE classes and codes of a server that is away, starting, stopping or full, from the appendix "PostgreSQL Error Codes". */
const AWAY = /^(08...|57P0[1-5]|57014|53...|25006|HV00N)$/;
const AWAY_SYSTEM = new Set([
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
/** What the driver says in words alone. */
const AWAY_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Query read timeout/;
/** Two transactions met; one of them was undone and can be run again. */
const REPEATABLE = new Set(["40001", "40P01", "55P03"]);

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "");

/** Whether the database could not be reached or was going away, so that the same call may succeed soon. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return AWAY.test(code) || AWAY_SYSTEM.has(code) || AWAY_WORDS.test(error.message);
}

export const isRepeatable = (error: unknown): boolean => REPEATABLE.has(codeOf(error));

/** A unique key was taken already. */
export const isTaken = (error: unknown): boolean => codeOf(error) === "23505";

/** What a caller is told instead: 503 while the database is away; anything else as it is. */
export function toAppError(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  const refusal = new AppError("unavailable", "The storage can't be reached at the moment. Try again in a second.", 1);
  refusal.cause = error;
  return refusal;
}

/** Completes "DATABASE_URL …" for a person whose start fails, without the password; null for what has nothing to do with settings. */
export function describeStartFailure(thrown: unknown, url: URL): string | null {
  // What a caller would be told of a database that is away hides the reason, which is wanted here.
  const error = thrown instanceof AppError && thrown.cause !== undefined ? thrown.cause : thrown;
  const place = `${url.hostname || "localhost"}:${url.port === "" ? "5432" : url.port}`;
  const database = decodeURIComponent(url.pathname.slice(1)) || url.username;
  const user = decodeURIComponent(url.username) || "the user";
  switch (codeOf(error)) {
    case "28P01":
    case "28000":
      return `is refused: ${place} does not let ${user} in with this password; correct one or the other`;
    case "3D000":
      return `names the database "${database}", which does not exist on ${place}; create it first`;
    case "42501":
      return `names a user who lacks rights (${reasonOf(error)}); make ${user} the owner of the database "${database}", or grant CREATE on it and on its schema`;
    default:
      return isUnavailable(error)
        ? `leads nowhere: no PostgreSQL answers at ${place} (${reasonOf(error)}); start it there, or correct the address`
        : null;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
