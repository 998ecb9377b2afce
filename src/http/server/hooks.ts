import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#domain/core/errors/error.ts";
import type { Log } from "#domain/core/log.ts";
import type { Probes } from "../public/probes.ts";
import { type WebPage, sendNotFoundPage, webRoutes } from "../public/web-page.ts";
import { isClientAbort, logServerError, sendError } from "../response/errors.ts";
import { setCommonHeaders } from "../response/headers.ts";
import type { AnyRoute } from "../route.ts";
import { createAllowedMethods } from "./allowed-methods.ts";
import { allowOrigin } from "./cors.ts";
import { findHeadProblem } from "./request-head.ts";
import type { RequestLogger } from "./request-log.ts";

/** Node itself meets the one expectation that HTTP defines (RFC 9110, section 10.1.1). */
const UNKNOWN_EXPECTATION = /^(?!100-continue$)/i;

type HookOptions = {
  readonly routes: readonly AnyRoute[];
  readonly probes: Probes;
  readonly web: WebPage;
  readonly corsOrigins: readonly string[];
  readonly vary: string | null;
  readonly log: Log;
  readonly logCompleted: RequestLogger;
};

/** Adds the hooks of every request: common headers, CORS, 404 and 405, error responses, the request log. */
export function addHooks(app: FastifyInstance, options: HookOptions): void {
  const { routes, probes, web, corsOrigins, vary, logCompleted } = options;
  const allowedMethods = createAllowedMethods([...routes, ...probes.routes, ...webRoutes(web)]);
  app.addHook("onRequest", (request, reply, done) => {
    setCommonHeaders(reply, request.id, vary);
    const startedAt = performance.now();
    // Fastify runs `onResponse` only for a response that was sent.
    reply.raw.once("close", () => logCompleted(request, reply, performance.now() - startedAt));
    const problem = findHeadProblem(request.raw);
    if (problem !== null) {
      // What follows on the connection may be understood differently too.
      reply.header("Connection", "close");
      return void sendError(request, reply, new AppError("request_malformed", problem));
    }
    if (UNKNOWN_EXPECTATION.test(request.headers.expect ?? "100-continue")) {
      return void sendError(request, reply, new AppError("expectation_failed", "The server can meet no expectation but 100-continue."));
    }
    if (corsOrigins.length > 0 && allowOrigin(corsOrigins, request, reply)) return;
    if (!request.is404) return done();
    const error = toUnknownRouteError(allowedMethods, request, reply);
    if (error.code !== "path_not_found" || !sendNotFoundPage(web, request, reply)) sendError(request, reply, error);
  });
  app.setNotFoundHandler((request, reply) => sendError(request, reply, toUnknownRouteError(allowedMethods, request, reply)));
  app.setErrorHandler((error, request, reply) => {
    if (isClientAbort(request, error)) return void reply.hijack();
    logServerError(options.log, request, error);
    return sendError(request, reply, error);
  });
}

/** 405 with `Allow` if the path exists with other methods, otherwise 404. */
function toUnknownRouteError(allowedMethods: (path: string) => string[], request: FastifyRequest, reply: FastifyReply): AppError {
  const methods = allowedMethods(request.url.split("?", 1)[0] as string);
  if (methods.length === 0) return new AppError("path_not_found", "Not found.");
  reply.header("Allow", methods.join(", "));
  return new AppError("method_not_allowed", `Method not allowed. This path takes ${methods.join(", ")}.`);
}
