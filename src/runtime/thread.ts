import { type Transferable, Worker, type WorkerOptions } from "node:worker_threads";
import { runDetached } from "./work-context.ts";

/** A worker thread whose failures always reach a handler. */
export type Thread = {
  /** Throws when the message can't be copied. */
  post(message: unknown, transfer?: readonly Transferable[]): void;
  /** Keeps the process running while the thread works, or not. */
  ref(): void;
  unref(): void;
  /** Ends the thread; no handler is called from here on. */
  end(): Promise<void>;
};

/** A thread ended without being asked to. */
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
  /** Called once: the thread threw, ran out of memory (`ERR_WORKER_OUT_OF_MEMORY`) or ended by itself (`ThreadExitError`). */
  readonly onFailure: (error: Error) => void;
};

/**
 * Starts the module in a thread. This is the only place that makes threads: an `error` event that nobody listens to would end the
 * process, also one that is still on its way when the thread is dropped.
 */
export function startThread(module: URL, options: WorkerOptions, { onMessage, onFailure }: ThreadHandlers): Thread {
  // It serves later jobs too, so its messages belong to none.
  const worker = runDetached(() => new Worker(module, options));
  let isOver = false;
  const fail = (error: Error): void => {
    if (isOver) return;
    isOver = true;
    onFailure(error);
  };
  worker.on("message", (message: unknown) => {
    if (!isOver) onMessage(message);
  });
  worker.on("messageerror", fail);
  worker.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on("exit", (code) => fail(new ThreadExitError(code)));
  return {
    post: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    async end() {
      isOver = true;
      await worker.terminate();
    },
  };
}
