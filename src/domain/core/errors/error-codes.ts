/** The kinds of errors. Each has one HTTP status, in `http/response/errors.ts`. */
export type ErrorKind =
  | "key_missing_or_invalid"
  | "forbidden"
  | "budget_spent"
  | "not_found"
  | "method_not_allowed"
  | "timed_out"
  | "invalid"
  | "gone"
  | "conflict"
  | "precondition_failed"
  | "too_large"
  | "unsupported_media_type"
  | "expectation_failed"
  | "rate_limited"
  | "headers_too_large"
  | "internal"
  | "unavailable"
  | "storage_full"
  | "storage_unavailable"
  | "model_failed"
  | "model_unavailable"
  | "model_too_slow";

type CodeEntry = readonly [kind: ErrorKind, title: string];

/**
 * Every error code of the interface, with its kind and its title: the closed list of `X-Error-Code`, which docs/reference/errors.md and
 * the OpenAPI document repeat. Clients rely on the codes: none is renamed or removed within a major version.
 */
export const ERROR_CODES = {
  invalid: ["invalid", "The request is wrong in a way that no other code names."],
  field_missing: ["invalid", "A required field is missing or blank."],
  field_invalid: ["invalid", "A field has a value that is not accepted."],
  field_unknown: ["invalid", "The call does not know a field, and is strict."],
  field_without_effect: ["invalid", "A field has no effect beside the others, and the call is strict."],
  body_invalid: ["invalid", "The body is not JSON, not an object, or a form that can't be read."],
  cursor_invalid: ["invalid", "The cursor or sync token is not one of this listing."],
  url_not_allowed: ["invalid", "The address points inside the network, or can't be fetched for another reason."],
  zone_not_on_board: ["invalid", "The zone belongs to another board, or does not exist."],
  no_content: ["invalid", "The board has no content that the call could use."],
  file_invalid: ["invalid", "The file is not one that this call reads."],
  request_malformed: ["invalid", "The request is not valid HTTP, or could be understood in two ways."],
  key_missing: ["key_missing_or_invalid", "The call needs an API key or a session, and has neither."],
  key_invalid: ["key_missing_or_invalid", "The API key is unknown, revoked or expired."],
  not_logged_in: ["key_missing_or_invalid", "The call needs a person who is logged in; there is no session, or it has ended."],
  owner_missing: ["key_missing_or_invalid", "The install has no owner yet; its set-up link creates one."],
  signature_invalid: ["key_missing_or_invalid", "The signature of a request to an inbound address is missing or wrong."],
  credentials_wrong: ["key_missing_or_invalid", "The e-mail address or the password is wrong."],
  budget_spent: ["budget_spent", "The budget of the key for this month is spent."],
  forbidden: ["forbidden", "The call is not allowed for a reason that no other code names."],
  permission_missing: ["forbidden", "The key lacks a permission, which the detail of the problem document names."],
  board_not_allowed: ["forbidden", "The key is limited to another board."],
  log_in_required: ["forbidden", "No API key can make this call; a person has to log in."],
  role_missing: ["forbidden", "The member needs the role of an admin or an owner."],
  origin_not_allowed: ["forbidden", "The call comes from a page of another site, or names another host."],
  not_found: ["not_found", "What the call names does not exist."],
  path_not_found: ["not_found", "The server has no such path."],
  board_not_found: ["not_found", "The board does not exist."],
  zone_not_found: ["not_found", "The zone does not exist."],
  tile_not_found: ["not_found", "The tile does not exist."],
  picture_not_found: ["not_found", "The tile has no picture."],
  generation_not_found: ["not_found", "The generation does not exist."],
  idea_not_found: ["not_found", "The generation has no such idea."],
  key_not_found: ["not_found", "The API key does not exist."],
  webhook_not_found: ["not_found", "The webhook does not exist, or none is set."],
  delivery_not_found: ["not_found", "The delivery does not exist."],
  inbound_address_not_found: ["not_found", "The inbound address does not exist, or was revoked."],
  member_not_found: ["not_found", "The member does not exist."],
  session_not_found: ["not_found", "The session does not exist."],
  invitation_not_found: ["not_found", "The invitation does not exist."],
  link_invalid: ["not_found", "The link of the set-up or invitation was used, was revoked or has expired."],
  cursor_expired: ["gone", "Changes after this cursor are not kept any more, or a backup was restored since."],
  method_not_allowed: ["method_not_allowed", "The path has other methods, which Allow lists."],
  request_timeout: ["timed_out", "The request took too long to arrive."],
  conflict: ["conflict", "The state of the resource does not permit the call, for a reason that no other code names."],
  idempotency_key_reused: ["conflict", "The Idempotency-Key was used with another request."],
  idempotency_key_in_use: ["conflict", "A call with this Idempotency-Key is still running."],
  response_not_stored: ["conflict", "A call with this Idempotency-Key succeeded; its response can't be returned again."],
  default_board: ["conflict", "The default board can't be deleted."],
  zone_deleted: ["conflict", "The zone of the tile is deleted."],
  tile_processing: ["conflict", "The tile is still processing."],
  nothing_to_retry: ["conflict", "A text tile has nothing to read again."],
  text_overridden: ["conflict", "The text of the tile was replaced by hand."],
  external_id_taken: ["conflict", "Another tile of the board has the external_id."],
  generation_ended: ["conflict", "The generation has ended already."],
  delivery_in_progress: ["conflict", "The delivery is still in progress."],
  webhook_paused: ["conflict", "The webhook is paused, so nothing is sent to it."],
  backup_in_progress: ["conflict", "A backup is being made already."],
  email_taken: ["conflict", "A member has this e-mail address already."],
  last_owner: ["conflict", "The last owner can't be removed or given another role."],
  precondition_failed: ["precondition_failed", "If-Match names another version than the current one."],
  too_large: ["too_large", "The body or the file is too large."],
  unsupported_media_type: ["unsupported_media_type", "The body has a media type or an encoding that the call does not read."],
  expectation_failed: ["expectation_failed", "The Expect header asks for something that the server does not do."],
  rate_limited: ["rate_limited", "Too many calls, too much waiting work, or too many open streams."],
  headers_too_large: ["headers_too_large", "The request line and headers are too large."],
  internal_error: ["internal", "The server made an error, which its log describes under the request id."],
  unavailable: ["unavailable", "The server is busy or stopping; this passes by waiting."],
  storage_unavailable: ["storage_unavailable", "The database is away, read-only or damaged."],
  storage_full: ["storage_full", "The disk of the server is full. Reading works."],
  model_failed: ["model_failed", "The language model gave no usable answer."],
  model_unavailable: ["model_unavailable", "The language model can't be reached, or has too many calls."],
  model_too_slow: ["model_too_slow", "The language model took too long."],
} as const satisfies Readonly<Record<string, CodeEntry>>;

/** A code of the list. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The codes of one kind. */
export type CodeOfKind<K extends ErrorKind> = { [C in ErrorCode]: (typeof ERROR_CODES)[C][0] extends K ? C : never }[ErrorCode];
