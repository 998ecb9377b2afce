import { Readable } from "node:stream";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { TObject } from "typebox";
import type { Actor } from "#domain/core/access.ts";
import { AppError, messageOf } from "#domain/core/error.ts";
import { type RequestLine, createRequestNames } from "#domain/core/system.ts";
import { createCachedFastPath } from "../fast-path/cached-fast-path.ts";
import { allowOrigin } from "./cors.ts";
import { JSON_TYPE, commonHeaders, setHeaders } from "../response/headers.ts";
import { MAX_HEADER_LENGTH, createListener, rejectUnreadable } from "./listener.ts";
import { createRequestLogger } from "./request-log.ts";
import { createBodyDeadline, type BodyDeadline } from "../request/body-deadline.ts";
import { createBodyMemory, type BodyMemory } from "../request/body-memory.ts";
import { addLenientParsers, addJsonParser, addStreamingParser } from "../request/body-parsers.ts";
import { readObject } from "../request/schema-reader.ts";
import { RawJson } from "../response/answers.ts";
import { isCompressible, sendCompressed } from "../response/compress.ts";
import type { AnyRoute, HttpDeps } from "../route.ts";
import { CLIENT_CLOSED_REQUEST, isClientAbort, toHttpError, sendError } from "../response/errors.ts";
import { createAccessCheck } from "../auth/access-check.ts";
import { createAllowedMethods } from "./allowed-methods.ts";
import { addOpenApi } from "../public/openapi.ts";
import { type Probes, addProbes } from "../public/probes.ts";
import { type WebPage, addWebPage, sendNotFoundPage, webRoutes } from "../public/web-page.ts";

export type HttpLog = { error(fields: object, message: string): void };

export type ServerOptions = {
  readonly deps: HttpDeps;
  readonly routes: readonly AnyRoute[];
  readonly log: HttpLog;
  readonly logRequest: (line: RequestLine) => void;
  readonly probes: Probes;
  readonly web: WebPage;
  readonly maxBodyBytes: number;
  readonly baseUrl: string;
  readonly trustProxy: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly onUse: (actor: Actor) => void;
};

const EMPTY = {};
/** The longest body that anyone may send without a key or a session, in bytes: short enough not to be counted. */
const MAX_OPEN_BODY_BYTES = 64 * 1_024;

/** Builds the HTTP server; the caller listens and closes. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { deps, routes, log } = options;
  const variesByOrigin = options.corsOrigins.length > 0;
  const vary = variesByOrigin ? "Origin" : null;
  const nameRequest = createRequestNames(deps.clock.now());
  const note = createRequestLogger(options.probes, options.logRequest);
  const noteCall = (request: FastifyRequest, reply: FastifyReply, status: number): void =>
    note({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? "(unknown)",
      status,
      milliseconds: reply.elapsedTime,
      actor: request.actor,
    });
  const early = createCachedFastPath({ deps, nameRequest, note, onUse: options.onUse, variesByOrigin });
  const app = Fastify({
    logger: false,
    serverFactory: (handler) => createListener(handler, early),
    genReqId: nameRequest,
    bodyLimit: options.maxBodyBytes,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    // An id of any length that fits the request line is looked for, and not found, like any other.
    routerOptions: { maxParamLength: MAX_HEADER_LENGTH },
    ...(options.trustProxy.length > 0 ? { trustProxy: [...options.trustProxy] } : {}),
    frameworkErrors(error, request, reply) {
      setHeaders(reply as FastifyReply, commonHeaders(request.id, vary));
      void sendError(request, reply as FastifyReply, error);
    },
    clientErrorHandler: rejectUnreadable,
  });
  app.decorateRequest("actor", undefined);
  app.decorateRequest("authorized", undefined);
  app.decorateRequest("rawBody", undefined);
  // The schemas are read by readObject and the answers are made by the presenters; Fastify only keeps the schemas for the document.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));

  const allowedMethods = createAllowedMethods([...routes, ...options.probes.routes, ...webRoutes(options.web)]);
  app.addHook("onRequest", (request, reply, done) => {
    setHeaders(reply, commonHeaders(request.id, vary));
    if (variesByOrigin && allowOrigin(options.corsOrigins, request, reply)) return;
    if (!request.is404) return done();
    const refusal = toUnknownRouteError(allowedMethods, request, reply);
    if (refusal.code !== "not_found" || !sendNotFoundPage(options.web, request, reply)) sendError(request, reply, refusal);
  });
  app.setNotFoundHandler((request, reply) => sendError(request, reply, toUnknownRouteError(allowedMethods, request, reply)));
  app.setErrorHandler((error, request, reply) => {
    if (isClientAbort(request, error)) {
      // No answer is sent, so `onResponse` does not run.
      noteCall(request, reply, CLIENT_CLOSED_REQUEST);
      reply.hijack();
      return;
    }
    if (toHttpError(error).isServerError) {
      log.error(
        {
          requestId: request.id,
          route: request.routeOptions.url,
          error: messageOf(error),
          stack: error instanceof Error ? error.stack : undefined,
        },
        "a request failed",
      );
    }
    return sendError(request, reply, error);
  });
  app.addHook("onResponse", (request, reply, done) => {
    noteCall(request, reply, reply.statusCode);
    done();
  });

  await addOpenApi(app, options.baseUrl);
  const gate = createAccessCheck(deps, options.onUse);
  const memory = createBodyMemory(options.maxBodyBytes);
  const deadline = createBodyDeadline((request) => memory.release(request));
  app.addHook("onClose", async () => deadline.stop());
  // They never end by themselves in time, and a stop waits for what is open.
  app.addHook("preClose", async () => deps.live.endAll());
  await app.register(async (strict) => {
    addJsonParser(strict);
    for (const route of routes)
      if (route.isLenient !== true && route.form === undefined) addRoute(strict, deps, route, gate, deadline, memory);
  });
  await app.register(async (forms) => {
    addStreamingParser(forms);
    for (const route of routes) if (route.form !== undefined) addRoute(forms, deps, route, gate, null, null);
  });
  await app.register(async (lenient) => {
    addLenientParsers(lenient);
    for (const route of routes) if (route.isLenient === true) addRoute(lenient, deps, route, gate, deadline, memory);
  });
  addProbes(app, options.probes);
  addWebPage(app, options.web);
  return app;
}

function addRoute(
  app: FastifyInstance,
  deps: HttpDeps,
  route: AnyRoute,
  gate: ReturnType<typeof createAccessCheck>,
  deadline: BodyDeadline | null,
  memory: BodyMemory | null,
): void {
  const awaits = route.method === "GET" ? null : deadline;
  const pass = gate(route);
  const countsBody = route.isPublic !== true;
  const mayCompress = isCompressible(route.path);
  const { body, query } = route;
  app.route({
    method: route.method,
    url: route.path,
    schema: schemaOf(route),
    ...(route.isPublic === true ? { bodyLimit: MAX_OPEN_BODY_BYTES } : {}),
    // A promise of its own would cost every call a turn, so what awaits nothing is a hook with a callback.
    onRequest:
      awaits === null
        ? pass
        : [
            (request, _reply, done) => (awaits.begin(request), done()),
            pass,
            (request, reply, done) => (countsBody && memory?.reserve(request, reply), done()),
          ],
    async handler(request, reply) {
      awaits?.end(request);
      const answer = await route.handle({
        deps,
        actor: request.actor as Actor,
        authorized: request.authorized,
        query: query === undefined ? EMPTY : (readObject(query, request.query, true) as never),
        body: body === undefined ? EMPTY : (readObject(body, request.body ?? EMPTY) as never),
        request,
        reply,
      });
      if (reply.sent || answer === reply) return reply;
      reply.header("Content-Type", JSON_TYPE);
      const json = answer instanceof Readable ? answer : answer instanceof RawJson ? answer.body : JSON.stringify(answer);
      return mayCompress ? sendCompressed(request, reply, json) : reply.send(json);
    },
  });
}

const hasProperties = (schema: TObject | undefined): schema is TObject => schema !== undefined && Object.keys(schema.properties).length > 0;

function schemaOf(route: AnyRoute): object {
  return {
    ...(route.isHidden === true ? { hide: true } : {}),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(hasProperties(route.body) ? { body: route.body } : {}),
    ...(route.form === undefined ? {} : { consumes: ["multipart/form-data"], body: formOf(route.form) }),
    ...(hasProperties(route.query) ? { querystring: route.query } : {}),
    response: { 200: route.response, ...(route.mayReturnAccepted === true ? { 202: route.response } : {}) },
  };
}

/** The form as the document shows it: its fields, and the file. */
const formOf = (fields: TObject): object => ({
  ...fields,
  properties: { ...fields.properties, file: { type: "string", format: "binary", description: "The file." } },
  required: ["file"],
});

function toUnknownRouteError(allowedMethods: (path: string) => string[], request: FastifyRequest, reply: FastifyReply): AppError {
  const methods = allowedMethods(request.url.split("?", 1)[0] as string);
  if (methods.length === 0) return new AppError("not_found", "Not found.");
  reply.header("Allow", methods.join(", "));
  return new AppError("method_not_allowed", `Method not allowed. This path takes ${methods.join(", ")}.`);
}
