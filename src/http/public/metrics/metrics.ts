import { Registry } from "@prometheus-io/client";
import type { ErrorCode } from "#domain/core/errors/error-codes.ts";
import type { Meter } from "#domain/metrics/meter.ts";
import { createMeter } from "./meter.ts";
import { type Load, addLoadGauges } from "./load-gauges.ts";
import { addErrorCounter, addLogCounter, addProcessMetrics, addRequestMetrics, type BuildInfo } from "./process.ts";
import { addStoreGauges, type StoreGaugeDeps } from "./store-gauges.ts";

/** The metrics of one process. */
export type Metrics = {
  /** Counts what the process does. */
  readonly meter: Meter;
  /** Records a completed request; `seconds` is its total time. */
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Counts an error response. */
  countError(code: ErrorCode): void;
  /** Adds the gauges of what callers hold of this process. */
  addLoad(load: Load): void;
  /** Adds the gauges of the installation, once its store is open. */
  addStore(deps: StoreGaugeDeps): void;
  /** Returns the metrics in the text format of Prometheus, and its media type. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
  stop(): void;
};

/** Creates the metrics of this process, and begins to measure its event loop. */
export function createMetrics(build: BuildInfo, droppedLogLines: () => number): Metrics {
  const registry = new Registry();
  const stop = addProcessMetrics(registry, build);
  addLogCounter(registry, droppedLogLines);
  return {
    meter: createMeter(registry),
    observe: addRequestMetrics(registry),
    countError: addErrorCounter(registry),
    addLoad: (load) => addLoadGauges(registry, load),
    addStore: (deps) => addStoreGauges(registry, deps),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    stop,
  };
}
