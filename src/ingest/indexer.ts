import { IngestError } from "#domain/content/job.ts";
import type { Analyser, Analysis, PendingTile, SearchStore } from "#domain/answers/search.ts";
import type { Clock } from "#domain/core/system.ts";
import type { Log } from "./jobs/log.ts";

export type IndexerDeps = {
  readonly search: Pick<SearchStore, "pending" | "index">;
  readonly analyser: Analyser;
  /** Calls back when there may be something to index; returns the way to stop. */
  readonly onChange: (wake: () => void) => () => void;
  /** Whether the server was busy since this was last asked. */
  readonly isBusy: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<IndexerLimits>;
};

/** How much is read at a time, and the indexer's waits in milliseconds. */
export type IndexerLimits = {
  /** The most at a time, while the server stays quiet. */
  readonly tiles: number;
  /** So many while it is busy, and at first: a busy one may look quiet for a moment. */
  readonly busyTiles: number;
  readonly characters: number;
  readonly debounceMs: number;
  readonly pollMs: number;
  /** How long a busy server is left alone before the next look. */
  readonly busyMs: number;
  /** The longest that work waits for a busy server. */
  readonly patienceMs: number;
};

export type Indexer = {
  /** Ends after the batch that is under way. */
  stop(): Promise<void>;
  /** Answers once nothing is pending, or the indexer is stopped. */
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
const MAX_PAUSE_MS = 30_000;
/** How long the server is watched before each batch; in less time a busy one often looks quiet. */
const POLL_INTERVAL_MS = 40;

type Item = { readonly tile: PendingTile; readonly analysis: Analysis };

/** Keeps the search index up with the tiles, at low priority and in the background. Errors are logged, never thrown. */
export function startIndexer(deps: IndexerDeps): Indexer {
  const limits = { ...DEFAULTS, ...deps.limits };
  const state = {
    timer: null as NodeJS.Timeout | null,
    running: null as Promise<void> | null,
    again: false,
    stopped: false,
    waitingSince: null as number | null,
    faults: 0,
    pausedUntil: 0,
    previous: "",
  };
  const waiters = new Set<() => void>();
  const stopping = Promise.withResolvers<void>();

  const pause = (ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    return Promise.race([promise, stopping.promise]).finally(() => clearTimeout(timer));
  };

  /** Answers whether the server is quiet now; false once patience has run out. */
  const waitForQuiet = async (): Promise<boolean> => {
    const since = (state.waitingSince ??= performance.now());
    for (;;) {
      // Asked once before, since otherwise the last batch itself would count as what keeps the server busy.
      deps.isBusy();
      await pause(POLL_INTERVAL_MS);
      const isQuiet = !deps.isBusy();
      if (isQuiet || state.stopped || performance.now() - since >= limits.patienceMs) {
        // Under a load that never ends, the next batch waits its own turn again.
        state.waitingSince = null;
        return isQuiet;
      }
      await pause(limits.busyMs);
    }
  };

  // A tile that no analyser gets through is left without words, so that it does not hold up the others for ever.
  const analyseAlone = async (tile: PendingTile): Promise<Item> => {
    try {
      const [analysis = EMPTY] = await deps.analyser.analyse([{ title: tile.title, text: tile.text }]);
      return { tile, analysis };
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      deps.log.error({ err: error, tile: tile.tileId }, "A tile can't be analysed; it stays out of search.");
      return { tile, analysis: EMPTY };
    }
  };
  const analyseAll = async (tiles: readonly PendingTile[]): Promise<Item[]> => {
    try {
      const analyses = await deps.analyser.analyse(tiles.map(({ title, text }) => ({ title, text })));
      return tiles.map((tile, place) => ({ tile, analysis: analyses[place] ?? EMPTY }));
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      const items: Item[] = [];
      for (const tile of tiles) items.push(await analyseAlone(tile));
      return items;
    }
  };

  /** One batch of at most so many tiles; false when nothing was pending. */
  const indexBatch = async (most: number): Promise<boolean> => {
    // Who asks while the store is being read may mean a tile that it does not show yet.
    const asked = [...waiters];
    const tiles = await deps.search.pending(most, limits.characters);
    if (tiles.length === 0) {
      for (const resolve of asked) {
        resolve();
        waiters.delete(resolve);
      }
      return false;
    }
    const batch = tiles.map((tile) => `${tile.tileId}:${tile.version}`).join();
    if (batch === state.previous) throw new Error("The same tiles are pending again after they were indexed.");
    await deps.search.index(await analyseAll(tiles));
    state.previous = batch;
    return true;
  };

  const drain = async (): Promise<void> => {
    try {
      do {
        state.again = false;
        for (let more = true, most = 0; more && !state.stopped;) {
          most = (await waitForQuiet()) ? Math.min(limits.tiles, Math.max(limits.busyTiles, most * 2)) : limits.busyTiles;
          more = !state.stopped && (await indexBatch(most));
        }
      } while (state.again && !state.stopped);
      state.faults = 0;
      state.previous = "";
    } catch (error) {
      state.previous = "";
      state.pausedUntil = performance.now() + Math.min(MAX_PAUSE_MS, limits.pollMs * 2 ** state.faults++);
      deps.log.error({ err: error, faults: state.faults }, "Indexing failed; tried again later.");
    } finally {
      state.running = null;
      state.waitingSince = null;
    }
  };

  const begin = (): void => {
    state.timer = null;
    if (state.stopped || performance.now() < state.pausedUntil) return;
    if (state.running) state.again = true;
    else state.running = drain();
  };
  const wake = (): void => {
    state.waitingSince ??= performance.now();
    if (state.stopped || state.timer) return;
    state.timer = setTimeout(begin, limits.debounceMs);
  };
  const unsubscribe = deps.onChange(wake);
  const poll = setInterval(wake, limits.pollMs);
  wake();

  return {
    async stop() {
      state.stopped = true;
      stopping.resolve();
      if (state.timer) clearTimeout(state.timer);
      clearInterval(poll);
      unsubscribe();
      for (const resolve of waiters) resolve();
      waiters.clear();
      await state.running;
    },
    idle() {
      if (state.stopped) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiters.add(resolve);
      wake();
      return promise;
    },
  };
}
