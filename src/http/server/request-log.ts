import type { FastifyReply, FastifyRequest } from "fastify";
import type { RequestLine } from "#domain/core/system.ts";
import type { Probes } from "../public/probes.ts";
import { getFinalStatus, readErrorCode } from "../response/errors.ts";

/** Counts a request that has ended, after so many milliseconds, in the metrics, and logs it. */
export type RequestLogger = (request: FastifyRequest, reply: FastifyReply, milliseconds: number) => void;

/** The first status of responses that are errors. */
const FIRST_ERROR_STATUS = 400;

/** `isFile` says whether a route serves a file of the page. Successful requests of these are logged at `debug`. */
export function createRequestLogger(
  probes: Probes,
  logRequest: (line: RequestLine) => void,
  isFile: (route: string) => boolean,
): RequestLogger {
  return (request, reply, milliseconds) => {
    const status = getFinalStatus(reply);
    const { id: requestId, method, actor } = request;
    const route = request.routeOptions.url ?? "(unknown)";
    probes.metrics.observe(method, route, status, milliseconds / 1_000);
    const isError = status >= FIRST_ERROR_STATUS;
    const level = !isError && isFile(route) ? "debug" : "info";
    const line: { -readonly [Name in keyof RequestLine]: RequestLine[Name] } = {
      level,
      requestId,
      method,
      route,
      status,
      ms: Math.round(milliseconds * 10) / 10,
    };
    const code = isError ? readErrorCode(reply) : undefined;
    if (code !== undefined) {
      line.code = code;
      probes.metrics.countError(code);
    }
    if (actor?.kind === "key") {
      line.key = actor.keyId;
      line.business = actor.businessId;
    } else if (actor?.kind === "address") {
      line.address = actor.addressId;
      line.business = actor.businessId;
    } else if (actor?.kind === "member") {
      line.member = actor.memberId;
      line.business = actor.businessId;
    }
    logRequest(line);
  };
}
