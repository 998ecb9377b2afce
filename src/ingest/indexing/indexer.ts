import type { Analyser, SearchStore } from "#domain/answers/search.ts";
import type { Clock } from "#domain/core/system.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import { waitAtMost } from "#runtime/wait.ts";
import type { Log } from "#domain/core/log.ts";
import { indexTiles } from "./index-tiles.ts";
import { IdleWaiters } from "./idle-waiters.ts";

export type IndexerDeps = {
  readonly search: Pick<SearchStore, "pending" | "index" | "indexParts" | "eraseDropped">;
  readonly analyser: Pick<Analyser, "analyse" | "analyseParts">;
  /** Subscribes to changes that may need indexing. Returns the function that unsubscribes. */
  readonly onChange: (wake: () => void) => () => void;
  /** Whether the server was busy since the previous call of this function. */
  readonly isBusy: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** False while nothing can be stored. */
  readonly mayRun?: () => boolean;
  /** False while another process indexes the same tiles. Asked before each run. */
  readonly mayIndex?: () => boolean;
  readonly limits?: Partial<IndexerLimits>;
};

/** Batch sizes, and times in milliseconds. */
export type IndexerLimits = {
  /** Maximum number of tiles in a batch while the server is idle. */
  readonly tiles: number;
  /** The same while it is busy, and for the first batch, because a busy server may look idle for a moment. */
  readonly busyTiles: number;
  /** Maximum size of the texts in a batch. */
  readonly bytes: number;
  readonly debounceMs: number;
  readonly pollMs: number;
  /** Interval of load checks while the server is busy. */
  readonly busyPollMs: number;
  /** Maximum time that work waits for a busy server. */
  readonly maxBusyWaitMs: number;
};

export type Indexer = {
  /** Resolves after the batch under way. */
  stop(): Promise<void>;
  /** Resolves when no tile is pending, or when the indexer is stopped. */
  idle(): Promise<void>;
};

const DEFAULTS: IndexerLimits = {
  tiles: 128,
  busyTiles: 8,
  bytes: 400_000,
  debounceMs: 50,
  pollMs: 2_000,
  busyPollMs: 100,
  maxBusyWaitMs: 1_000,
};
const MAX_BACK_OFF_MS = 30_000;
/** Time for which the load is measured before each batch. In a shorter time, a busy server often looks idle. */
const LOAD_SAMPLE_MS = 40;

/** Keeps the search index up to date in the background, at low priority. Errors are logged, never thrown. */
export function startIndexer(deps: IndexerDeps): Indexer {
  const indexer = new BackgroundIndexer(deps);
  return { stop: () => indexer.stop(), idle: () => indexer.idle() };
}

class BackgroundIndexer implements Indexer {
  readonly #deps: IndexerDeps;
  readonly #limits: IndexerLimits;
  readonly #idleWaiters = new IdleWaiters();
  readonly #loop: Loop;
  #isStopped = false;
  /** Arrival of the oldest work that waits until the server is idle, by `performance.now()`. */
  #waitingSince: number | null = performance.now();
  #previousBatch = "";

  constructor(deps: IndexerDeps) {
    this.#deps = deps;
    this.#limits = { ...DEFAULTS, ...deps.limits };
    const { debounceMs, pollMs } = this.#limits;
    this.#loop = startLoop({
      run: (signal) => this.#indexBatches(signal),
      mayRun: deps.mayRun,
      firstMs: debounceMs,
      debounceMs,
      intervalMs: pollMs,
      maxBackOffMs: MAX_BACK_OFF_MS,
      wake: (wake) =>
        deps.onChange(() => {
          this.#waitingSince ??= performance.now();
          wake();
        }),
      onError: (error, failures) => deps.log.error({ err: error, failures }, "Indexing failed; will retry."),
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const stopped = this.#loop.stop();
    this.#idleWaiters.resolveAll();
    await stopped;
  }

  idle(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    const idle = this.#idleWaiters.wait();
    this.#waitingSince ??= performance.now();
    this.#loop.wake();
    return idle;
  }

  /** Indexes until nothing is pending. Batches grow while the server is idle, and shrink as soon as it is busy. */
  async #indexBatches(signal: AbortSignal): Promise<void> {
    if (this.#deps.mayIndex?.() === false) return;
    const { tiles, busyTiles } = this.#limits;
    this.#previousBatch = "";
    try {
      for (let isMore = true, size = 0; isMore && !signal.aborted;) {
        size = (await this.#waitUntilIdle(signal)) ? Math.min(tiles, Math.max(busyTiles, size * 2)) : busyTiles;
        isMore = !signal.aborted && (await this.#indexBatch(size, signal));
      }
      await this.#deps.search.eraseDropped();
    } catch (error) {
      // A long tile that is being indexed when the indexer stops is indexed again after the next start.
      if (error !== signal.reason) throw error;
    } finally {
      this.#waitingSince = null;
    }
  }

  /** Waits until the server is idle. Returns false if it is still busy after `maxBusyWaitMs`. */
  async #waitUntilIdle(signal: AbortSignal): Promise<boolean> {
    const { isBusy } = this.#deps;
    const since = (this.#waitingSince ??= performance.now());
    for (;;) {
      // The first call discards the load that the previous batch itself caused.
      isBusy();
      await waitAtMost(LOAD_SAMPLE_MS, undefined, signal);
      const isIdle = !isBusy();
      if (isIdle || signal.aborted || performance.now() - since >= this.#limits.maxBusyWaitMs) {
        // Under constant load, the next batch waits for `maxBusyWaitMs` again.
        this.#waitingSince = null;
        return isIdle;
      }
      await waitAtMost(this.#limits.busyPollMs, undefined, signal);
    }
  }

  /** Indexes at most `maxTiles` tiles. Returns false when nothing was pending. */
  async #indexBatch(maxTiles: number, signal: AbortSignal): Promise<boolean> {
    const { search } = this.#deps;
    const resolveWaiters = this.#idleWaiters.snapshot();
    const tiles = await search.pending(maxTiles, this.#limits.bytes);
    if (tiles.length === 0) {
      resolveWaiters();
      return false;
    }
    const batch = tiles.map((tile) => `${tile.tileId}:${tile.version}`).join();
    if (batch === this.#previousBatch) throw new Error("The same tiles are pending again after they were indexed.");
    await indexTiles(this.#deps, tiles, signal);
    this.#previousBatch = batch;
    return true;
  }
}
