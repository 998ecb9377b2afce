import { performance } from "node:perf_hooks";
import type { Config } from "#config";
import type { Fetcher } from "#domain/content/fetch.ts";
import type { SourceSettings } from "#ingest/extract/settings.ts";
import { type Indexer, startIndexer } from "#ingest/indexing/indexer.ts";
import { rebuildBoard, startRebuilder } from "#ingest/indexing/rebuilder.ts";
import { createJobStages } from "#ingest/jobs/stages.ts";
import { startVectorIndexer } from "#ingest/vectors/vector-indexer.ts";
import { runJob } from "#ingest/run-job.ts";
import { type CrashRecord, startWorker } from "#ingest/worker.ts";
import { decodeBody } from "#ingest/read/plain/charset.ts";
import { type MediaSettings, openMediaReaders } from "#llm/media/readers.ts";
import type { Deps } from "#service/deps.ts";
import { meterReaders } from "#service/usage.ts";
import { stopAll } from "#runtime/process/stop-all.ts";
import { delay } from "#runtime/wait.ts";
import type { AppContext } from "./app-context.ts";
import { createIndexLock } from "./start/index-lock.ts";

/** Indexing waits while the event loop utilisation of the main thread is above this. */
const MAX_UTILIZATION = 0.5;
/** How often to look whether the tiles of a rebuilt board are indexed. */
const WAITING_POLL_MS = 100;

export type Background = {
  /** Waits up to `graceMs` for running jobs. */
  stop(graceMs: number): Promise<void>;
  /** For a crashing process: counts the crash as an attempt of the running jobs, and returns them to the queue. */
  recordCrash(): Promise<CrashRecord>;
};

/** Starts ingestion, indexing and embedding. They wait while `mayRun` returns false. */
export function startBackground(config: Config, appContext: AppContext, mayRun: () => boolean = () => true): Background {
  const { deps, fetcher, pool } = appContext;
  const { files, progress, queue, vectors } = deps.store;
  const { log } = deps;
  const common = { clock: deps.clock, mayRun, log };
  const opened = openMediaReaders(selectMediaSettings(config));
  const media = meterReaders(opened.readers, deps.meter);
  const stages = createJobStages({ progress, clock: deps.clock, log, timeStage: (...args) => deps.meter.timeStage(...args) });
  const worker = startWorker({
    queue,
    run: (job, signal, clock) => {
      // Load the embedding model while the link is fetched.
      deps.embedder?.prepare();
      return runJob(
        {
          ...stages.watch(job, {
            fetcher: fetchFor(fetcher, job.businessId),
            reader: pool.reader({ business: job.businessId, clock }),
            media,
          }),
          decode: decodeBody,
          settings: selectSourceSettings(config),
          now: deps.clock.now,
          timeoutMs: config.ingestTimeoutMs,
          readUpload: files.read,
        },
        job,
        signal,
        clock,
      );
    },
    onEnd: stages.end,
    meter: deps.meter,
    concurrency: config.ingestConcurrency,
    perHost: config.ingestPerHost,
    timeoutMs: config.ingestTimeoutMs,
    ...common,
  });
  const indexer = startIndexing(config, appContext, watchLoad(), mayRun);
  const rebuilder = startRebuilder({ rebuild: deps.store.indexRebuild, mayRun, log });
  const vectorIndexer = startVectorIndexer({
    vectors,
    embedder: deps.embedder,
    onChange: (wake) => queue.onWork(wake),
    isBusy: watchLoad(),
    ...common,
  });
  return {
    async stop(graceMs) {
      await stopAll(
        [() => worker.stop(graceMs), () => indexer.stop(), () => rebuilder.stop(), () => vectorIndexer.stop()],
        [stages.stop],
        [opened.close],
      );
    },
    recordCrash: worker.recordCrash,
  };
}

/**
 * Starts the indexer of this process. It waits while another process indexes the same embedded database. `isBusy` tells whether the process
 * was busy since its previous call.
 */
export function startIndexing(
  location: Parameters<typeof createIndexLock>[0],
  { deps }: { readonly deps: Pick<Deps, "store" | "analyser" | "clock" | "log"> },
  isBusy: () => boolean,
  mayRun: () => boolean = () => true,
): Indexer {
  const lock = createIndexLock(location);
  const indexer = startIndexer({
    search: deps.store.search,
    analyser: deps.analyser,
    onChange: (wake) => deps.store.queue.onWork(wake),
    isBusy,
    clock: deps.clock,
    mayRun,
    mayIndex: lock.isHeld,
    log: deps.log,
  });
  return { idle: () => indexer.idle(), stop: () => indexer.stop().finally(lock.release) };
}

/** Builds the index of a board anew, and returns when this or another process has indexed its tiles. Throws 404 if there is no such board. */
export async function reindexBoard(
  { deps }: Pick<AppContext, "deps">,
  board: { readonly businessId: string; readonly id: string },
  indexer: Indexer,
  onProgress: (marked: number, total: number) => void,
): Promise<number> {
  const { indexRebuild } = deps.store;
  const total = await indexRebuild.begin(board);
  const begun = (await indexRebuild.unfinished()).find(({ id }) => id === board.id);
  if (begun === undefined) return total;
  await rebuildBoard(indexRebuild, begun, {
    onProgress: (marked) => {
      onProgress(marked, total);
      // Indexes the marked tiles while the next ones are marked.
      void indexer.idle();
    },
  });
  void indexer.idle();
  while ((await indexRebuild.countWaiting(board)) > 0) await delay(WAITING_POLL_MS);
  return total;
}

/** Returns the fetcher with the business that its requests are made for. */
const fetchFor = (fetcher: Fetcher, owner: string): Fetcher => ({ fetch: (request) => fetcher.fetch({ ...request, owner }) });

/** Creates a function that returns whether the main thread was busy since its last call. */
function watchLoad(): () => boolean {
  let previous = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, previous);
    previous = now;
    return utilization > MAX_UTILIZATION;
  };
}

/** Selects the settings of the models that read pictures and speech. */
const selectMediaSettings = (config: Config): MediaSettings => ({
  provider: config.llmProvider,
  apiKey: config.llmApiKey,
  baseUrl: config.llmBaseUrl,
  visionModel: config.visionModel,
  speechModel: config.speechModel,
  speechBaseUrl: config.speechBaseUrl,
  speechApiKey: config.speechApiKey,
});

/** Selects the settings of additional sources. */
const selectSourceSettings = (config: Config): SourceSettings => ({
  transcriptLanguages: config.transcriptLanguages,
  youtubeClients: config.youtubeClients,
  youtubeApiKey: config.youtubeApiKey,
  metaToken: config.metaToken,
  redditClientId: config.redditClientId,
  redditClientSecret: config.redditClientSecret,
  githubToken: config.githubToken,
  fxTwitter: config.fxTwitter === "on",
  ytdlpPath: config.ytdlpPath,
});
