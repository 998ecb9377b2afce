import { IngestError } from "#domain/content/job.ts";
import type { Analyser, Analysis, PendingTile, SearchStore } from "#domain/answers/search.ts";
import type { Clock } from "#domain/core/system.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import { waitAtMost } from "#runtime/wait.ts";
import { IdleWaiters } from "./idle-waiters.ts";
import type { Log } from "./jobs/log.ts";

export type IndexerDeps = {
  readonly search: Pick<SearchStore, "pending" | "index">;
  readonly analyser: Analyser;
  /** Subscribes to changes that may need indexing; returns the function that unsubscribes. */
  readonly onChange: (wake: () => void) => () => void;
  /** Whether the server was busy since the last call. */
  readonly isBusy: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<IndexerLimits>;
};

/** Batch sizes, and waits in milliseconds. */
export type IndexerLimits = {
  /** The largest batch, while the server stays quiet. */
  readonly tiles: number;
  /** The batch while it is busy, and the first batch: a busy server may look quiet for a moment. */
  readonly busyTiles: number;
  readonly characters: number;
  readonly debounceMs: number;
  readonly pollMs: number;
  /** The pause before a busy server is checked again. */
  readonly busyMs: number;
  /** The longest that a batch waits for a busy server. */
  readonly patienceMs: number;
};

export type Indexer = {
  /** Resolves after the batch that is under way. */
  stop(): Promise<void>;
  /** Resolves once nothing is pending, or the indexer is stopped. */
  idle(): Promise<void>;
};

const DEFAULTS: IndexerLimits = {
  tiles: 128,
  busyTiles: 8,
  characters: 400_000,
  debounceMs: 50,
  pollMs: 2_000,
  busyMs: 100,
  patienceMs: 1_000,
};
const EMPTY: Analysis = { chunks: [], terms: new Map() };
const MAX_BACK_OFF_MS = 30_000;
/** How long the load is measured before each batch. In less time a busy server often looks quiet. */
const LOAD_SAMPLE_MS = 40;

type Item = { readonly tile: PendingTile; readonly analysis: Analysis };

/** Keeps the search index up to date with the tiles, in the background and at low priority. Errors are logged, never thrown. */
export function startIndexer(deps: IndexerDeps): Indexer {
  const indexer = new BackgroundIndexer(deps);
  return { stop: () => indexer.stop(), idle: () => indexer.idle() };
}

class BackgroundIndexer implements Indexer {
  readonly #deps: IndexerDeps;
  readonly #limits: IndexerLimits;
  readonly #loop: Loop;
  readonly #waiters = new IdleWaiters();
  #isStopped = false;
  /** Since when the next batch waits for a quiet server. */
  #waitingSince: number | null = performance.now();
  /** The tiles and versions of the last batch. */
  #lastBatch = "";

  constructor(deps: IndexerDeps) {
    this.#deps = deps;
    this.#limits = { ...DEFAULTS, ...deps.limits };
    const { debounceMs, pollMs } = this.#limits;
    this.#loop = startLoop({
      run: (signal) => this.#indexPending(signal),
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
    this.#waiters.prepareRelease()();
    await stopped;
  }

  idle(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    const idle = this.#waiters.wait();
    this.#waitingSince ??= performance.now();
    this.#loop.wake();
    return idle;
  }

  async #indexPending(signal: AbortSignal): Promise<void> {
    const { tiles, busyTiles } = this.#limits;
    this.#lastBatch = "";
    try {
      for (let hasMore = true, size = 0; hasMore && !signal.aborted;) {
        size = (await this.#waitForQuiet(signal)) ? Math.min(tiles, Math.max(busyTiles, size * 2)) : busyTiles;
        hasMore = !signal.aborted && (await this.#indexBatch(size));
      }
    } finally {
      this.#waitingSince = null;
    }
  }

  /** Waits until the server is quiet, for at most `patienceMs`. Returns whether it is quiet then. */
  async #waitForQuiet(signal: AbortSignal): Promise<boolean> {
    const { isBusy } = this.#deps;
    const since = (this.#waitingSince ??= performance.now());
    for (;;) {
      // Resets the measurement; otherwise the last batch itself would count as load.
      isBusy();
      await waitAtMost(LOAD_SAMPLE_MS, undefined, signal);
      const isQuiet = !isBusy();
      if (isQuiet || signal.aborted || performance.now() - since >= this.#limits.patienceMs) {
        // Under constant load the next batch has the same patience again.
        this.#waitingSince = null;
        return isQuiet;
      }
      await waitAtMost(this.#limits.busyMs, undefined, signal);
    }
  }

  /** Indexes one batch of at most `size` tiles. Returns false when nothing was pending. */
  async #indexBatch(size: number): Promise<boolean> {
    const { search } = this.#deps;
    const releaseWaiters = this.#waiters.prepareRelease();
    const tiles = await search.pending(size, this.#limits.characters);
    if (tiles.length === 0) {
      releaseWaiters();
      return false;
    }
    const batch = tiles.map((tile) => `${tile.tileId}:${tile.version}`).join();
    if (batch === this.#lastBatch) throw new Error("The same tiles are pending again after they were indexed.");
    await search.index(await this.#analyse(tiles));
    this.#lastBatch = batch;
    return true;
  }

  async #analyse(tiles: readonly PendingTile[]): Promise<Item[]> {
    try {
      const analyses = await this.#deps.analyser.analyse(tiles.map(({ title, text }) => ({ title, text })));
      return tiles.map((tile, i) => ({ tile, analysis: analyses[i] ?? EMPTY }));
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      const items: Item[] = [];
      for (const tile of tiles) items.push(await this.#analyseOne(tile));
      return items;
    }
  }

  /** A tile that can't be analysed is indexed without words, so that it does not block the others. */
  async #analyseOne(tile: PendingTile): Promise<Item> {
    try {
      const [analysis = EMPTY] = await this.#deps.analyser.analyse([{ title: tile.title, text: tile.text }]);
      return { tile, analysis };
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      this.#deps.log.error({ err: error, tile: tile.tileId }, "A tile can't be analysed and stays out of search.");
      return { tile, analysis: EMPTY };
    }
  }
}
