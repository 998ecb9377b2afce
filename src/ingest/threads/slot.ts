import { IngestError } from "#domain/content/job.ts";
import { startThread, type Thread } from "#runtime/thread.ts";
import type { ThreadAnswer, ThreadTask } from "./tasks.ts";

/** One task with its promise, wherever it waits. */
export type Waiting = {
  readonly task: ThreadTask;
  readonly signal: AbortSignal | undefined;
  /** Called when the thread begins with the task. */
  readonly onBegin: () => void;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** How a thread failed a task, for the pool to put into words. */
export type SlotFailure = "timeout" | "memory" | "died";

export type SlotOptions = {
  readonly thread: URL;
  readonly timeoutMs: number;
  /** Heap of a thread, in MiB: of one that reads pages and words, and of one that reads a file. */
  readonly memoryMb: number;
  readonly fileMemoryMb: number;
  readonly idleMs: number;
  /** The slot is free again; asked for at every end of a task. */
  readonly onFree: () => void;
  readonly fail: (failure: SlotFailure, cause: unknown) => Error;
};

/** A place for one thread, which is started by its first task and ended when there is none for a while. */
export type Slot = {
  readonly isBusy: () => boolean;
  readonly isWarm: () => boolean;
  readonly isLarge: () => boolean;
  readonly run: (waiting: Waiting) => void;
  readonly close: (error: Error) => Promise<void>;
};

const BOOT_MS = 30_000;
/** A thread whose heap is larger after a task is ended with it; a new one takes 0.3 s of processor time. */
const MAX_HEAP_MB = 64;
/** Of a thread's heap, for what is new: less than the main thread has, whose calls must not wait for collections. */
const YOUNG_MB = 12;

type Current = {
  readonly waiting: Waiting;
  /** Told before its bytes are given away. */ readonly isLarge: boolean;
  timer: NodeJS.Timeout;
  readonly onAbort: () => void;
  sent: boolean;
};
type State = { worker: Thread | null; memoryMb: number; ready: boolean; current: Current | null; idle: NodeJS.Timeout | null };

/** From this size on a task may take a hundred megabytes and seconds. */
const LARGE = 400_000;

export function isLarge(task: ThreadTask): boolean {
  switch (task.kind) {
    case "page":
    case "plainText":
      return task.page.body.length >= LARGE;
    case "document":
      return task.bytes.length >= LARGE;
    case "feed":
      return task.text.length >= LARGE;
    case "analyse":
      return false;
    default:
      return task.page.html.length >= LARGE;
  }
}

/** Bytes that the task alone holds go over without a copy. */
function ownedBy(task: ThreadTask): ArrayBuffer[] {
  const bytes = task.kind === "page" || task.kind === "plainText" ? task.page.body : task.kind === "document" ? task.bytes : null;
  return bytes !== null && bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : [];
}

export function createSlot(options: SlotOptions): Slot {
  const state: State = { worker: null, memoryMb: 0, ready: false, current: null, idle: null };

  const take = (): Waiting | null => {
    const current = state.current;
    if (!current) return null;
    clearTimeout(current.timer);
    current.waiting.signal?.removeEventListener("abort", current.onAbort);
    state.current = null;
    return current.waiting;
  };
  const drop = (): Promise<void> => {
    const worker = state.worker;
    state.worker = null;
    state.ready = false;
    if (state.idle) clearTimeout(state.idle);
    state.idle = null;
    return worker?.end() ?? Promise.resolve();
  };
  const abandon = (error: unknown): void => {
    void drop();
    take()?.reject(error);
    options.onFree();
  };
  const rest = (): void => {
    state.worker?.unref();
    state.idle = setTimeout(() => void drop(), options.idleMs);
    state.idle.unref();
  };
  const send = (): void => {
    const { current, worker } = state;
    if (!current || !worker || !state.ready || current.sent) return;
    current.sent = true;
    clearTimeout(current.timer);
    current.waiting.onBegin();
    // The clock starts here, so that a slow start of the thread is not held against the page.
    current.timer = setTimeout(() => abandon(options.fail("timeout", undefined)), options.timeoutMs);
    worker.post(current.waiting.task, ownedBy(current.waiting.task));
  };
  const receive = (answer: ThreadAnswer): void => {
    if (answer.kind === "ready") {
      state.ready = true;
      return send();
    }
    const wasHeavy = state.current?.waiting.task.kind === "document" || state.current?.waiting.task.kind === "feed";
    const waiting = take();
    // A heap that grew does not shrink again while its thread lives, and readers of files stay in it once they are loaded.
    if (wasHeavy || (answer.kind === "done" && answer.heapMb > MAX_HEAP_MB)) void drop();
    else rest();
    if (answer.kind === "done") waiting?.resolve(answer.value);
    else if (answer.kind === "refused") waiting?.reject(new IngestError(answer.code, answer.message, { stage: answer.stage }));
    else waiting?.reject(options.fail("died", new Error(answer.message)));
    options.onFree();
  };
  const start = (memoryMb: number): void => {
    const limits = { resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB } };
    state.worker = startThread(options.thread, limits, {
      onMessage: (message) => receive(message as ThreadAnswer),
      onFailure: (error: NodeJS.ErrnoException) =>
        abandon(options.fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "died", error)),
    });
    state.memoryMb = memoryMb;
  };
  return {
    isBusy: () => state.current !== null,
    isWarm: () => state.ready,
    isLarge: () => state.current?.isLarge === true,
    run(waiting) {
      if (state.idle) clearTimeout(state.idle);
      state.idle = null;
      const onAbort = (): void => abandon(waiting.signal?.reason);
      waiting.signal?.addEventListener("abort", onAbort, { once: true });
      const timer = setTimeout(() => abandon(options.fail("died", new Error("The thread did not start in time."))), BOOT_MS);
      state.current = { waiting, isLarge: isLarge(waiting.task), timer, onAbort, sent: false };
      try {
        const memoryMb = waiting.task.kind === "document" ? options.fileMemoryMb : options.memoryMb;
        if (state.worker && state.memoryMb < memoryMb) void drop();
        if (state.worker) state.worker.ref();
        else start(memoryMb);
        send();
      } catch (error) {
        abandon(options.fail("died", error));
      }
    },
    async close(error) {
      const ended = drop();
      take()?.reject(error);
      await ended;
    },
  };
}
