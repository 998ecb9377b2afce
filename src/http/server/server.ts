import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import type { Actor } from "#domain/core/access.ts";
import { type RequestLine, createRequestIds } from "#domain/core/system.ts";
import { createAccessCheck } from "../auth/access-check.ts";
import { buildDocument } from "../openapi/document.ts";
import { addDocsPage } from "../openapi/serve.ts";
import { type Probes, addProbes } from "../public/probes.ts";
import { type WebPage, addWebPage, createFileCheck } from "../public/web-page.ts";
import { sendError } from "../response/errors.ts";
import { setCommonHeaders } from "../response/headers.ts";
import type { AnyRoute, HttpDeps } from "../route.ts";
import { addHooks } from "./hooks.ts";
import { MAX_HEADER_BYTES, createListener, rejectUnreadable } from "./listener.ts";
import { registerRoutes } from "./register-routes.ts";
import { createRequestLogger } from "./request-log.ts";

export type ServerOptions = {
  readonly deps: HttpDeps;
  readonly routes: readonly AnyRoute[];
  readonly logRequest: (line: RequestLine) => void;
  readonly probes: Probes;
  readonly web: WebPage;
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
  readonly baseUrl: string;
  readonly trustProxy: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Called with the actor of every authenticated request. */
  readonly onUse: (actor: Actor) => void;
};

/** Builds the HTTP server. The caller starts and closes it. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { deps, routes, probes, web, onUse, corsOrigins } = options;
  const vary = corsOrigins.length > 0 ? "Origin" : null;
  const createRequestId = createRequestIds(deps.clock.now());
  const logCompleted = createRequestLogger(probes, options.logRequest, createFileCheck(web));
  const app = Fastify({
    logger: false,
    serverFactory: (handler) => createListener(handler, options.maxConnections),
    genReqId: createRequestId,
    bodyLimit: options.maxBodyBytes,
    forceCloseConnections: "idle",
    // Calls that arrive on open connections while the server stops are answered; their connections are closed afterwards.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    // An id of any length that fits the request line is looked up, and not found, like any other.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    ...(options.trustProxy.length > 0 ? { trustProxy: [...options.trustProxy] } : {}),
    frameworkErrors(error, request, reply) {
      setCommonHeaders(reply as FastifyReply, request.id, vary);
      void sendError(request, reply as FastifyReply, error);
    },
    clientErrorHandler: rejectUnreadable,
  });
  app.decorateRequest("actor", undefined);
  app.decorateRequest("authorized", undefined);
  app.decorateRequest("bodyBytes", 0);
  app.decorateRequest("isForm", false);
  app.decorateRequest("bodyDigest", undefined);

  addHooks(app, { routes, probes, web, corsOrigins, vary, log: deps.log, logCompleted });
  await addDocsPage(app, buildDocument(routes, options.baseUrl), deps.responses);
  // Streams do not end by themselves, and closing the server waits for them.
  app.addHook("preClose", async () => deps.live.closeAll());
  await registerRoutes(app, { deps, routes, checkAccess: createAccessCheck(deps, onUse) });
  addProbes(app, probes);
  addWebPage(app, web);
  return app;
}
