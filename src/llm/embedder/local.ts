import type { Embedder } from "#domain/answers/vectors.ts";
import { type BatchThread, type BatchThreadOptions, createBatchThread, type RunOptions } from "#runtime/batches/batch-thread.ts";
import { packageUrl } from "#runtime/files/package.ts";
import { isEnglish } from "./english.ts";
import { normalise } from "./vector.ts";

export type LocalOptions = Partial<BatchThreadOptions> & {
  /** Returns the language (ISO 639-1) of a text, or null. */
  readonly detectLanguage: (text: string) => string | null;
};

/** Universal Sentence Encoder lite, from the npm package. */
const MODEL = "universal-sentence-encoder-lite";
const DIMENSIONS = 512;
/** Only the start of a longer text is embedded, because time and memory grow with the square of the length. */
const MAX_CHARACTERS = 1_000;
/** Four texts in one batch take 60 % of their separate time. The model itself is not on the heap. */
const DEFAULTS = {
  name: "sentence model",
  batchSize: 4,
  heapMb: 128,
  youngHeapMb: 16,
  idleMs: 600_000,
  batchTimeoutMs: 30_000,
  startTimeoutMs: 60_000,
  restartDelayMs: 30_000,
};

/** Creates an embedder with the bundled sentence model, which runs in a thread that starts with the first text and ends when idle. */
export const createLocalEmbedder = (options: LocalOptions): Embedder => new LocalEmbedder(options);

class LocalEmbedder implements Embedder {
  readonly model = MODEL;
  readonly accepts: (text: string) => boolean;
  readonly #thread: BatchThread<string, Float32Array>;

  constructor({ detectLanguage, ...options }: LocalOptions) {
    this.accepts = (text) => isEnglish(text, detectLanguage);
    this.#thread = createBatchThread({ ...DEFAULTS, module: options.module ?? packageUrl("#llm/embedder/thread.ts"), ...options });
  }

  prepare(): void {
    this.#thread.prepare();
  }

  async embed(texts: readonly string[], options: RunOptions): Promise<readonly Float32Array[]> {
    const wanted = texts
      .map((text, index) => ({ index, text: text.slice(0, MAX_CHARACTERS).toWellFormed() }))
      .filter(({ text }) => text.trim() !== "")
      // The longest text determines the time of a batch, so texts of similar length are put together.
      .toSorted((a, b) => a.text.length - b.text.length);
    const embedded = await this.#thread.run(
      wanted.map(({ text }) => text),
      options,
    );
    const vectors = Array.from<unknown, Float32Array>({ length: texts.length }, () => new Float32Array(DIMENSIONS));
    for (const [at, { index }] of wanted.entries()) vectors[index] = normalise(embedded[at] as Float32Array);
    return vectors;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
