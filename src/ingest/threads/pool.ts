import type { Mail } from "#domain/content/file.ts";
import { IngestError } from "#domain/content/job.ts";
import type { PageHead } from "../clean/head.ts";
import type { CleanedPage } from "../clean/page.ts";
import type { ParsedDocument } from "../read/document.ts";
import type { DecodedText } from "../read/plain/plain-text.ts";
import type { ParsedFeed } from "../read/feed/feed.ts";
import type { AttemptClock } from "../jobs/attempt-clock.ts";
import type { AnalysedPart, TextPart } from "#retrieval/lexical/analyse.ts";
import { packageUrl } from "#runtime/files/package.ts";
import { createUrgentQueue } from "./urgent-queue.ts";
import type { ContentReader } from "./reader.ts";
import { createSlot, type Slot, type SlotFailure, type Waiting } from "./slot.ts";
import { isLargeTask } from "./task-data.ts";
import type { ThreadTask } from "./tasks.ts";

export type PoolOptions = {
  /** Maximum number of threads. */
  readonly size: number;
  /** A task's time once its thread runs, in milliseconds. */
  readonly timeoutMs: number;
  /** Heap of a thread in MiB. Files may take more than pages, whose size has a lower limit. */
  readonly memoryMb: number;
  readonly fileMemoryMb: number;
  /** Memory of a thread's buffers, which are outside its heap, in MiB. */
  readonly maxBuffersMb: number;
  /** How long a thread without work is kept, in milliseconds. */
  readonly idleMs: number;
  /** Module that the threads run; tests of the pool pass their own. */
  readonly thread?: URL;
};

/** The business that a task belongs to, and the clock that is paused while the task waits for a thread. */
export type TaskOwner = { readonly business: string; readonly clock?: Pick<AttemptClock, "pause"> };

export type Pool = {
  /** Businesses take turns at the threads. The clock of a task is paused until its thread begins with it. */
  reader(owner: TaskOwner): ContentReader;
  /** Reads a raw e-mail, for which a caller waits. Throws as a reader does. */
  mail(bytes: Uint8Array, business: string, signal: AbortSignal): Promise<Mail>;
  /** Analyses parts of texts of one business, in one task. Throws as a reader does. */
  analyse(parts: readonly TextPart[], options: AnalyseOptions): Promise<readonly AnalysedPart[]>;
  close(): Promise<void>;
};

/** Urgent work, for which a caller waits, goes first, but other work is never held up for long. */
export type AnalyseOptions = { readonly business: string; readonly isUrgent: boolean; readonly signal?: AbortSignal };

function toError(failure: SlotFailure, cause: unknown): Error {
  const details = { stage: "clean", ...(cause === undefined ? {} : { cause }) };
  if (failure === "died") return new Error("A worker thread failed.", { cause });
  const why = failure === "timeout" ? "took too long to read" : "needs too much memory to read";
  return new IngestError("page_too_complex", `It ${why}. Paste the part you need as text.`, details);
}

/**
 * Creates a pool of threads for work that may never end. A task that exceeds its time or memory, or is aborted, is terminated with its
 * thread; waiting tasks continue in a new thread. Businesses take turns, so one delays another only by the tasks that already run.
 * Threads start with the first task and end when idle.
 */
export function createPool(options: PoolOptions): Pool {
  const pool = new ThreadPool(options);
  return {
    reader: (owner) => ({
      page: async (page, signal) => (await pool.submit(owner, { kind: "page", page }, signal)) as CleanedPage,
      plainText: async (page, signal) => (await pool.submit(owner, { kind: "plainText", page }, signal)) as DecodedText,
      clean: async (page, signal) => (await pool.submit(owner, { kind: "clean", page }, signal)) as CleanedPage,
      head: async (page, signal) => (await pool.submit(owner, { kind: "head", page }, signal)) as PageHead,
      feed: async (text, signal) => (await pool.submit(owner, { kind: "feed", text }, signal)) as ParsedFeed | null,
      document: async (bytes, form, signal) => (await pool.submit(owner, { kind: "document", bytes, form }, signal)) as ParsedDocument,
    }),
    mail: async (bytes, business, signal) => (await pool.submit({ business }, { kind: "mail", bytes }, signal, true)) as Mail,
    analyse: async (parts, { business, isUrgent, signal }) =>
      (await pool.submit({ business }, { kind: "analyse", parts }, signal, isUrgent)) as readonly AnalysedPart[],
    close: () => pool.close(),
  };
}

class ThreadPool {
  readonly #queue = createUrgentQueue<Waiting>(({ isUrgent }) => isUrgent);
  readonly #slots: readonly Slot[];
  #closed: Promise<void> | null = null;

  constructor(options: PoolOptions) {
    const thread = options.thread ?? packageUrl("#ingest/threads/thread.ts");
    const onFree = (): void => this.#startWaiting();
    this.#slots = Array.from({ length: Math.max(1, options.size) }, () => createSlot({ ...options, thread, fail: toError, onFree }));
  }

  submit(owner: TaskOwner, task: ThreadTask, signal?: AbortSignal, isUrgent = false): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error("The pool is closed."));
      if (signal?.aborted) return reject(signal.reason);
      const leaveQueue = (): void => {
        if (this.#queue.remove(waiting)) waiting.reject(signal?.reason);
      };
      const endWait = owner.clock?.pause() ?? ((): void => undefined);
      const cleanUp = (): void => {
        endWait();
        signal?.removeEventListener("abort", leaveQueue);
      };
      const waiting: Waiting = {
        task,
        signal,
        isUrgent,
        onBegin: endWait,
        resolve: (value) => {
          cleanUp();
          resolve(value);
        },
        reject: (error) => {
          cleanUp();
          reject(error);
        },
      };
      signal?.addEventListener("abort", leaveQueue, { once: true });
      this.#queue.add(owner.business, waiting);
      this.#startWaiting();
    });
  }

  close(): Promise<void> {
    if (this.#closed) return this.#closed;
    // `#closed` is set before any task is rejected, so that no rejection starts a thread again.
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#closed = promise;
    this.#shutDown().then(resolve, reject);
    return promise;
  }

  async #shutDown(): Promise<void> {
    const error = new Error("The pool is closed.");
    for (const waiting of this.#queue.clear()) waiting.reject(error);
    await Promise.all(this.#slots.map((slot) => slot.close(error)));
  }

  /** Starts waiting tasks in free slots, preferring slots whose thread already runs. */
  #startWaiting(): void {
    while (!this.#closed) {
      const free = this.#slots.find((slot) => !slot.isBusy() && slot.isWarm()) ?? this.#slots.find((slot) => !slot.isBusy());
      if (!free) return;
      const isLargeAllowed = this.#isLargeAllowed();
      const next = this.#queue.take(({ task }) => isLargeAllowed || !isLargeTask(task));
      if (!next) return;
      if (next.signal?.aborted) next.reject(next.signal.reason);
      else free.run(next);
    }
  }

  /** Whether a large task may start: one slot is reserved for small tasks, which would otherwise wait for the large ones. */
  #isLargeAllowed(): boolean {
    return this.#slots.filter((slot) => slot.isLarge()).length < Math.max(1, this.#slots.length - 1);
  }
}
