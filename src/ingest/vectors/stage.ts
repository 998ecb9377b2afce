import { messageOf } from "#domain/core/error.ts";
import type { Clock } from "#domain/core/system.ts";
import type { Embedder, VectorStore } from "#domain/answers/vectors.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import { IdleWaiters } from "../idle-waiters.ts";
import type { Log } from "../jobs/log.ts";
import { type EmbeddedTile, TileEmbedder, versionKeyOf } from "./tile-embedder.ts";

export type StageDeps = {
  readonly vectors: Pick<VectorStore, "useModel" | "unembedded" | "embed">;
  /** Null where vectors are off; the store then removes its vectors. */
  readonly embedder: Embedder | null;
  /** Subscribes to changes that may need embedding; returns the function that unsubscribes. */
  readonly onChange: (wake: () => void) => () => void;
  /** Whether the server was busy since the last call. */
  readonly isBusy: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<StageLimits>;
};

/** How much is done in a turn, and waits in milliseconds. */
export type StageLimits = {
  readonly tiles: number;
  readonly characters: number;
  /** The most sentences of one turn, of one tile or several. */
  readonly sentences: number;
  /** How long new tiles are gathered before a turn, and how often the store is polled. */
  readonly debounceMs: number;
  readonly pollMs: number;
  /** The longest that a piece of work waits for a busy server. */
  readonly patienceMs: number;
};

export type Stage = {
  /** Stops at once. Work that is not stored begins anew after the next start. */
  stop(): Promise<void>;
  /** Resolves once no tile waits, or the stage is stopped. */
  idle(): Promise<void>;
};

const DEFAULTS: StageLimits = { tiles: 16, characters: 400_000, sentences: 2_000, debounceMs: 300, pollMs: 2_000, patienceMs: 2_000 };
const MAX_BACK_OFF_MS = 60_000;
/** Sentences after which complete tiles are stored: a block of vectors is written whole each time. */
const STORE_AFTER_SENTENCES = 256;

/** Gives indexed tiles their vectors, at lower priority than everything else. Errors are logged and retried, never thrown. */
export function startEmbedding(deps: StageDeps): Stage {
  const stage = new EmbeddingStage(deps);
  return { stop: () => stage.stop(), idle: () => stage.idle() };
}

class EmbeddingStage implements Stage {
  readonly #deps: StageDeps;
  readonly #limits: StageLimits;
  readonly #tiles: TileEmbedder;
  readonly #waiters = new IdleWaiters();
  readonly #loop: Loop;
  #isModelSet = false;
  #isStopped = false;
  /** The tiles that were stored last, which must not come again. */
  #lastStored: ReadonlySet<string> = new Set();

  constructor(deps: StageDeps) {
    this.#deps = deps;
    this.#limits = { ...DEFAULTS, ...deps.limits };
    this.#tiles = new TileEmbedder({ ...deps, patienceMs: this.#limits.patienceMs });
    this.#loop = startLoop({
      run: (signal) => this.#run(signal),
      intervalMs: this.#limits.pollMs,
      debounceMs: this.#limits.debounceMs,
      maxBackOffMs: MAX_BACK_OFF_MS,
      wake: deps.onChange,
      onError: (error, failures) =>
        deps.log.error({ err: error, failures }, `Sentence vectors failed, and are retried later: ${messageOf(error)}`),
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
    this.#loop.wake();
    return idle;
  }

  /** Returns 0 while more tiles may wait. */
  async #run(signal: AbortSignal): Promise<number | void> {
    const { vectors, embedder } = this.#deps;
    try {
      if (!this.#isModelSet) await vectors.useModel(embedder?.model ?? null);
      this.#isModelSet = true;
      if (embedder === null) return this.#waiters.prepareRelease()();
      return (await this.#takeTurn(embedder, signal)) ? 0 : undefined;
    } catch (error) {
      // Libraries throw errors of their own for an abort.
      if (!signal.aborted) throw error;
    }
  }

  /** Embeds a batch of tiles. Returns false when no tile waited. */
  async #takeTurn(embedder: Embedder, signal: AbortSignal): Promise<boolean> {
    const releaseWaiters = this.#waiters.prepareRelease();
    const tiles = await this.#deps.vectors.unembedded(this.#limits.tiles, this.#limits.characters);
    if (tiles.length === 0) {
      releaseWaiters();
      return false;
    }
    let done: EmbeddedTile[] = [];
    let left = this.#limits.sentences;
    let sinceStored = 0;
    try {
      // The shortest first, so that a long tile does not use up the whole turn.
      for (const tile of tiles.toSorted((a, b) => a.text.length - b.text.length)) {
        if (left <= 0) break;
        const step = await this.#tiles.embed(embedder, tile, left, signal);
        left -= step.count;
        sinceStored += step.count;
        if (step.done !== null) done.push(step.done);
        if (sinceStored < STORE_AFTER_SENTENCES) continue;
        await this.#store(done);
        [done, sinceStored] = [[], 0];
      }
    } finally {
      // Complete tiles are stored even when a later one failed; a stop leaves no time for it.
      if (!signal.aborted) await this.#store(done);
    }
    return true;
  }

  async #store(done: readonly EmbeddedTile[]): Promise<void> {
    const again = done.find(({ tile }) => this.#lastStored.has(versionKeyOf(tile)));
    if (again !== undefined) {
      this.#lastStored = new Set();
      throw new Error("A tile waits for vectors again after they were stored.");
    }
    if (done.length === 0) return;
    await this.#deps.vectors.embed(done);
    this.#lastStored = new Set(done.map(({ tile }) => versionKeyOf(tile)));
  }
}
