import { IngestError } from "#domain/content/job.ts";
import type { Analyser, Analysis } from "#domain/answers/search.ts";
import type { PageHead } from "../clean/head.ts";
import type { CleanedPage } from "../clean/page.ts";
import type { ParsedDocument } from "../read/document.ts";
import type { PlainText } from "../read/plain/plain-text.ts";
import type { ParsedFeed } from "../read/feed/feed.ts";
import type { AttemptClock } from "../jobs/attempt-clock.ts";
import { createFairQueue } from "#runtime/fair-queue.ts";
import type { Reader } from "./reader.ts";
import { createSlot, isLarge, type SlotFailure, type Waiting } from "./slot.ts";
import type { ThreadTask } from "./tasks.ts";

export type PoolOptions = {
  /** Most threads at once. */
  readonly size: number;
  /** A task's time once its thread runs, in milliseconds. */
  readonly timeoutMs: number;
  /** A thread's heap, in MiB; a file may take more than a page, whose size is bounded closer. */
  readonly memoryMb: number;
  readonly fileMemoryMb: number;
  /** How long a thread without work is kept, in milliseconds. */
  readonly idleMs: number;
  /** The module the threads run; for tests of the pool itself. */
  readonly thread?: URL;
};

/** For whom tasks are done, and whose time it is while they wait for a thread. */
export type TaskOwner = { readonly business: string; readonly clock?: Pick<AttemptClock, "pause"> };

export type Pool = Analyser & {
  /** Businesses take turns at the threads; a clock stands still from the call of a task until its thread begins with it. */
  reader(owner: TaskOwner): Reader;
  close(): Promise<void>;
};

/** The owner of tasks that are done for the service itself. */
const SERVICE: TaskOwner = { business: "" };

function describe(failure: SlotFailure, cause: unknown): Error {
  const details = { stage: "clean", ...(cause === undefined ? {} : { cause }) };
  if (failure === "died") return new Error("A worker thread failed.", { cause });
  const why = failure === "timeout" ? "took too long to read" : "needs too much memory to read";
  return new IngestError("page_too_complex", `It ${why}. Paste the part you need as text.`, details);
}

/**
 * Threads for work that may never end: a task that runs over its time or its memory, or is aborted, ends with its
 * thread, and the tasks behind it go on in a new one. One business can hold up another by no more than what runs. Threads start with the first task and end when idle.
 */
export function createPool(options: PoolOptions): Pool {
  const queue = createFairQueue<Waiting>();
  const state = { closed: null as Promise<void> | null };
  const thread = options.thread ?? new URL("./thread.ts", import.meta.url);
  const slots = Array.from({ length: Math.max(1, options.size) }, () =>
    createSlot({ ...options, thread, fail: describe, onFree: advance }),
  );

  /** Large tasks leave one place to the small ones, which would else wait for their memory and time. */
  const mayBeLarge = (): boolean => slots.filter((slot) => slot.isLarge()).length < Math.max(1, slots.length - 1);

  function advance(): void {
    while (!state.closed) {
      const free = slots.find((slot) => !slot.isBusy() && slot.isWarm()) ?? slots.find((slot) => !slot.isBusy());
      if (!free) return;
      const isAnyAllowed = mayBeLarge();
      const next = queue.take(({ task }) => isAnyAllowed || !isLarge(task));
      if (!next) return;
      if (next.signal?.aborted) next.reject(next.signal.reason);
      else free.run(next);
    }
  }
  const submit = (owner: TaskOwner, task: ThreadTask, signal?: AbortSignal): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (state.closed) return reject(new Error("The pool is closed."));
      if (signal?.aborted) return reject(signal.reason);
      const leaveQueue = (): void => {
        if (queue.remove(waiting)) waiting.reject(signal?.reason);
      };
      const endWait = owner.clock?.pause() ?? ((): void => undefined);
      const forget = (): void => {
        endWait();
        signal?.removeEventListener("abort", leaveQueue);
      };
      const waiting: Waiting = {
        task,
        signal,
        onBegin: endWait,
        resolve: (value) => {
          forget();
          resolve(value);
        },
        reject: (error) => {
          forget();
          reject(error);
        },
      };
      signal?.addEventListener("abort", leaveQueue, { once: true });
      queue.add(owner.business, waiting);
      advance();
    });
  const shut = async (): Promise<void> => {
    const error = new Error("The pool is closed.");
    for (const waiting of queue.clear()) waiting.reject(error);
    await Promise.all(slots.map((slot) => slot.close(error)));
  };
  return {
    reader: (owner) => ({
      page: async (page, signal) => (await submit(owner, { kind: "page", page }, signal)) as CleanedPage,
      plainText: async (page, signal) => (await submit(owner, { kind: "plainText", page }, signal)) as PlainText,
      clean: async (page, signal) => (await submit(owner, { kind: "clean", page }, signal)) as CleanedPage,
      head: async (page, signal) => (await submit(owner, { kind: "head", page }, signal)) as PageHead,
      feed: async (text, signal) => (await submit(owner, { kind: "feed", text }, signal)) as ParsedFeed | null,
      document: async (bytes, form, signal) => (await submit(owner, { kind: "document", bytes, form }, signal)) as ParsedDocument,
    }),
    analyse: async (items, only) => (await submit(SERVICE, { kind: "analyse", items, only })) as readonly Analysis[],
    close: () => {
      // `closed` is set before anything is rejected, so that nothing starts a thread again.
      if (!state.closed) {
        const gate = Promise.withResolvers<void>();
        state.closed = gate.promise;
        shut().then(gate.resolve, gate.reject);
      }
      return state.closed;
    },
  };
}
