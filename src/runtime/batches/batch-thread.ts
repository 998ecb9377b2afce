import { startThread, type Thread, ThreadExitError } from "../process/thread.ts";
import { BatchRequest, type RequestItem } from "./batch-request.ts";
import type { Batch, BatchAnswer } from "./serve-batches.ts";

export type BatchThreadOptions = {
  /** The module of the thread. It loads what it needs, then calls `serveBatches`. */
  readonly module: URL;
  /** What the thread runs, for messages: "sentence model". */
  readonly name: string;
  /** Items in one batch. An urgent item waits for at most one batch. */
  readonly batchSize: number;
  /** Heap of the thread, in MiB. */
  readonly heapMb: number;
  readonly youngHeapMb: number;
  /** Time for which an idle thread is kept, in milliseconds. */
  readonly idleMs: number;
  /** Time limits of one batch and of the thread's start, in milliseconds. */
  readonly batchTimeoutMs: number;
  readonly startTimeoutMs: number;
  /** Delay after a failed start before the next one, in milliseconds. Until then every request fails with the error of that start. */
  readonly restartDelayMs: number;
};

export type RunOptions = { readonly isUrgent: boolean; readonly signal: AbortSignal };

/** A thread for something that takes long to load and is then called often, such as a model. It starts with the first item. */
export type BatchThread<Item, Result> = {
  /** Starts the thread in advance. Does nothing if it runs, and right after a failed start. */
  prepare(): void;
  /** Returns one result for each item, in order. Urgent items go first. Throws the thread's failure, or the signal's reason. */
  run(items: readonly Item[], options: RunOptions): Promise<readonly Result[]>;
  /** Fails everything that runs or waits, and ends the thread. */
  close(): Promise<void>;
};

/**
 * Creates a thread that runs items in batches. If it fails, the items of its batch fail, and a new thread runs the following ones. If it
 * cannot start, everything that waits fails, and it is started again after a delay, not for each request.
 */
export function createBatchThread<Item, Result>(options: BatchThreadOptions): BatchThread<Item, Result> {
  const thread = new BatchThreadHost<Item, Result>(options);
  return { prepare: () => thread.prepare(), run: (items, runOptions) => thread.run(items, runOptions), close: () => thread.close() };
}

class BatchThreadHost<Item, Result> implements BatchThread<Item, Result> {
  readonly #options: BatchThreadOptions;
  readonly #urgent: RequestItem<Item, Result>[] = [];
  readonly #others: RequestItem<Item, Result>[] = [];
  #thread: Thread | null = null;
  #isReady = false;
  #batch: readonly RequestItem<Item, Result>[] | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** The last failed start, and the time before which the thread is not started again. */
  #failure: { readonly until: number; readonly error: Error } | null = null;
  #isClosed = false;

  constructor(options: BatchThreadOptions) {
    this.#options = options;
  }

  prepare(): void {
    if (this.#thread === null && !this.#isClosed && this.#recentFailure() === null) this.#start();
  }

  async run(items: readonly Item[], { isUrgent, signal }: RunOptions): Promise<readonly Result[]> {
    if (this.#isClosed) throw this.#closedError();
    signal.throwIfAborted();
    const failure = this.#recentFailure();
    if (failure !== null) throw failure;
    const request = new BatchRequest<Result>(items.length, signal);
    const queue = isUrgent ? this.#urgent : this.#others;
    for (const [index, item] of items.entries()) queue.push({ request, index, item });
    this.#advance();
    return request.promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    failAll([...(this.#batch ?? []), ...this.#urgent.splice(0), ...this.#others.splice(0)], this.#closedError());
    await this.#endThread();
  }

  #closedError(): Error {
    return new Error(`The ${this.#options.name} is closed.`);
  }

  #recentFailure(): Error | null {
    return this.#failure !== null && performance.now() < this.#failure.until ? this.#failure.error : null;
  }

  #start(): void {
    const { module, heapMb, youngHeapMb, startTimeoutMs } = this.#options;
    const limits = {
      // Threads reject some flags with which the process may have been started.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb },
    };
    this.#thread = startThread(module, limits, {
      onMessage: (message) => this.#receive(message as BatchAnswer<Result>),
      onFailure: (error) =>
        error instanceof ThreadExitError ? this.#dropThread(`ended by itself (${error.code})`) : this.#dropThread("failed", error),
    });
    this.#timer = setTimeout(() => this.#dropThread("did not start in time"), startTimeoutMs);
  }

  #receive(answer: BatchAnswer<Result>): void {
    clearTimeout(this.#timer);
    if (answer.kind === "ready") {
      this.#isReady = true;
      this.#failure = null;
      return this.#advance();
    }
    const { name } = this.#options;
    const batch = this.#batch ?? [];
    this.#batch = null;
    if (answer.kind === "failed") failAll(batch, new Error(`The ${name} failed on a text.`, { cause: new Error(answer.message) }));
    else if (answer.results.length !== batch.length) failAll(batch, new Error(`The ${name} left a text out.`));
    else batch.forEach(({ request, index }, i) => request.setResult(index, answer.results[i] as Result));
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
    this.#batch = queue.splice(0, this.#options.batchSize);
    this.#thread.ref();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#dropThread("took too long"), this.#options.batchTimeoutMs);
    this.#thread.post({ items: this.#batch.map(({ item }) => item) } satisfies Batch<Item>);
  }

  #waitForWork(): void {
    clearTimeout(this.#timer);
    if (this.#thread === null) return;
    this.#thread.unref();
    this.#timer = setTimeout(() => void this.#endThread(), this.#options.idleMs);
    this.#timer.unref();
  }

  /** Ends a failed thread. Its batch fails, and a new thread runs the remaining items. */
  #dropThread(reason: string, cause?: unknown): void {
    const error = new Error(`The thread of the ${this.#options.name} ${reason}.`, { cause });
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

function failAll<Item, Result>(items: readonly RequestItem<Item, Result>[], error: unknown): void {
  for (const { request } of items) request.fail(error);
}
