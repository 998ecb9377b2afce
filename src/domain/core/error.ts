/** The error codes of the API. `http/response/errors.ts` maps them to HTTP statuses. */
export type ErrorCode =
  | "key_missing_or_invalid"
  | "forbidden"
  | "budget_spent"
  | "not_found"
  | "method_not_allowed"
  | "invalid"
  | "conflict"
  | "precondition_failed"
  | "too_large"
  | "unsupported_media_type"
  | "rate_limited"
  | "unavailable"
  | "storage_full"
  | "storage_unavailable"
  | "model_failed"
  | "model_unavailable"
  | "model_too_slow";

/** An expected error for the caller: `message` says what happened and what to do. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Seconds after which the same call may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const invalid = (message: string): AppError => new AppError("invalid", message);
export const notFound = (
  noun: "Board" | "Zone" | "Tile" | "Generation" | "Idea" | "Key" | "Webhook" | "Delivery" | "Member" | "Session" | "Invitation",
): AppError => new AppError("not_found", `${noun} not found.`);
export const conflict = (message: string): AppError => new AppError("conflict", message);
export const forbiddenBoard = (): AppError => new AppError("forbidden", "This API key is not authorized for this board.");
export const forbiddenPermission = (): AppError =>
  new AppError("forbidden", "This API key does not have the permission for this operation.");
export const forbiddenRole = (needed: "owner" | "admin"): AppError =>
  new AppError(
    "forbidden",
    needed === "owner" ? "Only an owner of the business may do this." : "Only an admin or an owner of the business may do this.",
  );
export const zoneElsewhere = (): AppError => invalid("The zone does not belong to this board.");

const UNAVAILABLE: readonly ErrorCode[] = ["unavailable", "storage_full", "storage_unavailable"];

/** Whether the database or another required service is currently unavailable. Nothing can be concluded about the call itself. */
export const isUnavailable = (error: unknown): boolean => error instanceof AppError && UNAVAILABLE.includes(error.code);

/** Returns the `code` of an error of Node or a database driver, or an empty string. */
export const getErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Returns the message of any thrown value, for logs and stored errors. */
export const getErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
