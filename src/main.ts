import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { type Config, ConfigError, readConfig } from "#config";
import { getErrorMessage, isUnavailable } from "#domain/core/errors/error.ts";
import type { Log } from "#domain/core/log.ts";
import { type AppContext, openAppContext } from "#composition/app-context.ts";
import { openMetrics } from "#composition/start/metrics.ts";
import { openOutput } from "#composition/start/output.ts";
import { stopOnSignals } from "#composition/start/signals.ts";
import { type Background, startBackground } from "#composition/background.ts";
import { startBackgroundServices } from "#composition/background-services.ts";
import { exitOnCrash, watchOutputErrors } from "#composition/crash.ts";
import { lockDataDir } from "#composition/start/data-dir-lock.ts";
import { openHttpServer } from "#composition/http-server.ts";
import { type ServiceLog, createLog } from "#composition/log/log.ts";
import { makeShrinkable } from "#composition/start/shrinkable.ts";
import { describeShortKey } from "#composition/secrets/key-length.ts";
import { describeStorageError } from "#composition/start/installation.ts";
import { describeListenFailure } from "#composition/start/listen-failure.ts";
import { requirePort } from "#composition/start/port.ts";
import { upgradeDatabase } from "#composition/start/upgrade.ts";
import { limitThreads, releaseStartupMemory } from "#composition/tuning/startup-memory.ts";
import { describeFailure } from "#runtime/process/failure.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import { type Stop, stopAll } from "#runtime/process/stop-all.ts";
import { startSequencer } from "#service/background/sequence.ts";
import { trackUse } from "#service/background/housekeeping.ts";
import { watchStorage } from "#service/background/storage-watch.ts";
import { startGenerationRunner } from "#service/generation/runner.ts";
import { createSetupToken } from "#service/people/first-run-setup.ts";

/** Shutdown timeouts: jobs and calls (concurrently), then deliveries. Together they are below 10 s. */
const STOP_JOBS_MS = 6_000;
const STOP_CALLS_MS = 3_000;
/** Less than for calls, so that calls that wait for a generation get its result. */
const STOP_GENERATIONS_MS = 2_000;
const STOP_EVENTS_MS = 2_000;
/** Enough for a small backup. A longer one is aborted. */
const STOP_BACKUPS_MS = 2_000;

export type Service = {
  readonly url: string;
  /** The one-time link that creates the owner account. Null when there is an owner already, and for a worker. */
  readonly setupUrl: string | null;
  readonly log: Log;
  stop(): Promise<void>;
};

/** What a process needs to end in order after an unexpected error. */
export type CrashTools = {
  readonly log: ServiceLog["log"];
  /** Stops accepting calls, and counts the crash as an attempt of the jobs that run. */
  recordCrash(): Promise<{ readonly counted?: readonly string[] }>;
};

/**
 * Starts everything that `config` asks for, and resolves once calls are accepted. `prepareForCrash` is called before the first job runs,
 * which is before the start is complete.
 */
export async function startService(config: Config, prepareForCrash: (tools: CrashTools) => void = () => {}): Promise<Service> {
  const serviceLog = await createLog(config);
  const { log } = serviceLog;
  await requirePort(config);
  const upgraded = await upgradeDatabase(config);
  if (upgraded !== null) log.warn({}, upgraded);
  makeShrinkable(config, log);
  const unlock = lockDataDir(config);
  const stops: Stop[] = [unlock];
  try {
    const metrics = openMetrics(config, serviceLog.droppedLines);
    stops.push(metrics.stop);
    const appContext = await openAppContext(config, { meter: metrics.meter, log });
    stops.push(appContext.close);
    const storage = watchStorage(appContext.deps.store, log);
    stops.push(storage.stop);
    storage.onRecovery(appContext.storeSessions);
    // On a full disk the server starts all the same, and reads.
    await storage.check();
    await reportSecretKey(appContext);
    const shortKey = describeShortKey(config);
    if (shortKey !== null) log.warn({}, `${shortKey} "${formatCommand("doctor")}" says how to replace it.`);
    const use = trackUse({ ...appContext.deps, mayRun: storage.mayWrite });
    stops.push(use.stop);
    const sequencer = startSequencer({ ...appContext.deps, mayRun: storage.mayWrite });
    stops.push(sequencer.stop);
    const services = config.role === "api" ? null : await startBackgroundServices(config, appContext, storage);
    if (services !== null) stops.push(() => services.stop(STOP_EVENTS_MS));
    const runner = startGenerationRunner(appContext.deps);
    stops.push(() => runner.stop(0));
    const parts = { onUse: use.record, checkStorage: storage.check, logRequest: serviceLog.logRequest, runner, metrics };
    const app = await openHttpServer(config, appContext, parts);
    let background: Background | null = null;
    // Before the next start, which can fail: the server is closed then too.
    stops.push(async () => {
      await stopAll([
        () => closeServer(app),
        () => runner.stop(STOP_GENERATIONS_MS),
        () => background?.stop(STOP_JOBS_MS),
        () => services?.stopBackups(STOP_BACKUPS_MS),
      ]);
    });
    if (config.role !== "api") background = startBackground(config, appContext, storage.mayWrite);
    prepareForCrash({
      log,
      async recordCrash() {
        closeAllConnections(app);
        return (await background?.recordCrash()) ?? {};
      },
    });
    const url = await listen(app, config);
    return { url, setupUrl: await createSetupUrl(config, appContext, url), log, stop: stopOnce(stops) };
  } catch (error) {
    // What could not be stopped must not hide why the start failed.
    await stopOnce(stops)().catch((stopError: unknown) => log.error({ err: stopError }, "a failed start could not be undone completely"));
    throw describeStorageError(config, error);
  }
}

/** Logs what is wrong with the secret key. A key that replaces one which opened nothing is used from now on. */
async function reportSecretKey({ secretKey, deps: { log } }: AppContext): Promise<void> {
  const problem = await secretKey.problem();
  if (problem !== null) return log.error({}, `${problem.found} ${problem.fix}`);
  if (!secretKey.isReplaced) return;
  log.warn({}, "The secret key is another one than before. Nothing was encrypted with that one, so this one is used from now on.");
  await secretKey.adopt();
}

/** Returns the URL that the server listens on. */
async function listen(app: FastifyInstance, { port, host }: Config): Promise<string> {
  await app.listen({ port, host }).catch((error: unknown) => {
    throw new Error(describeListenFailure(error, { port, host }) ?? getErrorMessage(error), { cause: error });
  });
  const address = app.server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}

async function createSetupUrl({ role, baseUrl }: Config, { deps }: AppContext, url: string): Promise<string | null> {
  const token = role === "worker" ? null : await createSetupToken(deps).catch(ignoreFullDisk);
  return token === null ? null : `${baseUrl === "" ? url : baseUrl}/claim#${token}`;
}

/** A link that can't be stored is printed by a later start. */
function ignoreFullDisk(error: unknown): null {
  if (isUnavailable(error)) return null;
  throw error;
}

/** Stops everything in the reverse order of its start. Further calls return the same promise. */
function stopOnce(stops: readonly Stop[]): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stopAll(...stops.toReversed().map((stop) => [stop])));
}

/** Stops accepting calls and closes all connections, since the state of the process is unknown. */
function closeAllConnections({ server }: FastifyInstance): void {
  server.close();
  server.closeAllConnections();
}

async function closeServer(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), STOP_CALLS_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
}

/** `npm start`: runs until SIGTERM or SIGINT. */
export async function run(): Promise<void> {
  watchOutputErrors();
  const announce = openOutput(process.env.LOG_FORMAT);
  limitThreads();
  let service: Service;
  try {
    service = await startService(readConfig(process.env), ({ log, recordCrash }) => exitOnCrash({ log, returnJobs: recordCrash }));
  } catch (error) {
    announce("fatal", `${error instanceof ConfigError ? "Invalid setting: " : "Tessera could not start: "}${describeFailure(error)}`);
    process.exit(1);
  }
  stopOnSignals(service, announce);
  const { url, setupUrl } = service;
  announce("info", `Tessera is ready on ${url}`, { url });
  if (setupUrl !== null)
    announce("info", `This install has no owner yet. Create the owner account with this one-time link: ${setupUrl}`, { setupUrl });
  releaseStartupMemory();
}
