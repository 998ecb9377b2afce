import type { Embedder } from "#domain/answers/vectors.ts";
import { startThread, type Thread, ThreadExitError } from "#runtime/thread.ts";
import { isEnglish } from "./english.ts";
import { normalise } from "./vector.ts";

export type LocalOptions = {
  /** The language (ISO 639-1) of a text; null where its words tell none. */
  readonly detectLanguage: (text: string) => string | null;
  /** How long a thread without work is kept, in milliseconds. */
  readonly idleMs?: number;
  /** The longest time of one batch, and of the thread's start, in milliseconds. */
  readonly batchMs?: number;
  readonly startMs?: number;
  /** How long after a failed start no other one is tried, in milliseconds. */
  readonly restMs?: number;
  /** The module that the thread runs; for tests. */
  readonly thread?: URL;
};

/** What is sent to the thread, one at a time. */
export type ThreadBatch = { readonly texts: readonly string[] };

/** What the thread sends back: `ready` once, then one answer for each batch. */
export type ThreadAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly vectors: readonly Float32Array[] }
  | { readonly kind: "failed"; readonly message: string };

/** Universal Sentence Encoder lite, as the npm package brings it. */
const MODEL = "universal-sentence-encoder-lite";
const DIMENSIONS = 512;
/** Texts in one batch: three fifths of the time that they take alone, and an urgent text waits for one batch at most. */
const BATCH = 4;
/** Of a longer text its start stands for all; time and memory grow with the square of the length. */
const MAX_CHARACTERS = 1_000;
/** Heap of the thread, in MiB; the model itself lies outside of it. */
const HEAP_MB = 128;
const YOUNG_MB = 16;
const DEFAULTS = { idleMs: 600_000, batchMs: 30_000, startMs: 60_000, restMs: 30_000 };

type Request = {
  readonly vectors: Float32Array[];
  left: number;
  isSettled: boolean;
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
};
type Unit = { readonly request: Request; readonly place: number; readonly text: string };

/**
 * The sentence model that an npm package brings, in a thread of its own, which starts with the first text and ends without work. A
 * thread that dies fails the texts of its batch, and the next ones go to a new thread.
 */
export function createLocalEmbedder(options: LocalOptions): Embedder {
  const { idleMs, batchMs, startMs, restMs } = { ...DEFAULTS, ...options };
  const urgent: Unit[] = [];
  const others: Unit[] = [];
  const state = {
    worker: null as Thread | null,
    isReady: false,
    batch: null as readonly Unit[] | null,
    timer: undefined as NodeJS.Timeout | undefined,
    /** When a start may be tried again, and why the last one failed. */
    failure: null as { readonly until: number; readonly error: Error } | null,
    isClosed: false,
  };

  /** After a failed start, until it may be tried again. */
  const isResting = (): boolean => state.failure !== null && performance.now() < state.failure.until;

  const drop = async (): Promise<void> => {
    const { worker } = state;
    state.worker = null;
    state.isReady = false;
    clearTimeout(state.timer);
    await worker?.end();
  };

  const fail = (units: readonly Unit[], error: unknown): void => {
    for (const { request } of units) {
      if (request.isSettled) continue;
      request.isSettled = true;
      request.reject(error);
    }
  };

  /** The thread is of no use any more: what it was at fails, and the rest goes to a new one. */
  const lose = (why: string, cause?: unknown): void => {
    const error = new Error(`The thread of the sentence model ${why}.`, { cause });
    const { batch } = state;
    state.batch = null;
    if (!state.isReady) {
      state.failure = { until: performance.now() + restMs, error };
      fail([...urgent.splice(0), ...others.splice(0)], error);
    }
    void drop();
    fail(batch ?? [], error);
    advance();
  };

  const start = (): void => {
    const limits = {
      // Flags that the process was started with are not all such as a thread takes.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    };
    state.worker = startThread(options.thread ?? new URL("./thread.ts", import.meta.url), limits, {
      onMessage: (message) => receive(message as ThreadAnswer),
      onFailure: (error) => (error instanceof ThreadExitError ? lose(`ended by itself (${error.code})`) : lose("failed", error)),
    });
    state.timer = setTimeout(() => lose("did not start in time"), startMs);
  };

  const receive = (answer: ThreadAnswer): void => {
    if (answer.kind === "ready") {
      clearTimeout(state.timer);
      state.isReady = true;
      state.failure = null;
      return advance();
    }
    clearTimeout(state.timer);
    const batch = state.batch ?? [];
    state.batch = null;
    if (answer.kind === "failed") fail(batch, new Error("The sentence model failed on a text.", { cause: new Error(answer.message) }));
    else if (answer.vectors.length !== batch.length) fail(batch, new Error("The sentence model left a text out."));
    else batch.forEach((unit, i) => settle(unit, normalise(answer.vectors[i] as Float32Array)));
    advance();
  };

  const rest = (): void => {
    clearTimeout(state.timer);
    if (state.worker === null) return;
    state.worker.unref();
    state.timer = setTimeout(() => void drop(), idleMs);
    state.timer.unref();
  };

  /** Sends the next batch, where there is one and the thread is free. */
  function advance(): void {
    if (state.batch !== null || state.isClosed) return;
    for (const queue of [urgent, others]) while (queue[0]?.request.isSettled === true) queue.shift();
    const queue = urgent.length > 0 ? urgent : others;
    if (queue.length === 0) {
      if (state.isReady) rest();
      return;
    }
    if (state.worker === null) return start();
    if (!state.isReady) return;
    state.batch = queue.splice(0, BATCH);
    state.worker.ref();
    clearTimeout(state.timer);
    state.timer = setTimeout(() => lose("took too long"), batchMs);
    state.worker.post({ texts: state.batch.map(({ text }) => text) } satisfies ThreadBatch);
  }

  return {
    model: MODEL,
    accepts: (text) => isEnglish(text, options.detectLanguage),
    prepare() {
      if (state.worker === null && !state.isClosed && !isResting()) start();
    },
    embed(texts, { isUrgent, signal }) {
      return new Promise((resolve, reject) => {
        if (state.isClosed) return reject(new Error("The sentence model is closed."));
        if (signal.aborted) return reject(signal.reason);
        if (isResting()) return reject(state.failure?.error);
        const onAbort = (): void => {
          request.isSettled = true;
          request.reject(signal.reason);
        };
        const forget = (): void => signal.removeEventListener("abort", onAbort);
        const request: Request = {
          // A blank text has no direction.
          vectors: texts.map(() => new Float32Array(DIMENSIONS)),
          left: texts.length,
          isSettled: false,
          resolve: (vectors) => {
            forget();
            resolve(vectors);
          },
          reject: (error) => {
            forget();
            reject(error);
          },
        };
        signal.addEventListener("abort", onAbort, { once: true });
        const units = texts.map((text, place) => ({ request, place, text: text.slice(0, MAX_CHARACTERS).toWellFormed() }));
        // A batch takes the time of its longest text, so texts of about one length go together.
        const wanted = units.filter(({ text }) => text.trim() !== "").toSorted((a, b) => a.text.length - b.text.length);
        request.left = wanted.length;
        if (wanted.length === 0) return request.resolve(request.vectors);
        (isUrgent ? urgent : others).push(...wanted);
        advance();
      });
    },
    async close() {
      state.isClosed = true;
      const error = new Error("The sentence model is closed.");
      fail([...(state.batch ?? []), ...urgent.splice(0), ...others.splice(0)], error);
      await drop();
    },
  };
}

function settle({ request, place }: Unit, vector: Float32Array): void {
  if (request.isSettled) return;
  request.vectors[place] = vector;
  if (--request.left > 0) return;
  request.isSettled = true;
  request.resolve(request.vectors);
}
