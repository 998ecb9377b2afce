import type { Embedder } from "#domain/answers/vectors.ts";
import { packageUrl } from "#runtime/files/package.ts";
import { startThread, type Thread, ThreadExitError } from "#runtime/thread.ts";
import { EmbedRequest, type RequestText } from "./embed-request.ts";
import { isEnglish } from "./english.ts";
import { normalise } from "./vector.ts";

export type LocalOptions = {
  /** Returns the language (ISO 639-1) of a text, or null. */
  readonly detectLanguage: (text: string) => string | null;
  /** Time for which an idle thread is kept, in milliseconds. */
  readonly idleMs?: number;
  /** Time limits of one batch and of the thread's start, in milliseconds. */
  readonly batchTimeoutMs?: number;
  readonly startTimeoutMs?: number;
  /** Delay after a failed start before the next one, in milliseconds. */
  readonly restartDelayMs?: number;
  /** The module that the thread runs; for tests. */
  readonly thread?: URL;
};

/** A message to the thread, which processes one batch at a time. */
export type ThreadBatch = { readonly texts: readonly string[] };

/** A message from the thread: `ready` once, then one for each batch. */
export type ThreadAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly vectors: readonly Float32Array[] }
  | { readonly kind: "failed"; readonly message: string };

/** Universal Sentence Encoder lite, from the npm package. */
const MODEL = "universal-sentence-encoder-lite";
const DIMENSIONS = 512;
/** Texts in one batch. Four texts in one batch take 60 % of their separate time. An urgent text waits for at most one batch. */
const BATCH_SIZE = 4;
/** Only the start of a longer text is embedded, because time and memory grow with the square of the length. */
const MAX_CHARACTERS = 1_000;
/** Heap of the thread, in MiB; the model itself is not on the heap. */
const MAX_HEAP_MB = 128;
const MAX_YOUNG_HEAP_MB = 16;
const DEFAULTS = { idleMs: 600_000, batchTimeoutMs: 30_000, startTimeoutMs: 60_000, restartDelayMs: 30_000 };

/**
 * Creates an embedder with the bundled sentence model, which runs in a thread. The thread starts with the first text and ends when
 * idle. If it fails, the texts of its batch fail, and a new thread embeds the following ones.
 */
export const createLocalEmbedder = (options: LocalOptions): Embedder => new LocalEmbedder(options);

class LocalEmbedder implements Embedder {
  readonly model = MODEL;
  readonly accepts: (text: string) => boolean;
  readonly #options: LocalOptions & typeof DEFAULTS;
  readonly #urgent: RequestText[] = [];
  readonly #others: RequestText[] = [];
  #thread: Thread | null = null;
  #isReady = false;
  #batch: readonly RequestText[] | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** The last failed start, and the time before which the thread is not started again. */
  #failure: { readonly until: number; readonly error: Error } | null = null;
  #isClosed = false;

  constructor(options: LocalOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.accepts = (text) => isEnglish(text, options.detectLanguage);
  }

  prepare(): void {
    if (this.#thread === null && !this.#isClosed && this.#recentFailure() === null) this.#start();
  }

  async embed(
    texts: readonly string[],
    { isUrgent, signal }: { readonly isUrgent: boolean; readonly signal: AbortSignal },
  ): Promise<readonly Float32Array[]> {
    if (this.#isClosed) throw new Error("The sentence model is closed.");
    signal.throwIfAborted();
    const failure = this.#recentFailure();
    if (failure !== null) throw failure;
    const wanted = texts
      .map((text, index) => ({ index, text: text.slice(0, MAX_CHARACTERS).toWellFormed() }))
      .filter(({ text }) => text.trim() !== "")
      // The longest text determines the time of a batch, so texts of similar length are put together.
      .toSorted((a, b) => a.text.length - b.text.length);
    const request = new EmbedRequest(texts.length, wanted.length, DIMENSIONS, signal);
    (isUrgent ? this.#urgent : this.#others).push(...wanted.map((item) => ({ ...item, request })));
    this.#advance();
    return request.promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const error = new Error("The sentence model is closed.");
    failAll([...(this.#batch ?? []), ...this.#urgent.splice(0), ...this.#others.splice(0)], error);
    await this.#endThread();
  }

  #recentFailure(): Error | null {
    return this.#failure !== null && performance.now() < this.#failure.until ? this.#failure.error : null;
  }

  #start(): void {
    const { thread, startTimeoutMs } = this.#options;
    const limits = {
      // Threads reject some flags with which the process may have been started.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MB },
    };
    this.#thread = startThread(thread ?? packageUrl("#llm/embedder/thread.ts"), limits, {
      onMessage: (message) => this.#receive(message as ThreadAnswer),
      onFailure: (error) =>
        error instanceof ThreadExitError ? this.#dropThread(`ended by itself (${error.code})`) : this.#dropThread("failed", error),
    });
    this.#timer = setTimeout(() => this.#dropThread("did not start in time"), startTimeoutMs);
  }

  #receive(answer: ThreadAnswer): void {
    clearTimeout(this.#timer);
    if (answer.kind === "ready") {
      this.#isReady = true;
      this.#failure = null;
      return this.#advance();
    }
    const batch = this.#batch ?? [];
    this.#batch = null;
    if (answer.kind === "failed") failAll(batch, new Error("The sentence model failed on a text.", { cause: new Error(answer.message) }));
    else if (answer.vectors.length !== batch.length) failAll(batch, new Error("The sentence model left a text out."));
    else batch.forEach(({ request, index }, i) => request.setVector(index, normalise(answer.vectors[i] as Float32Array)));
    this.#advance();
  }

  /** Sends the next batch if there is one and the thread is free. */
  #advance(): void {
    if (this.#batch !== null || this.#isClosed) return;
    for (const queue of [this.#urgent, this.#others]) while (queue[0]?.request.isSettled === true) queue.shift();
    const queue = this.#urgent.length > 0 ? this.#urgent : this.#others;
    if (queue.length === 0) {
      if (this.#isReady) this.#waitForWork();
      return;
    }
    if (this.#thread === null) return this.#start();
    if (!this.#isReady) return;
    this.#batch = queue.splice(0, BATCH_SIZE);
    this.#thread.ref();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#dropThread("took too long"), this.#options.batchTimeoutMs);
    this.#thread.post({ texts: this.#batch.map(({ text }) => text) } satisfies ThreadBatch);
  }

  #waitForWork(): void {
    clearTimeout(this.#timer);
    if (this.#thread === null) return;
    this.#thread.unref();
    this.#timer = setTimeout(() => void this.#endThread(), this.#options.idleMs);
    this.#timer.unref();
  }

  /** Ends a failed thread. Its batch fails, and a new thread embeds the remaining texts. */
  #dropThread(reason: string, cause?: unknown): void {
    const error = new Error(`The thread of the sentence model ${reason}.`, { cause });
    const batch = this.#batch ?? [];
    this.#batch = null;
    if (!this.#isReady) {
      this.#failure = { until: performance.now() + this.#options.restartDelayMs, error };
      failAll([...this.#urgent.splice(0), ...this.#others.splice(0)], error);
    }
    void this.#endThread();
    failAll(batch, error);
    this.#advance();
  }

  async #endThread(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    this.#isReady = false;
    clearTimeout(this.#timer);
    await thread?.end();
  }
}

function failAll(texts: readonly RequestText[], error: unknown): void {
  for (const { request } of texts) request.fail(error);
}
