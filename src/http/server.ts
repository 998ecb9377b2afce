import { Readable } from "node:stream";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { TObject } from "typebox";
import type { Actor } from "#domain/core/access.ts";
import { AppError, messageOf } from "#domain/core/error.ts";
import { type RequestLine, createRequestNames } from "#domain/core/system.ts";
import { createEarlyAnswers } from "./front/early-answers.ts";
import { allowOrigin } from "./front/cors.ts";
import { JSON_TYPE, commonHeaders, setHeaders } from "./answer/headers.ts";
import { MAX_HEADER_LENGTH, createListener, refuseUnreadable } from "./front/listener.ts";
import { createCallNote } from "./front/note.ts";
import { createBodyDeadline, type BodyDeadline } from "./body/deadline.ts";
import { createBodyMemory, type BodyMemory } from "./body/memory.ts";
import { acceptAnything, acceptJson, leaveBody } from "./body/parse.ts";
import { readObject } from "./body/schema-reader.ts";
import { RawJson } from "./answer/answers.ts";
import { isCompressible, sendCompressed } from "./answer/compress.ts";
import type { AnyRoute, HttpDeps } from "./call.ts";
import { CLIENT_CLOSED_REQUEST, isClientAbort, refusalOf, sendRefusal } from "./answer/errors.ts";
import { createGate } from "./gate/gate.ts";
import { createMethodTable } from "./front/methods.ts";
import { addOpenApi } from "./open/openapi.ts";
import { type Probes, addProbes } from "./open/probes.ts";
import { type WebPage, addWebPage, sendLostPage, webRoutes } from "./open/web.ts";

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
  const note = createCallNote(options.probes, options.logRequest);
  const noteCall = (request: FastifyRequest, reply: FastifyReply, status: number): void =>
    note({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? "(unknown)",
      status,
      milliseconds: reply.elapsedTime,
      actor: request.actor,
    });
  const early = createEarlyAnswers({ deps, nameRequest, note, onUse: options.onUse, variesByOrigin });
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
      void sendRefusal(request, reply as FastifyReply, error);
    },
    clientErrorHandler: refuseUnreadable,
  });
  app.decorateRequest("actor", undefined);
  app.decorateRequest("granted", undefined);
  app.decorateRequest("rawBody", undefined);
  // The schemas are read by readObject and the answers are made by the presenters; Fastify only keeps the schemas for the document.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));

  const methodsOf = createMethodTable([...routes, ...options.probes.routes, ...webRoutes(options.web)]);
  app.addHook("onRequest", (request, reply, done) => {
    setHeaders(reply, commonHeaders(request.id, vary));
    if (variesByOrigin && allowOrigin(options.corsOrigins, request, reply)) return;
    if (!request.is404) return done();
    const refusal = unknownRoute(methodsOf, request, reply);
    if (refusal.code !== "not_found" || !sendLostPage(options.web, request, reply)) sendRefusal(request, reply, refusal);
  });
  app.setNotFoundHandler((request, reply) => sendRefusal(request, reply, unknownRoute(methodsOf, request, reply)));
  app.setErrorHandler((error, request, reply) => {
    if (isClientAbort(request, error)) {
      // No answer is sent, so `onResponse` does not run.
      noteCall(request, reply, CLIENT_CLOSED_REQUEST);
      reply.hijack();
      return;
    }
    if (refusalOf(error).isServerError) {
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
    return sendRefusal(request, reply, error);
  });
  app.addHook("onResponse", (request, reply, done) => {
    noteCall(request, reply, reply.statusCode);
    done();
  });

  await addOpenApi(app, options.baseUrl);
  const gate = createGate(deps, options.onUse);
  const memory = createBodyMemory(options.maxBodyBytes);
  const deadline = createBodyDeadline((request) => memory.release(request));
  app.addHook("onClose", async () => deadline.stop());
  // They never end by themselves in time, and a stop waits for what is open.
  app.addHook("preClose", async () => deps.live.endAll());
  await app.register(async (strict) => {
    acceptJson(strict);
    for (const route of routes)
      if (route.isLenient !== true && route.form === undefined) addRoute(strict, deps, route, gate, deadline, memory);
  });
  await app.register(async (forms) => {
    leaveBody(forms);
    for (const route of routes) if (route.form !== undefined) addRoute(forms, deps, route, gate, null, null);
  });
  await app.register(async (lenient) => {
    acceptAnything(lenient);
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
  gate: ReturnType<typeof createGate>,
  deadline: BodyDeadline | null,
  memory: BodyMemory | null,
): void {
  const awaits = route.method === "GET" ? null : deadline;
  const pass = gate(route);
  const countsBody = route.isOpen !== true;
  const mayCompress = isCompressible(route.path);
  const { body, query } = route;
  app.route({
    method: route.method,
    url: route.path,
    schema: schemaOf(route),
    ...(route.isOpen === true ? { bodyLimit: MAX_OPEN_BODY_BYTES } : {}),
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
        granted: request.granted,
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
    response: { 200: route.response, ...(route.mayBeLate === true ? { 202: route.response } : {}) },
  };
}

/** The form as the document shows it: its fields, and the file. */
const formOf = (fields: TObject): object => ({
  ...fields,
  properties: { ...fields.properties, file: { type: "string", format: "binary", description: "The file." } },
  required: ["file"],
});

function unknownRoute(methodsOf: (path: string) => string[], request: FastifyRequest, reply: FastifyReply): AppError {
  const methods = methodsOf(request.url.split("?", 1)[0] as string);
  if (methods.length === 0) return new AppError("not_found", "Not found.");
  reply.header("Allow", methods.join(", "));
  return new AppError("method_not_allowed", `Method not allowed. This path takes ${methods.join(", ")}.`);
}
