import { STATUS_CODES } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ERROR_CODES, type ErrorCode, type ErrorKind } from "#domain/core/errors/error-codes.ts";
import { AppError, type ErrorDetails, getErrorMessage } from "#domain/core/errors/error.ts";
import { describeShortage, findShortage } from "#domain/core/errors/shortage.ts";
import type { Log } from "#domain/core/log.ts";
import { readQualities } from "./encoding.ts";
import { JSON_TYPE } from "./headers.ts";
import { lingerOnClose } from "./connection/lingering-close.ts";

/** The HTTP status of each kind of error. No other file knows status codes of errors. */
const STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  key_missing_or_invalid: 401,
  budget_spent: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timed_out: 408,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  model_failed: 502,
  unavailable: 503,
  storage_unavailable: 503,
  model_unavailable: 503,
  model_too_slow: 504,
  storage_full: 507,
};

/** Returns the HTTP status of an error code. */
export const getStatus = (code: ErrorCode): number => STATUS[ERROR_CODES[code][0]];

/** The errors of Fastify, with messages in the style of the API. */
const FRAMEWORK_ERRORS: Readonly<Record<string, AppError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError("unsupported_media_type", "Send the request body as application/json."),
  FST_ERR_BAD_URL: new AppError("path_not_found", "Not found."),
  FST_ERR_ASYNC_CONSTRAINT: new AppError("path_not_found", "Not found."),
  FST_ERR_MAX_PARAM_LENGTH: new AppError("path_not_found", "Not found."),
};

/** When to repeat a call that failed because this machine is short of file handles or the like. */
const SHORTAGE_RETRY_SECONDS = 5;

export type HttpError = {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
  readonly retryAfterSeconds?: number;
  readonly isServerError: boolean;
};

/** The response to an error. Unexpected errors reveal no details. */
export function toHttpError(error: unknown): HttpError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = error instanceof AppError ? error : FRAMEWORK_ERRORS[code];
  if (known !== undefined) return describe(known, false);
  const shortage = findShortage(error);
  if (shortage !== null) return describe(new AppError("unavailable", describeShortage(shortage), SHORTAGE_RETRY_SECONDS), true);
  const message = "Something went wrong on the server. Its log has the details under the id in X-Request-Id.";
  return describe(new AppError("internal_error", message), true);
}

const describe = ({ code, message, details, retryAfterSeconds }: AppError, isServerError: boolean): HttpError => ({
  status: getStatus(code),
  code,
  message,
  details,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  isServerError,
});

/** Logs an unexpected error, whose details the client does not see. Expected errors need no line. */
export function logServerError(log: Log, { id: requestId, routeOptions: { url: route } }: FastifyRequest, error: unknown): void {
  if (!toHttpError(error).isServerError) return;
  const stack = error instanceof Error ? error.stack : undefined;
  log.error({ requestId, route, error: getErrorMessage(error), stack }, "a request failed");
}

/** The status in log and metrics of a request whose client disconnected first (as in nginx). It is never sent. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Returns the status in log and metrics of a response that has ended: that of the error which ended it, if any; otherwise the one that was
 * sent, also if the client left before the end. A page that is closed ends its stream of events, which is no error.
 */
export const getFinalStatus = ({ raw }: FastifyReply): number => {
  if (raw.errored !== null) return toHttpError(raw.errored).status;
  return raw.headersSent ? raw.statusCode : CLIENT_CLOSED_REQUEST;
};

/** Whether the client disconnected before its request was received, for example by cancelling an upload. */
export const isClientAbort = ({ raw }: FastifyRequest, error: unknown): boolean =>
  raw.destroyed &&
  error instanceof Error &&
  (error === raw.errored || (!raw.complete && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE"));

/** The challenge of a 401 (RFC 6750, section 3). Session cookies have no scheme of their own. */
const describeChallenge = (code: ErrorCode): string => `Bearer realm="Tessera"${code === "key_invalid" ? ', error="invalid_token"' : ""}`;

/**
 * Sends an error with its code, as a problem document (RFC 9457) if the client accepts that. If the request body was not read, the
 * connection is closed once the client has read the response. `other` replaces the status and the body that the error has by itself.
 */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  other?: { readonly status: number; readonly body: object },
): FastifyReply {
  const { code, message, details, retryAfterSeconds, ...own } = toHttpError(error);
  const { status, body } = other ?? { status: own.status, body: { error: message } };
  if (retryAfterSeconds !== undefined) reply.header("Retry-After", String(retryAfterSeconds));
  if (status === STATUS.key_missing_or_invalid) reply.header("WWW-Authenticate", describeChallenge(code));
  if (!request.raw.complete && hasBody(request)) {
    reply.header("Connection", "close");
    lingerOnClose(request.raw);
  }
  const isProblem = acceptsProblem(request.headers.accept);
  return reply
    .code(status)
    .header("X-Error-Code", code)
    .header("Content-Type", isProblem ? PROBLEM_TYPE : JSON_TYPE)
    .send(JSON.stringify(isProblem ? toProblem(status, code, message, details) : body));
}

/** Returns the code of the error that was sent; undefined for other responses. */
export const readErrorCode = (reply: FastifyReply): ErrorCode | undefined => reply.getHeader("X-Error-Code") as ErrorCode | undefined;

const PROBLEM_TYPE = "application/problem+json; charset=utf-8";

/** Whether problem documents are asked for by name, and plain JSON is not preferred by name. */
function acceptsProblem(accept = ""): boolean {
  if (!accept.toLowerCase().includes("application/problem+json")) return false;
  const qualities = readQualities(accept);
  const problem = qualities.get("application/problem+json") ?? 0;
  return problem > 0 && problem >= (qualities.get("application/json") ?? 0);
}

const toProblem = (status: number, code: ErrorCode, message: string, { field, hint }: ErrorDetails): object => ({
  type: `urn:tessera:error:${code}`,
  title: ERROR_CODES[code][1],
  status,
  detail: hint === undefined ? message : `${message} ${hint}`,
  code,
  ...(field === undefined ? {} : { field }),
});

/** Returns a whole response for a connection whose request could not be read. The connection is closed after it. */
export function renderRawError(code: ErrorCode, message: string): string {
  const status = getStatus(code);
  const body = JSON.stringify({ error: message });
  const headers = [
    "Connection: close",
    `X-Error-Code: ${code}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
}

const hasBody = (request: FastifyRequest): boolean =>
  request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
