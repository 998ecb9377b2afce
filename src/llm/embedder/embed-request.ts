/** One text of a request, and the index of its vector. */
export type RequestText = { readonly request: EmbedRequest; readonly index: number; readonly text: string };

/** The request of one caller, whose texts may be embedded in several batches. */
export class EmbedRequest {
  readonly promise: Promise<readonly Float32Array[]>;
  readonly #resolve: (vectors: readonly Float32Array[]) => void;
  readonly #reject: (error: unknown) => void;
  readonly #vectors: Float32Array[];
  readonly #signal: AbortSignal;
  #missing: number;
  #isSettled = false;

  /** The result has `count` vectors. `missing` of them must be set; the others stay zero. */
  constructor(count: number, missing: number, dimensions: number, signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Float32Array[]>();
    this.promise = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#vectors = Array.from({ length: count }, () => new Float32Array(dimensions));
    this.#missing = missing;
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort, { once: true });
    if (missing === 0) this.#settle(() => resolve(this.#vectors));
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  setVector(index: number, vector: Float32Array): void {
    if (this.#isSettled) return;
    this.#vectors[index] = vector;
    this.#missing--;
    if (this.#missing === 0) this.#settle(() => this.#resolve(this.#vectors));
  }

  fail(error: unknown): void {
    this.#settle(() => this.#reject(error));
  }

  readonly #onAbort = (): void => this.fail(this.#signal.reason);

  #settle(report: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#signal.removeEventListener("abort", this.#onAbort);
    report();
  }
}
