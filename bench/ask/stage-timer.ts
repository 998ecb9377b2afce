import type { Deps } from "#service/deps.ts";
import { withMethods } from "../../test/support/with-methods.ts";

export const STAGES = ["question's vector", "postings", "near vectors", "reading", "ranking", "tokens", "answer"] as const;
export type Stage = (typeof STAGES)[number];

/** The milliseconds that one question spent in each stage. */
export type StageTimes = Readonly<Record<Stage, number>>;

/**
 * Times the stages of answering a question, by wrapping the methods that it calls of the store, the embedder and the token counter.
 * Unwrapped work counts as ranking until the first token count, and as the answer after the last one.
 */
export class StageTimer {
  /** The dependencies to answer the question with. */
  readonly deps: Deps;
  #spent = createTimes();
  #countStarted: number | null = null;
  #countEnded: number | null = null;
  /** The end of the last call of the store. */
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(deps: Deps) {
    this.deps = {
      ...deps,
      store: this.#timeStore(deps.store),
      embedder: deps.embedder === null ? null : this.#timeEmbedder(deps.embedder),
      tokenCounter: withMethods(deps.tokenCounter, { count: this.#timeCounter((...args) => deps.tokenCounter.count(...args)) }),
    };
  }

  /** Runs `ask` and returns the milliseconds it took, in total and by stage. Questions must be timed one after another. */
  async time(ask: () => Promise<unknown>): Promise<{ readonly ms: number; readonly stageMs: StageTimes }> {
    this.#spent = createTimes();
    this.#countStarted = null;
    this.#countEnded = null;
    const started = performance.now();
    await ask();
    const ended = performance.now();
    // If nothing was found, no tokens are counted.
    const retrieved = this.#countStarted ?? ended;
    const counted = this.#countEnded ?? retrieved;
    const measured = STAGES.reduce((sum, stage) => sum + this.#spent[stage], 0);
    const ranking = Math.max(0, retrieved - started - measured);
    return { ms: ended - started, stageMs: { ...this.#spent, ranking, tokens: counted - retrieved, answer: ended - counted } };
  }

  #timeStore(store: Deps["store"]): Deps["store"] {
    const { search, vectors } = store;
    return {
      ...store,
      search: withMethods(search, {
        statistics: this.#timeInTurn("postings", (...args) => search.statistics(...args)),
        postings: this.#timeInTurn("postings", (...args) => search.postings(...args)),
        pendingConnected: this.#timeInTurn("postings", (...args) => search.pendingConnected(...args)),
        hasConnected: this.#timeInTurn("postings", (...args) => search.hasConnected(...args)),
        connectedChunks: this.#timeInTurn("reading", (...args) => search.connectedChunks(...args)),
        connectedTiles: this.#timeInTurn("reading", (...args) => search.connectedTiles(...args)),
      }),
      vectors: withMethods(vectors, {
        nearest: this.#timeInTurn("near vectors", (...args) => vectors.nearest(...args)),
        embeddings: this.#timeInTurn("near vectors", (...args) => vectors.embeddings(...args)),
      }),
    };
  }

  /** Runs the calls of the store one after another, so that the time of parallel calls is counted once. */
  #timeInTurn<A extends readonly unknown[], R>(stage: Stage, call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return (...args) => {
      const result = this.#lastCall.then(() => this.#measure(stage, () => call(...args)));
      this.#lastCall = result.catch(() => {});
      return result;
    };
  }

  /** The model runs in another thread, so the whole wait counts. */
  #timeEmbedder(embedder: NonNullable<Deps["embedder"]>): NonNullable<Deps["embedder"]> {
    return withMethods(embedder, { embed: (...args) => this.#measure("question's vector", () => embedder.embed(...args)) });
  }

  #timeCounter(count: Deps["tokenCounter"]["count"]): Deps["tokenCounter"]["count"] {
    return async (...args) => {
      this.#countStarted ??= performance.now();
      const tokens = await count(...args);
      this.#countEnded = performance.now();
      return tokens;
    };
  }

  async #measure<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.#spent[stage] += performance.now() - started;
    }
  }
}

const createTimes = (): Record<Stage, number> => ({
  "question's vector": 0,
  postings: 0,
  "near vectors": 0,
  reading: 0,
  ranking: 0,
  tokens: 0,
  answer: 0,
});
