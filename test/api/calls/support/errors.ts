import type { Answer } from "../../../support/service.ts";

export const MISSING = "Missing API key. Send it in the X-API-Key header.";
export const INVALID = "Invalid API key.";
export const NOT_LOGGED_IN = "You are not logged in, or your session has ended. Log in again.";
export const OTHER_BOARD = "This API key is not authorized for this board.";
export const NOT_PERMITTED = "This API key does not have the permission for this operation.";
export const NO_ADMIN = "Only an admin or an owner of the business may do this.";
export const NO_OWNER = "Only an owner of the business may do this.";
export const LOG_IN_REQUIRED = "API keys can't make this call. Log in, and make it with the session of a member.";

const CODES: Readonly<Record<string, string>> = {
  [MISSING]: "key_missing",
  [INVALID]: "key_invalid",
  [NOT_LOGGED_IN]: "not_logged_in",
  [OTHER_BOARD]: "board_not_allowed",
  [NOT_PERMITTED]: "permission_missing",
  [NO_ADMIN]: "role_missing",
  [NO_OWNER]: "role_missing",
  [LOG_IN_REQUIRED]: "log_in_required",
  "Board not found.": "board_not_found",
  "Zone not found.": "zone_not_found",
  "Tile not found.": "tile_not_found",
  "Generation not found.": "generation_not_found",
  "The request body is not valid JSON.": "body_invalid",
  "The zone does not belong to this board.": "zone_not_on_board",
};

/** What is compared of an error response. A 401 tells how to authenticate. */
export function toError({ status, headers, text }: Pick<Answer, "status" | "headers" | "text">): unknown {
  const challenge = headers.get("www-authenticate");
  return { status, code: headers.get("x-error-code"), challenge, body: JSON.parse(text) as unknown };
}

/** The error response with this message. */
export function expectedError(status: number, error: string): unknown {
  const challenge = status !== 401 ? null : `Bearer realm="Tessera"${error === INVALID ? ', error="invalid_token"' : ""}`;
  return { status, code: CODES[error], challenge, body: { error } };
}
