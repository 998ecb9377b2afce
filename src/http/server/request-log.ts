import type { Actor } from "#domain/core/access.ts";
import type { ErrorCode } from "#domain/core/errors/error-codes.ts";
import type { RequestLine } from "#domain/core/system.ts";
import type { Probes } from "../public/probes.ts";

/** A completed request. `milliseconds` is its total time. */
export type CompletedRequest = {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The code of an error response. */
  readonly code: ErrorCode | undefined;
  readonly actor: Actor | undefined;
};

/** Counts a completed request in the metrics and logs it. */
export type RequestLogger = (call: CompletedRequest) => void;

/** The first status of responses that are errors. */
const FIRST_ERROR_STATUS = 400;

/** `isFile` says whether a route serves a file of the page. Successful requests of these are logged at `debug`. */
export function createRequestLogger(
  probes: Probes,
  logRequest: (line: RequestLine) => void,
  isFile: (route: string) => boolean,
): RequestLogger {
  return ({ requestId, method, route, status, milliseconds, code, actor }) => {
    probes.metrics.observe(method, route, status, milliseconds / 1_000);
    if (code !== undefined) probes.metrics.countError(code);
    const level = status < FIRST_ERROR_STATUS && isFile(route) ? "debug" : "info";
    const ms = Math.round(milliseconds * 10) / 10;
    const line: RequestLine = { level, requestId, method, route, status, ms, ...(code === undefined ? {} : { code }) };
    if (actor?.kind === "key") logRequest({ ...line, key: actor.keyId, business: actor.businessId });
    else logRequest(actor?.kind === "member" ? { ...line, member: actor.memberId, business: actor.businessId } : line);
  };
}
