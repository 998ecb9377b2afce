import { getErrorMessage } from "#domain/core/errors/error.ts";
import type { Clock } from "#domain/core/system.ts";
import type { Embedder, VectorStore } from "#domain/answers/vectors.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import { waitAtMost } from "#runtime/wait.ts";
import { IdleWaiters } from "../indexing/idle-waiters.ts";
import type { Log } from "#domain/core/log.ts";
import { type EmbeddedTile, TileEmbedder, getIndexedVersionKey } from "./tile-embedder.ts";

export type VectorIndexerDeps = {
  readonly vectors: Pick<VectorStore, "useModel" | "modelInUse" | "discardStep" | "unembedded" | "embed">;
  /** Null if embeddings are off. */
  readonly embedder: Embedder | null;
  /** Subscribes to changes that may need embedding. Returns the function that unsubscribes. */
  readonly onChange: (wake: () => void) => () => void;
  /** Whether the server was busy since the previous call of this function. */
  readonly isBusy: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** False while nothing can be stored. */
  readonly mayRun?: () => boolean;
  readonly limits?: Partial<VectorIndexerLimits>;
};

/** Sizes of one turn, and times in milliseconds. */
export type VectorIndexerLimits = {
  readonly tiles: number;
  readonly characters: number;
  /** Maximum number of sentences in one turn, over all its tiles. */
  readonly sentences: number;
  /** Time for which changes are collected before the next turn. */
  readonly debounceMs: number;
  /** Interval of checks for tiles without a notification. */
  readonly pollMs: number;
  /** How often a model is offered again that was refused because of another node. */
  readonly recheckMs: number;
  /** Maximum time that work waits for a busy server. */
  readonly maxBusyWaitMs: number;
};

export type VectorIndexer = {
  /** Stops immediately. Work that was not stored is repeated after the next start. */
  stop(): Promise<void>;
  /** Resolves when no tile is waiting, or when the indexer is stopped. */
  idle(): Promise<void>;
};

const DEFAULTS: VectorIndexerLimits = {
  tiles: 16,
  characters: 400_000,
  sentences: 2_000,
  debounceMs: 300,
  pollMs: 2_000,
  maxBusyWaitMs: 2_000,
  recheckMs: 5_000,
};
const MODEL_REFUSED =
  "Another node runs with other settings of EMBEDDINGS. Its vectors are kept: this node makes none, and answers questions by their words, until that node stops. Give all nodes the same EMBEDDINGS settings.";
const MAX_BACK_OFF_MS = 60_000;
/** Time for which the load is measured, and maximum time of work before it is measured again. */
const LOAD_SAMPLE_MS = 40;
const MAX_WORK_MS = 400;
/** Finished tiles are stored after this many sentences, because each write replaces a whole block of embeddings. */
const STORE_AFTER_SENTENCES = 256;

/** Embeds indexed tiles in the background, at lower priority than all other work. Errors are logged and retried, never thrown. */
export function startVectorIndexer(deps: VectorIndexerDeps): VectorIndexer {
  const indexer = new BackgroundVectorIndexer(deps);
  return { stop: () => indexer.stop(), idle: () => indexer.idle() };
}

class BackgroundVectorIndexer implements VectorIndexer {
  readonly #deps: VectorIndexerDeps;
  readonly #limits: VectorIndexerLimits;
  readonly #idleWaiters = new IdleWaiters();
  readonly #tileEmbedder: TileEmbedder | null;
  readonly #loop: Loop;
  readonly #stopping = new AbortController();
  #isModelSet = false;
  #checkedAt = -Infinity;
  /** When the model was refused last, because another node runs with another one. */
  #refusedAt: number | null = null;
  #lastLoadSample = -Infinity;
  /** The tiles of the last write. If one of them is pending again, the write had no effect. */
  #stored: ReadonlySet<string> = new Set();

  constructor(deps: VectorIndexerDeps) {
    const { embedder, log } = deps;
    this.#deps = deps;
    this.#limits = { ...DEFAULTS, ...deps.limits };
    this.#tileEmbedder =
      embedder && new TileEmbedder({ embedder, log, signal: this.#stopping.signal, waitUntilIdle: () => this.#waitUntilIdle() });
    this.#loop = startLoop({
      run: () => this.#run(),
      mayRun: deps.mayRun,
      intervalMs: this.#limits.pollMs,
      debounceMs: this.#limits.debounceMs,
      maxBackOffMs: MAX_BACK_OFF_MS,
      wake: deps.onChange,
      onError: (error, failures) => log.error({ err: error, failures }, `Embedding failed; will retry: ${getErrorMessage(error)}`),
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error("The service is stopping."));
    const stopped = this.#loop.stop();
    this.#idleWaiters.resolveAll();
    await stopped;
  }

  idle(): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve();
    const idle = this.#idleWaiters.wait();
    this.#loop.wake();
    return idle;
  }

  /** Embeds a batch of tiles. Returns 0, to run again at once, if more may be pending. */
  async #run(): Promise<number | void> {
    const { vectors, embedder } = this.#deps;
    try {
      if (this.#isModelSet) await this.#checkModel(vectors, embedder?.model ?? null);
      if (!this.#isModelSet && !(await this.#setModel(vectors, embedder?.model ?? null))) return this.#idleWaiters.resolveAll();
      if (this.#tileEmbedder === null) return this.#idleWaiters.resolveAll();
      return (await this.#takeTurn(this.#tileEmbedder)) ? 0 : undefined;
    } catch (error) {
      // On abort, libraries throw various errors.
      if (!this.#stopping.signal.aborted) throw error;
    }
  }

  /** Notices that another node has taken over, after this one was cut off from the database for long. */
  async #checkModel(vectors: VectorIndexerDeps["vectors"], model: string | null): Promise<void> {
    if (performance.now() - this.#checkedAt < this.#limits.recheckMs) return;
    this.#checkedAt = performance.now();
    this.#isModelSet = (await vectors.modelInUse()) === model;
  }

  /** Returns false while another node runs with another model. Tells when that begins and ends. */
  async #setModel(vectors: VectorIndexerDeps["vectors"], model: string | null): Promise<boolean> {
    const { log } = this.#deps;
    if (this.#refusedAt !== null && performance.now() - this.#refusedAt < this.#limits.recheckMs) return false;
    this.#isModelSet = await vectors.useModel(model);
    if (this.#isModelSet && this.#refusedAt !== null) log.info({ model: model ?? "off" }, "The settings of EMBEDDINGS are in use now.");
    if (!this.#isModelSet && this.#refusedAt === null) log.warn({ model: model ?? "off" }, MODEL_REFUSED);
    this.#refusedAt = this.#isModelSet ? null : performance.now();
    return this.#isModelSet;
  }

  async #waitUntilIdle(): Promise<void> {
    const { isBusy } = this.#deps;
    const { signal } = this.#stopping;
    const since = performance.now();
    if (since - this.#lastLoadSample < MAX_WORK_MS) return;
    do {
      isBusy();
      await waitAtMost(LOAD_SAMPLE_MS, undefined, signal);
      if (!isBusy()) break;
    } while (!signal.aborted && performance.now() - since < this.#limits.maxBusyWaitMs);
    this.#lastLoadSample = performance.now();
  }

  /** Embeds some tiles. Returns false if no tile was pending. */
  async #takeTurn(tileEmbedder: TileEmbedder): Promise<boolean> {
    const { tiles: maxTiles, characters, sentences } = this.#limits;
    const resolveWaiters = this.#idleWaiters.snapshot();
    if (await this.#deps.vectors.discardStep()) {
      await this.#waitUntilIdle();
      return true;
    }
    const tiles = await this.#deps.vectors.unembedded(maxTiles, characters);
    if (tiles.length === 0) {
      resolveWaiters();
      return false;
    }
    let embedded: EmbeddedTile[] = [];
    let sentencesLeft = sentences;
    let unstoredSentences = 0;
    try {
      // Short tiles come first, because a long one may use up the whole turn.
      for (const tile of tiles.toSorted((a, b) => a.text.length - b.text.length)) {
        if (sentencesLeft <= 0) break;
        const result = await tileEmbedder.embedNext(tile, sentencesLeft);
        sentencesLeft -= result.count;
        unstoredSentences += result.count;
        if (result.embedded !== null) embedded.push(result.embedded);
        if (unstoredSentences < STORE_AFTER_SENTENCES) continue;
        await this.#store(embedded);
        [embedded, unstoredSentences] = [[], 0];
      }
    } finally {
      // After a failure, the finished tiles are stored too. When stopping, there is no time for it.
      if (!this.#stopping.signal.aborted) await this.#store(embedded);
    }
    return true;
  }

  async #store(tiles: readonly EmbeddedTile[]): Promise<void> {
    if (tiles.some(({ tile }) => this.#stored.has(getIndexedVersionKey(tile)))) {
      this.#stored = new Set();
      throw new Error("A tile is pending again after its vectors were stored.");
    }
    if (tiles.length === 0) return;
    await this.#deps.vectors.embed(tiles);
    this.#stored = new Set(tiles.map(({ tile }) => getIndexedVersionKey(tile)));
  }
}
