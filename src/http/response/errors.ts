import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, type ErrorCode } from "#domain/core/error.ts";
import { describeShortage, findShortage } from "#domain/core/shortage.ts";
import { JSON_TYPE } from "./headers.ts";
import { lingerOnClose } from "./lingering-close.ts";

/** The HTTP status of each error code. No other file knows status codes of errors. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  key_missing_or_invalid: 401,
  budget_spent: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  invalid: 400,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  unavailable: 503,
  storage_unavailable: 503,
  storage_full: 507,
  model_failed: 502,
  model_unavailable: 503,
  model_too_slow: 504,
};

/** The errors of Fastify, with messages in the style of the API. */
const FRAMEWORK_ERRORS: Readonly<Record<string, AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError("too_large", "The request body is too large."),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError("unsupported_media_type", "Send the request body as application/json."),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError("invalid", "The length of the request body differs from Content-Length."),
  FST_ERR_BAD_URL: new AppError("not_found", "Not found."),
  FST_ERR_ASYNC_CONSTRAINT: new AppError("not_found", "Not found."),
  FST_ERR_MAX_PARAM_LENGTH: new AppError("not_found", "Not found."),
};

/** When to repeat a call that failed because this machine is short of file handles or the like. */
const SHORTAGE_RETRY_SECONDS = 5;

export type HttpError = {
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  readonly isServerError: boolean;
};

/** The response to an error. Unexpected errors reveal no details. */
export function toHttpError(error: unknown): HttpError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = error instanceof AppError ? error : FRAMEWORK_ERRORS[code];
  if (known !== undefined) {
    const { retryAfterSeconds } = known;
    return {
      status: STATUS[known.code],
      message: known.message,
      isServerError: false,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
  }
  const shortage = findShortage(error);
  if (shortage !== null)
    return {
      status: STATUS.unavailable,
      message: describeShortage(shortage),
      retryAfterSeconds: SHORTAGE_RETRY_SECONDS,
      isServerError: true,
    };
  return {
    status: 500,
    message: "Something went wrong on the server. Its log has the details under the id in X-Request-Id.",
    isServerError: true,
  };
}

/** The status in log and metrics of a request whose client disconnected first (as in nginx). It is never sent. */
export const CLIENT_CLOSED_REQUEST = 499;

/** Whether the client disconnected before its request was complete, for example by cancelling an upload. */
export const isClientAbort = ({ raw }: FastifyRequest, error: unknown): boolean =>
  !raw.complete &&
  raw.destroyed &&
  error instanceof Error &&
  (error === raw.errored || ("code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE"));

/** Sends an error. If the request body was not read, the connection is closed once the client has read the response. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const { status, message, retryAfterSeconds } = toHttpError(error);
  if (retryAfterSeconds !== undefined) reply.header("Retry-After", String(retryAfterSeconds));
  if (!request.raw.complete && hasBody(request)) {
    reply.header("Connection", "close");
    lingerOnClose(request.raw);
  }
  return reply
    .code(status)
    .header("Content-Type", JSON_TYPE)
    .send(JSON.stringify({ error: message }));
}

const hasBody = (request: FastifyRequest): boolean =>
  request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
