import { Counter, Gauge, Histogram, type Registry, collectDefaultMetrics } from "@prometheus-io/client";
import type { ErrorCode } from "#domain/core/errors/error-codes.ts";

/** How often the delay of the event loop is measured. A block that lasts longer is always noticed. */
const SAMPLE_MS = 100;
const DELAY_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];
const REQUEST_BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

export type BuildInfo = { readonly version: string; readonly node: string; readonly storage: "sqlite" | "postgres"; readonly role: string };

/** Adds what every process reports about itself. Returns the function that ends the measurement of the event loop. */
export function addProcessMetrics(registry: Registry, { version, node, storage, role }: BuildInfo): () => void {
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "tessera_build_info",
    help: "1, with the version of Tessera and of Node, the storage and the role of the process as labels.",
    labelNames: ["version", "node", "storage", "role"],
    registers: [registry],
  }).set({ version, node, storage, role }, 1);
  return measureEventLoop(registry);
}

/** Measures how late timers run, since everything else that waits for the event loop is as late. */
function measureEventLoop(registry: Registry): () => void {
  const delays = new Histogram({
    name: "tessera_event_loop_delay_seconds",
    help: "How late the event loop of the process runs, in seconds, measured ten times a second.",
    buckets: DELAY_BUCKETS,
    registers: [registry],
  });
  let expected = performance.now() + SAMPLE_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - expected) / 1_000);
    expected = now + SAMPLE_MS;
  }, SAMPLE_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Adds the counter of lines that the log could not write. */
export function addLogCounter(registry: Registry, droppedLogLines: () => number): void {
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

/** Adds the counter of error responses. Returns the function that counts one. */
export function addErrorCounter(registry: Registry): (code: ErrorCode) => void {
  const errors = new Counter({
    name: "tessera_http_errors_total",
    help: "Error responses, by the code in X-Error-Code.",
    labelNames: ["code"],
    registers: [registry],
  });
  return (code) => errors.inc({ code });
}

/** Adds the metrics of requests. Returns the function that records a completed one. */
export function addRequestMetrics(registry: Registry): (method: string, route: string, status: number, seconds: number) => void {
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
    buckets: REQUEST_BUCKETS,
    registers: [registry],
  });
  return (method, route, status, seconds) => {
    requests.inc({ method, route, status });
    durations.observe({ route }, seconds);
  };
}
