/** One item of a request, and the index of its result. */
export type RequestItem<Item, Result> = { readonly request: BatchRequest<Result>; readonly index: number; readonly item: Item };

/** The request of one caller, whose items may be processed in several batches. */
export class BatchRequest<Result> {
  readonly promise: Promise<readonly Result[]>;
  readonly #resolve: (results: readonly Result[]) => void;
  readonly #reject: (error: unknown) => void;
  readonly #results: Result[];
  readonly #signal: AbortSignal;
  #missing: number;
  #isSettled = false;

  constructor(count: number, signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Result[]>();
    this.promise = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#results = Array.from<Result>({ length: count });
    this.#missing = count;
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort, { once: true });
    if (count === 0) this.#settle(() => resolve([]));
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  setResult(index: number, result: Result): void {
    if (this.#isSettled) return;
    this.#results[index] = result;
    this.#missing--;
    if (this.#missing === 0) this.#settle(() => this.#resolve(this.#results));
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
