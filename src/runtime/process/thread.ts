import { type Transferable, Worker, type WorkerOptions } from "node:worker_threads";

/** A worker thread whose failures are always handled. */
export type Thread = {
  /** Throws when the message can't be copied. */
  post(message: unknown, transfer?: readonly Transferable[]): void;
  /** `ref` keeps the process running while the thread exists; `unref` does not. */
  ref(): void;
  unref(): void;
  /** Terminates the thread. No handler is called afterwards. */
  end(): Promise<void>;
};

/** A thread ended unexpectedly. */
export class ThreadExitError extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`The thread ended by itself (${code}).`);
    this.name = "ThreadExitError";
    this.code = code;
  }
}

/** `maxBuffersMb` limits the memory of buffers, in MiB. `resourceLimits` does not count them: they are outside the heap. */
export type ThreadOptions = WorkerOptions & { readonly maxBuffersMb?: number };

/** The code with which Node reports that a thread's heap is full. */
export const OUT_OF_MEMORY = "ERR_WORKER_OUT_OF_MEMORY";
const MIB = 1_048_576;
const MEMORY_POLL_MS = 25;

export type ThreadHandlers = {
  readonly onMessage: (message: unknown) => void;
  /** Called once, when the thread throws, runs out of memory (`ERR_WORKER_OUT_OF_MEMORY`) or exits by itself (`ThreadExitError`). */
  readonly onFailure: (error: Error) => void;
};

/**
 * Starts the module in a thread. No other code starts threads, since an `error` event without a listener ends the process, even one that
 * arrives after the thread is no longer used.
 */
export function startThread(module: URL, { maxBuffersMb, ...options }: ThreadOptions, { onMessage, onFailure }: ThreadHandlers): Thread {
  const worker = new Worker(module, options);
  let hasEnded = false;
  const fail = (error: Error): void => {
    if (hasEnded) return;
    hasEnded = true;
    stopWatching?.();
    onFailure(error);
  };
  const stopWatching = maxBuffersMb === undefined ? null : watchBuffers(worker, maxBuffersMb, fail);
  worker.on("message", (message: unknown) => {
    if (!hasEnded) onMessage(message);
  });
  worker.on("messageerror", fail);
  worker.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on("exit", (code) => fail(new ThreadExitError(code)));
  return {
    post: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    async end() {
      hasEnded = true;
      stopWatching?.();
      await worker.terminate();
    },
  };
}

/**
 * Calls `fail` once the thread's buffers take more than `maxMb`, with the error of a thread that ran out of memory. The thread answers while
 * it runs JavaScript, but not during a call of the runtime, such as one that inflates a buffer. Returns a function that stops.
 */
function watchBuffers(worker: Worker, maxMb: number, fail: (error: Error) => void): () => void {
  let isAsking = false;
  const look = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    try {
      const { external_memory: bytes } = await worker.getHeapStatistics();
      if (bytes > maxMb * MIB)
        fail(Object.assign(new Error(`The buffers of a thread took more than ${maxMb} MiB.`), { code: OUT_OF_MEMORY }));
    } finally {
      isAsking = false;
    }
  };
  // The thread may end before it answers, which is reported as its exit.
  const timer = setInterval(() => void look().catch(() => undefined), MEMORY_POLL_MS).unref();
  return () => clearInterval(timer);
}
