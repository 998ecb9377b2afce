import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Config } from "#config";
import { startIndexer } from "#ingest/indexer.ts";
import { runJob } from "#ingest/run-job.ts";
import { startWorker } from "#ingest/worker.ts";
import { decodeBody } from "#net/charset.ts";
import type { Foundation } from "./foundation.ts";

/** The share of time the main thread works, above which indexing waits. */
const BUSY = 0.5;

/** Starts ingestion and indexing; answers the way to stop them, which waits up to `graceMs` for links that are under way. */
export function startBackground(config: Config, foundation: Foundation, log: Logger, graceMs: number): () => Promise<void> {
  const { deps, fetcher, pool } = foundation;
  const { queue, search } = deps.store;
  const worker = startWorker({
    queue,
    run: (job, signal) => runJob({ fetcher, decode: decodeBody, cleaner: pool }, job, signal),
    clock: deps.clock,
    concurrency: config.ingestConcurrency,
    perHost: config.ingestPerHost,
    timeoutMs: config.ingestTimeoutMs,
    log,
  });
  const indexer = startIndexer({
    search,
    analyser: deps.analyser,
    onChange: (wake) => queue.onWork(wake),
    isBusy: watchLoad(),
    clock: deps.clock,
    log,
  });
  return async () => {
    await Promise.all([worker.stop(graceMs), indexer.stop()]);
  };
}

/** Tells whether the main thread was busy since it was last asked. */
function watchLoad(): () => boolean {
  let earlier = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, earlier);
    earlier = now;
    return utilization > BUSY;
  };
}
