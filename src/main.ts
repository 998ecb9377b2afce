import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type Config, ConfigError, readConfig } from "#config";
import type { Actor } from "#domain/core/access.ts";
import { messageOf } from "#domain/core/error.ts";
import { type ServiceLog, createLog } from "#composition/log.ts";
import { startDelivering } from "#service/background/deliver.ts";
import { createProbes } from "#http/public/probes.ts";
import { createRoutes } from "#http/routes/all.ts";
import { createServer } from "#http/server/server.ts";
import { readWebPage } from "#http/public/web-page.ts";
import { createCursorCodec } from "#http/listing/cursor.ts";
import { createListingCache } from "#http/fast-path/listing-cache.ts";
import { createHostGuard } from "#http/auth/host-guard.ts";
import { createCsrfGuard } from "#http/auth/csrf-guard.ts";
import { createLiveStreams } from "#http/streams/live.ts";
import { createDeviceCookie } from "#http/auth/device-cookie.ts";
import { createSessionCookie } from "#http/auth/session-cookie.ts";
import { createRateLimiter } from "#service/rate-limit.ts";
import { startBackups } from "#service/background/backups.ts";
import { type GenerationRunner, startGenerating } from "#service/generation/runner.ts";
import { createLogInThrottle } from "#service/people/log-in-throttle.ts";
import { startHousekeeping, trackKeyUse } from "#service/background/housekeeping.ts";
import { offerClaim } from "#service/people/claim.ts";
import { isSecureAddress } from "#service/people/secure-address.ts";
import { startRefreshing } from "#service/background/refresh.ts";
import { createThumbnails } from "#service/content/thumbnails.ts";
import { readPictureHead } from "#ingest/read/media/picture.ts";
import { type AppContext, openAppContext } from "#composition/app-context.ts";
import { startBackground } from "#composition/background.ts";
import { exitOnCrash, surviveBrokenOutput } from "#composition/crash.ts";
import { createConfiguredMcpHandler } from "#composition/mcp-handler.ts";
import { boundThreads, releaseStartupMemory } from "#composition/tuning/startup-memory.ts";
import { runInContext, type WorkContext } from "#runtime/work-context.ts";
import { takeLock } from "#storage/sqlite/engine/lock.ts";

/** How long a stop waits for links and for calls (at the same time), then for events, in milliseconds; within 10 s in all. */
const STOP_LINKS_MS = 6_000;
const STOP_CALLS_MS = 3_000;
/** Less than calls have, so that those who wait for a generation are told how it ended. */
const STOP_GENERATIONS_MS = 2_000;
const STOP_EVENTS_MS = 2_000;
/** A small backup ends within it; a large one is given up. */
const STOP_BACKUPS_MS = 2_000;
const STOP_AT_ONCE_MS = 9_500;

const WEB_DIST = join(import.meta.dirname, "../web/dist");

export type Service = {
  readonly url: string;
  /** The link that makes the first owner, once; null where the install is owned, or this process answers no calls. */
  readonly claimUrl: string | null;
  stop(): Promise<void>;
};

/** What a process needs to end in order after an unexpected error. */
export type CrashTools = {
  readonly log: ServiceLog["log"];
  /** Stops accepting calls, counts the crash by the context of the code that failed, and hands all jobs back. */
  recordCrash(context: WorkContext | undefined): Promise<{ readonly counted?: readonly string[] }>;
};

/**
 * Starts everything that `config` asks for; answers once calls are accepted. `prepareForCrash` is called before the first job runs,
 * which is before the start is over.
 */
export async function startService(config: Config, prepareForCrash: (tools: CrashTools) => void = () => {}): Promise<Service> {
  const serviceLog = await createLog(config.logLevel);
  const { log } = serviceLog;
  const release = config.databaseUrl === "" ? claimDataDir(config) : () => {};
  const stops: (() => Promise<void>)[] = [async () => release()];
  try {
    const appContext = await openAppContext(config);
    stops.push(appContext.close);
    const keyUse = trackKeyUse(appContext.deps.store, log);
    stops.push(keyUse.stop);
    if (config.role !== "api") {
      const { store, secretBox } = appContext.deps;
      await Promise.all([store.queue.recover(Date.now()), store.webhooks.recover(Date.now())]);
      const delivering = startDelivering({
        store,
        clock: appContext.deps.clock,
        secretBox,
        sender: appContext.webhookSender,
        timeoutMs: config.webhookTimeoutMs,
        log,
      });
      stops.push(
        () => delivering.stop(STOP_EVENTS_MS),
        startHousekeeping(appContext.deps, log).stop,
        startRefreshing(appContext.deps, log).stop,
      );
    }
    const backups =
      config.role === "api" ? null : startBackups({ ...appContext.deps, folder: appContext.backupFolder, node: hostname(), log });
    stops.push(async () => backups?.stop(0));
    const runner = startGenerating(appContext.deps, log);
    stops.push(() => runner.stop(0));
    const app = await buildServer(config, appContext, serviceLog, keyUse.record, runner);
    const background = config.role === "api" ? null : startBackground(config, appContext, log);
    prepareForCrash({
      log,
      async recordCrash(context) {
        cutOff(app);
        return (await background?.recordCrash(context)) ?? {};
      },
    });
    stops.push(async () => {
      await Promise.all([
        closeServer(app),
        runner.stop(STOP_GENERATIONS_MS),
        background?.stop(STOP_LINKS_MS),
        backups?.stop(STOP_BACKUPS_MS),
      ]);
    });
    // Connections inherit the context in which the server began to listen, and with them everything that a call does.
    await runInContext({ kind: "call" }, () => app.listen({ port: config.port, host: config.host }));
    const { port } = app.server.address() as AddressInfo;
    const host = config.host.includes(":") ? `[${config.host}]` : config.host;
    const url = `http://${host}:${port}`;
    const token = config.role === "worker" ? null : await offerClaim(appContext.deps);
    const claimUrl = token === null ? null : `${config.baseUrl === "" ? url : config.baseUrl}/claim#${token}`;
    return { url, claimUrl, stop: stopAll(stops) };
  } catch (error) {
    await stopAll(stops)();
    throw error;
  }
}

/** Stops in the reverse order of starting; stopping twice is stopping once. */
function stopAll(stops: readonly (() => Promise<void>)[]): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= (async () => {
      for (const stop of stops.toReversed()) await stop();
    })();
    return stopped;
  };
}

function claimDataDir(config: Config): () => void {
  const server = takeLock(config.dataDir, "server", "shared");
  if (server === null) throw new Error("A restore is under way on this data directory. Start again when it is done.");
  if (config.role === "api") return server.release;
  const worker = takeLock(config.dataDir, "worker", "alone");
  if (worker === null) {
    server.release();
    throw new Error(
      `Another Tessera server works on ${config.dataDir} already. Stop it first, choose another DATA_DIR, or start this one with ROLE=api.`,
    );
  }
  return () => {
    worker.release();
    server.release();
  };
}

const list = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

async function buildServer(
  config: Config,
  appContext: AppContext,
  { log, logRequest, droppedLines }: ServiceLog,
  onUse: (actor: Actor) => void,
  runner: GenerationRunner,
): Promise<FastifyInstance> {
  const { deps } = appContext;
  const limiter = createRateLimiter(deps.clock, deps.store.allowances);
  const live = createLiveStreams(deps.store, deps.clock);
  return createServer({
    deps: {
      ...deps,
      onEmbedderFailure: (error) => log.warn({ cause: messageOf(error) }, "a question got no vector and is answered by its words alone"),
      onModelFailure: ({ failure, message, cause }) => log.warn({ failure, cause: cause === undefined ? "" : messageOf(cause) }, message),
      runner,
      thumbnails: createThumbnails({ store: deps.store, fetcher: appContext.fetcher, clock: deps.clock, readHead: readPictureHead }),
      mcp: createConfiguredMcpHandler(config, appContext, limiter, log),
      hostGuard: createHostGuard({ host: config.host, baseUrl: config.baseUrl, corsOrigins: list(config.corsOrigins) }),
      live,
      sessionCookie: createSessionCookie(isSecureAddress(config.baseUrl, config.host)),
      deviceCookie: createDeviceCookie(appContext.secretKey, isSecureAddress(config.baseUrl, config.host)),
      csrfGuard: createCsrfGuard(config.baseUrl),
      limiter,
      logInThrottle: createLogInThrottle(deps),
      baseUrl: config.baseUrl,
      listings: createListingCache(),
      cursors: createCursorCodec(appContext.secretKey),
      limits: {
        requests: config.rateLimit,
        asks: config.rateLimitAsk,
        generateWaitMs: config.generateWaitMs,
        fileBytes: config.maxFileBytes,
      },
    },
    routes:
      config.role === "worker"
        ? []
        : createRoutes({ name: config.maxZoneName, title: config.maxTitle, content: config.maxContent, question: config.maxQuestion }),
    log,
    logRequest,
    probes: createProbes(deps.store, config.metricsToken, deps.meter, droppedLines),
    // A worker has no API that the page could speak to.
    web: config.role === "worker" ? null : readWebPage(WEB_DIST),
    maxBodyBytes: config.maxBodyBytes,
    baseUrl: config.baseUrl,
    trustProxy: list(config.trustProxy),
    corsOrigins: list(config.corsOrigins),
    onUse,
  });
}

/** Takes no more calls and ends those under way: what they would do is done in a state that nobody knows. */
function cutOff({ server }: FastifyInstance): void {
  server.close();
  server.closeAllConnections();
}

async function closeServer(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), STOP_CALLS_MS);
  await app.close();
  clearTimeout(timer);
}

/** `npm start`: runs until SIGTERM or SIGINT. */
export async function run(): Promise<void> {
  surviveBrokenOutput();
  boundThreads();
  let service: Service;
  try {
    service = await startService(readConfig(process.env), ({ log, recordCrash }) => exitOnCrash({ log, handBack: recordCrash }));
  } catch (error) {
    process.stderr.write(
      `${error instanceof ConfigError ? "A setting can't be used: " : "Tessera could not start: "}${messageOf(error)}\n`,
    );
    process.exit(1);
  }
  process.stdout.write(`Tessera is ready on ${service.url}\n`);
  if (service.claimUrl !== null) process.stdout.write(`Nobody owns this install yet. Become its owner, once, by ${service.claimUrl}\n`);
  releaseStartupMemory();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      // Nothing is lost by it: what is under way is under a lease, and taken up again by the next start.
      setTimeout(() => process.exit(0), STOP_AT_ONCE_MS).unref();
      service.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`Stopping failed: ${messageOf(error)}\n`);
          process.exit(1);
        },
      );
    });
  }
}
