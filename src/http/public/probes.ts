import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import type { AppError } from "#domain/core/error.ts";
import type { Store } from "#domain/store.ts";
import type { ModelMeter } from "#domain/model/usage.ts";
import { isLocalCaller } from "../auth/loopback.ts";
import { JSON_TYPE } from "../response/headers.ts";

/** When to ask again for a storage with a problem that takes the operator's help. */
const READY_RETRY_SECONDS = 5;

type WaitingTiles = Awaited<ReturnType<Store["tiles"]["counts"]>>;

export type Probes = {
  readonly routes: readonly { readonly method: "GET"; readonly path: string }[];
  /** Returns what keeps the storage from working; null if it works. */
  readonly checkStorage: () => Promise<AppError | null>;
  readonly metricsToken: string;
  readonly registry: Registry;
  /** Records a completed request; `seconds` is its total time. */
  observe(method: string, route: string, status: number, seconds: number): void;
};

const PATHS = ["/health/live", "/health/ready", "/metrics", "/openapi.json"];

export function createProbes(
  store: Store,
  metricsToken: string,
  meter: ModelMeter,
  droppedLogLines: () => number,
  checkStorage: Probes["checkStorage"],
): Probes {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "tessera_http_requests_total",
    help: "Completed requests.",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "tessera_http_request_seconds",
    help: "Duration of requests, in seconds.",
    labelNames: ["route"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  addTileGauges(registry, store);
  addRebuildGauge(registry, store);
  addBackupGauge(registry, store);
  addModelCounters(registry, meter);
  addLogCounter(registry, droppedLogLines);
  // Looking up a series by its labels costs more than incrementing it.
  const known = new Map<string, { readonly count: Counter.Internal; readonly time: Histogram.Internal<"route"> }>();
  return {
    routes: PATHS.map((path) => ({ method: "GET", path })),
    checkStorage,
    metricsToken,
    registry,
    observe(method, route, status, seconds) {
      const name = `${method} ${status} ${route}`;
      let series = known.get(name);
      if (series === undefined) {
        series = { count: requests.labels({ method, route, status }), time: durations.labels({ route }) };
        known.set(name, series);
      }
      series.count.inc();
      series.time.observe(seconds);
    },
  };
}

/** Adds the gauge of boards whose search index is built anew, such as after damage. */
function addRebuildGauge(registry: Registry, store: Store): void {
  const rebuilding = new Gauge({
    name: "tessera_index_rebuilding_boards",
    help: "Boards whose search index is being built anew, after damage or by the command reindex.",
    registers: [registry],
    async collect() {
      rebuilding.set((await store.indexRebuild.unfinished()).length);
    },
  });
}

/**
 * Adds the gauges of waiting tiles. Each has a `collect` of its own, because a gauge that another one sets is rendered with the value of
 * the scrape before. The gauges of one scrape share one reading.
 */
function addTileGauges(registry: Registry, store: Store): void {
  let reading: Promise<WaitingTiles> | undefined;
  const readCounts = (): Promise<WaitingTiles> => (reading ??= store.tiles.counts().finally(() => (reading = undefined)));
  const addGauge = (name: string, help: string, select: (counts: WaitingTiles) => number): void => {
    const gauge = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        gauge.set(select(await readCounts()));
      },
    });
  };
  addGauge("tessera_tiles_processing", "Tiles that are being ingested or are queued.", ({ processing }) => processing);
  addGauge("tessera_index_pending", "Tiles whose search index is not complete yet.", ({ indexPending }) => indexPending);
}

/** Adds the gauge of the last backup. It is reported even without a schedule, so that an alert can detect missing backups. */
function addBackupGauge(registry: Registry, store: Store): void {
  const last = new Gauge({
    name: "tessera_backup_last_success_timestamp_seconds",
    help: "When the last successful backup ended, scheduled or requested on the page; 0 if there is none.",
    registers: [registry],
    async collect() {
      last.set(((await store.backups.lastSuccess()) ?? 0) / 1_000);
    },
  });
}

function addLogCounter(registry: Registry, droppedLogLines: () => number): void {
  const dropped = new Counter({
    name: "tessera_log_lines_dropped_total",
    help: "Log lines that could not be written to standard output.",
    registers: [registry],
    collect() {
      dropped.reset();
      dropped.inc(droppedLogLines());
    },
  });
}

/** Calls and tokens of language models. Labels have fixed values, never API keys or model names. */
function addModelCounters(registry: Registry, meter: ModelMeter): void {
  const calls = new Counter({
    name: "tessera_model_calls_total",
    help: "Calls of language models, by outcome.",
    labelNames: ["endpoint", "outcome"],
    registers: [registry],
    collect() {
      calls.reset();
      for (const { endpoint, outcome, count } of meter.calls()) calls.inc({ endpoint, outcome }, count);
    },
  });
  const tokens = new Counter({
    name: "tessera_model_tokens_total",
    help: "Input and output tokens of language models.",
    labelNames: ["direction", "endpoint"],
    registers: [registry],
    collect() {
      tokens.reset();
      for (const { endpoint, usage } of meter.tokens())
        for (const direction of ["input", "output"] as const) tokens.inc({ direction, endpoint }, usage[direction]);
    },
  });
}

/** Adds the public routes: health checks, metrics and the OpenAPI document. They contain no data of a business. */
export function addProbes(app: FastifyInstance, probes: Probes): void {
  app.get("/health/live", async (_request, reply) => reply.send({ status: "ok" }));
  app.get("/health/ready", async (_request, reply) => {
    const problem = await probes.checkStorage();
    if (problem === null) return reply.send({ status: "ok" });
    return reply
      .code(503)
      .header("Retry-After", String(problem.retryAfterSeconds ?? READY_RETRY_SECONDS))
      .send({ error: problem.message, code: problem.code });
  });
  app.get("/metrics", async (request, reply) => {
    if (!mayReadMetrics(request, probes.metricsToken))
      return reply.code(403).send({ error: "Metrics are available on loopback without a proxy, or with METRICS_TOKEN as a bearer token." });
    return reply.header("Content-Type", probes.registry.contentType).send(await probes.registry.metrics());
  });
  // One buffer for all responses: a client that does not read holds no copy of it.
  let openApi: Buffer | undefined;
  app.get("/openapi.json", async (_request, reply) => {
    openApi ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.header("Content-Type", JSON_TYPE).send(openApi);
  });
}

/** Compares digests in constant time, so that the duration reveals neither the length nor the position of a difference. */
const isEqual = (given: string, expected: string): boolean =>
  timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));

function mayReadMetrics(request: FastifyRequest, token: string): boolean {
  if (token !== "" && isEqual(request.headers.authorization ?? "", `Bearer ${token}`)) return true;
  return isLocalCaller(request.raw);
}
