import { type Transferable, Worker, type WorkerOptions } from "node:worker_threads";
import { runDetached } from "./work-context.ts";

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

export type ThreadHandlers = {
  readonly onMessage: (message: unknown) => void;
  /** Called once, when the thread throws, runs out of memory (`ERR_WORKER_OUT_OF_MEMORY`) or exits by itself (`ThreadExitError`). */
  readonly onFailure: (error: Error) => void;
};

/**
 * Starts the module in a thread. No other code starts threads, since an `error` event without a listener ends the process, even one that
 * arrives after the thread is no longer used.
 */
export function startThread(module: URL, options: WorkerOptions, { onMessage, onFailure }: ThreadHandlers): Thread {
  // The thread serves many jobs, so its messages must not belong to the current one.
  const worker = runDetached(() => new Worker(module, options));
  let hasEnded = false;
  const fail = (error: Error): void => {
    if (hasEnded) return;
    hasEnded = true;
    onFailure(error);
  };
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
      await worker.terminate();
    },
  };
}
