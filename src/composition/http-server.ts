import type { FastifyInstance } from "fastify";
import type { Config } from "#config";
import type { Actor } from "#domain/core/access.ts";
import { getErrorMessage } from "#domain/core/errors/error.ts";
import type { Metrics } from "#http/public/metrics/metrics.ts";
import { createProbes } from "#http/public/probes.ts";
import { createRoutes } from "#http/routes/all.ts";
import { createServer } from "#http/server/server.ts";
import { createCursorCodec } from "#http/listing/cursor.ts";
import { createListingCache } from "#http/listing/listing-cache.ts";
import { createBodyMemory } from "#http/request/body/body-memory.ts";
import { createResponseMemory } from "#http/response/response-memory.ts";
import { createAccessWatch } from "#http/auth/access-watch.ts";
import { createHostGuard, createLinkBase } from "#http/auth/host-guard.ts";
import { createCsrfGuard } from "#http/auth/csrf-guard.ts";
import { createLiveStreams } from "#http/streams/live.ts";
import { createDeviceCookie } from "#http/auth/device-cookie.ts";
import { createSessionCookie } from "#http/auth/session-cookie.ts";
import type { Deps } from "#service/deps.ts";
import { createRateLimiter } from "#service/rate-limit.ts";
import type { GenerationRunner } from "#service/generation/runner.ts";
import type { StorageWatch } from "#service/background/storage-watch.ts";
import { createLogInThrottle } from "#service/people/log-in-throttle.ts";
import { isSecureAddress } from "#service/people/secure-address.ts";
import { createThumbnails } from "#service/content/thumbnails.ts";
import { readPictureHead } from "#ingest/read/media/picture.ts";
import type { AppContext } from "./app-context.ts";
import type { ServiceLog } from "./log/log.ts";
import { toInputLimits } from "./input-limits.ts";
import { createConfiguredMcpHandler } from "./mcp-handler.ts";
import { divideHandles } from "./start/connection-limit.ts";
import { readBuiltPage } from "./start/page.ts";

const splitList = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** What the server needs besides the services. */
export type HttpServerParts = {
  readonly onUse: (actor: Actor) => void;
  readonly logRequest: ServiceLog["logRequest"];
  readonly checkStorage: StorageWatch["check"];
  readonly runner: GenerationRunner;
  readonly metrics: Metrics;
};

/** Creates the HTTP server over the services. A worker gets health checks and metrics alone. */
export async function openHttpServer(
  config: Config,
  appContext: AppContext,
  { onUse, checkStorage, logRequest, runner, metrics }: HttpServerParts,
): Promise<FastifyInstance> {
  const { deps } = appContext;
  const memory = { bodies: createBodyMemory(config.maxBodyBytes), responses: createResponseMemory() };
  metrics.addLoad({
    memory: { request_bodies: memory.bodies.shares, responses: memory.responses.shares },
    queues: { work: deps.workQueue, questions: deps.questionQueue, generations: deps.materialQueue },
  });
  metrics.addStore({ store: deps.store, checkStorage, now: deps.clock.now });
  const limiter = createRateLimiter(deps.clock, deps.store.rateLimits);
  const { connections, warning } = divideHandles(config);
  if (warning !== null) deps.log.warn({}, warning);
  const accessWatch = watchAccess(deps);
  return createServer({
    deps: {
      ...deps,
      ...memory,
      runner,
      thumbnails: createThumbnails({ store: deps.store, fetcher: appContext.fetcher, clock: deps.clock, readHead: readPictureHead }),
      mcp: createConfiguredMcpHandler(config, appContext, runner, limiter),
      hostGuard: createHostGuard({ host: config.host, baseUrl: config.baseUrl, corsOrigins: config.corsOrigins }),
      accessWatch,
      live: createLiveStreams(deps.store, deps.clock, accessWatch),
      sessionCookie: createSessionCookie(isSecureAddress(config.baseUrl, config.host)),
      deviceCookie: createDeviceCookie(appContext.secretKey.value, isSecureAddress(config.baseUrl, config.host)),
      csrfGuard: createCsrfGuard(config.baseUrl),
      limiter,
      readKeyState: async () => (await appContext.secretKey.problem())?.state ?? "ok",
      logInThrottle: createLogInThrottle(deps),
      linkBase: createLinkBase(config),
      listings: createListingCache(),
      cursors: createCursorCodec(appContext.secretKey.value),
      limits: {
        requests: config.rateLimit,
        asks: config.rateLimitAsk,
        generateWaitMs: config.generateWaitMs,
        fileBytes: config.maxFileBytes,
      },
    },
    routes: config.role === "worker" ? [] : createRoutes(toInputLimits(config)),
    logRequest,
    probes: createProbes({ metrics, metricsToken: config.metricsToken, checkStorage }),
    // A worker has no API for the page.
    web: config.role === "worker" ? null : readBuiltPage(),
    maxBodyBytes: config.maxBodyBytes,
    maxConnections: connections,
    baseUrl: config.baseUrl,
    trustProxy: splitList(config.trustProxy),
    corsOrigins: config.corsOrigins,
    onUse,
  });
}

const watchAccess = ({ store, clock, log }: Deps): ReturnType<typeof createAccessWatch> =>
  createAccessWatch(store, clock, (error) =>
    log.warn({ cause: getErrorMessage(error) }, "could not check whether the keys and sessions of open streams are still valid"),
  );
