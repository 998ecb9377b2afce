import type { Deps } from "#service/deps.ts";

export const STAGES = ["question's vector", "postings", "near vectors", "reading", "ranking", "tokens", "answer"] as const;
export type Stage = (typeof STAGES)[number];

/** The milliseconds of one ask by stage. */
export type Lap = Readonly<Record<Stage, number>>;

export type Stopwatch = {
  /** The deps to ask with. */
  readonly deps: Deps;
  /** Measures one ask; one at a time. */
  time(ask: () => Promise<unknown>): Promise<{ readonly ms: number; readonly lap: Lap }>;
};

/**
 * Times the stages of an ask from outside, by what it calls of the store, the embedder and the token counter. The embedded store
 * works before it hands out a promise, so its calls are timed up to there; what is not timed by itself is ranking, until tokens
 * are counted, and the answer, after the last were.
 */
export function watchStages(deps: Deps): Stopwatch {
  const spent: Record<Stage, number> = emptyLap();
  let [retrieved, counted] = [0, 0];
  const timed = <A extends readonly unknown[], R>(stage: Stage, call: (...args: A) => R): ((...args: A) => R) => {
    return (...args) => {
      const started = performance.now();
      try {
        return call(...args);
      } finally {
        spent[stage] += performance.now() - started;
      }
    };
  };
  const { store, embedder } = deps;
  const { search, vectors } = store;
  const watched: Deps = {
    ...deps,
    store: {
      ...store,
      search: {
        ...search,
        statistics: timed("postings", search.statistics),
        postings: timed("postings", search.postings),
        pendingConnected: timed("postings", search.pendingConnected),
        hasConnected: timed("postings", search.hasConnected),
        connectedChunks: timed("reading", search.connectedChunks),
        connectedTiles: timed("reading", search.connectedTiles),
      },
      vectors: {
        ...vectors,
        nearest: timed("near vectors", vectors.nearest),
        signatures: timed("near vectors", vectors.signatures),
      },
    },
    embedder: embedder === null ? null : { ...embedder, embed: timedWait },
    async loadTokenCounter() {
      const count = await deps.loadTokenCounter();
      return (text) => {
        if (retrieved === 0) retrieved = performance.now();
        const tokens = count(text);
        counted = performance.now();
        return tokens;
      };
    },
  };

  /** A thread does this work, so the whole wait counts. */
  async function timedWait(...args: Parameters<NonNullable<Deps["embedder"]>["embed"]>) {
    const started = performance.now();
    try {
      return (await embedder?.embed(...args)) ?? [];
    } finally {
      spent["question's vector"] += performance.now() - started;
    }
  }

  return {
    deps: watched,
    async time(ask) {
      for (const stage of STAGES) spent[stage] = 0;
      const started = performance.now();
      [retrieved, counted] = [0, 0];
      await ask();
      const ended = performance.now();
      // Where nothing was found nothing is counted, and the answer is a sentence.
      if (retrieved === 0) retrieved = ended;
      if (counted === 0) counted = retrieved;
      const known = STAGES.reduce((sum, stage) => sum + spent[stage], 0);
      const lap = { ...spent, ranking: Math.max(0, retrieved - started - known), tokens: counted - retrieved, answer: ended - counted };
      return { ms: ended - started, lap };
    },
  };
}

const emptyLap = (): Record<Stage, number> => ({
  "question's vector": 0,
  postings: 0,
  "near vectors": 0,
  reading: 0,
  ranking: 0,
  tokens: 0,
  answer: 0,
});
