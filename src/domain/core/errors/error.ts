import { type CodeOfKind, ERROR_CODES, type ErrorCode, type ErrorKind } from "./error-codes.ts";

export type { ErrorCode, ErrorKind } from "./error-codes.ts";

/** What only a problem document (RFC 9457) says. */
export type ErrorDetails = {
  /** The field of the request that is meant. */
  readonly field?: string;
  /** A sentence that follows the message. The messages themselves are part of the interface. */
  readonly hint?: string;
};

/** An expected error for the caller: `message` says what happened and what to do. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Seconds after which the same call may succeed. */
  readonly retryAfterSeconds: number | undefined;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, retryAfterSeconds?: number, details: ErrorDetails = {}) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.details = details;
  }

  /** What all codes with the same HTTP status have in common. */
  get kind(): ErrorKind {
    return ERROR_CODES[this.code][0];
  }
}

const NOT_FOUND = {
  Board: "board_not_found",
  Zone: "zone_not_found",
  Tile: "tile_not_found",
  Generation: "generation_not_found",
  Idea: "idea_not_found",
  Key: "key_not_found",
  Webhook: "webhook_not_found",
  Delivery: "delivery_not_found",
  "Inbound address": "inbound_address_not_found",
  Member: "member_not_found",
  Session: "session_not_found",
  Invitation: "invitation_not_found",
} as const satisfies Readonly<Record<string, ErrorCode>>;

export const invalid = (message: string, code: CodeOfKind<"invalid"> = "invalid"): AppError => new AppError(code, message);
/** An error about one field. The message begins with its name, and `problem` continues it. */
export const invalidField = (field: string, problem: string, code: CodeOfKind<"invalid"> = "field_invalid"): AppError =>
  new AppError(code, `${field} ${problem}`, undefined, { field });
export const missingField = (field: string): AppError => invalidField(field, "is required.", "field_missing");
export const notFound = (noun: keyof typeof NOT_FOUND): AppError => new AppError(NOT_FOUND[noun], `${noun} not found.`);
export const conflict = (message: string, code: CodeOfKind<"conflict"> = "conflict"): AppError => new AppError(code, message);
export const forbiddenBoard = (): AppError => new AppError("board_not_allowed", "This API key is not authorized for this board.");
/** `hint` names the missing permission. The message itself is fixed by the specification. */
export const forbiddenPermission = (hint: string): AppError =>
  new AppError("permission_missing", "This API key does not have the permission for this operation.", undefined, { hint });
/** For calls that no key can make. */
export const logInRequired = (): AppError =>
  new AppError("log_in_required", "API keys can't make this call. Log in, and make it with the session of a member.");
export const forbiddenRole = (needed: "owner" | "admin"): AppError =>
  new AppError(
    "role_missing",
    needed === "owner" ? "Only an owner of the business may do this." : "Only an admin or an owner of the business may do this.",
  );
/** The fields of requests that name a zone. */
export type ZoneField = "zone_id" | "zone_ids" | "move_to" | "save_to_zone_id";
/** An error about a zone that is not on the board. The specification fixes the message, which does not name the field. */
export const zoneNotOnBoard = (field: ZoneField): AppError =>
  new AppError("zone_not_on_board", "The zone does not belong to this board.", undefined, { field });

const UNAVAILABLE: readonly ErrorKind[] = ["unavailable", "storage_full", "storage_unavailable"];

/** Whether the database or another required service is currently unavailable. Nothing can be concluded about the call itself. */
export const isUnavailable = (error: unknown): boolean => error instanceof AppError && UNAVAILABLE.includes(error.kind);

/** Returns the `code` of an error of Node or a database driver, or an empty string. */
export const getErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Returns the message of any thrown value, for logs and stored errors. */
export const getErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
