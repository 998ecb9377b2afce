import { IngestError } from "#domain/content/job.ts";
import { ShortageError } from "#domain/core/errors/shortage.ts";
import { OUT_OF_MEMORY, startThread, type Thread } from "#runtime/process/thread.ts";
import { isLargeTask, listTransferables, needsFileMemory } from "./task-data.ts";
import type { ThreadAnswer, ThreadTask } from "./tasks.ts";

/** A task with the callbacks of its promise. */
export type Waiting = {
  readonly task: ThreadTask;
  readonly signal: AbortSignal | undefined;
  /** Whether a caller waits for it, so that it goes before other tasks. */
  readonly isUrgent: boolean;
  /** Called when the thread begins with the task. */
  readonly onBegin: () => void;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** Why a task failed in its thread; the pool creates the error message. */
export type SlotFailure = "timeout" | "memory" | "died";

export type SlotOptions = {
  readonly thread: URL;
  readonly timeoutMs: number;
  /** Heap of a thread that reads pages and text, and of one that reads a file; in MiB. */
  readonly memoryMb: number;
  readonly fileMemoryMb: number;
  /** Memory of a thread's buffers, which are outside its heap, in MiB. */
  readonly maxBuffersMb: number;
  readonly idleMs: number;
  /** Called at the end of every task, when the slot is free again. */
  readonly onFree: () => void;
  readonly fail: (failure: SlotFailure, cause: unknown) => Error;
};

/** A slot for one thread. The first task starts the thread; it is ended after `idleMs` without a task. */
export type Slot = {
  readonly isBusy: () => boolean;
  readonly isWarm: () => boolean;
  readonly isLarge: () => boolean;
  readonly run: (waiting: Waiting) => void;
  readonly close: (error: Error) => Promise<void>;
};

const MAX_START_MS = 30_000;
/** A thread with a larger heap after a task is ended. Starting a new one takes 0.3 s of CPU time. */
const MAX_HEAP_MB = 64;
/** Size of the young generation. It is smaller than in the main thread, where API calls must not wait for garbage collections. */
const YOUNG_GENERATION_MB = 12;

type Current = {
  readonly waiting: Waiting;
  /** Determined before the task's bytes are transferred to the thread, as whether the thread is ended after it. */
  readonly isLarge: boolean;
  readonly isHeavy: boolean;
  timer: NodeJS.Timeout;
  readonly onAbort: () => void;
  isSent: boolean;
};

export function createSlot(options: SlotOptions): Slot {
  const slot = new ThreadSlot(options);
  return {
    isBusy: () => slot.isBusy,
    isWarm: () => slot.isWarm,
    isLarge: () => slot.isLarge,
    run: (waiting) => slot.run(waiting),
    close: (error) => slot.close(error),
  };
}

class ThreadSlot {
  readonly #options: SlotOptions;
  #thread: Thread | null = null;
  #memoryMb = 0;
  #isReady = false;
  #current: Current | null = null;
  #idleTimer: NodeJS.Timeout | null = null;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#current !== null;
  }

  get isWarm(): boolean {
    return this.#isReady;
  }

  get isLarge(): boolean {
    return this.#current?.isLarge === true;
  }

  run(waiting: Waiting): void {
    this.#clearIdleTimer();
    const onAbort = (): void => this.#abandon(waiting.signal?.reason);
    waiting.signal?.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => this.#abandon(this.#options.fail("died", new Error("The thread did not start in time."))), MAX_START_MS);
    const { task } = waiting;
    const isHeavy = needsFileMemory(task) || task.kind === "feed";
    this.#current = { waiting, isLarge: isLargeTask(task), isHeavy, timer, onAbort, isSent: false };
    try {
      this.#ensureThread(needsFileMemory(task) ? this.#options.fileMemoryMb : this.#options.memoryMb);
      this.#send();
    } catch (error) {
      this.#abandon(this.#options.fail("died", error));
    }
  }

  async close(error: Error): Promise<void> {
    const ended = this.#endThread();
    this.#takeCurrent()?.reject(error);
    await ended;
  }

  /** Starts a thread with at least this much memory, unless the current one has it. */
  #ensureThread(memoryMb: number): void {
    if (this.#thread && this.#memoryMb < memoryMb) void this.#endThread();
    if (this.#thread) return this.#thread.ref();
    const { maxBuffersMb } = this.#options;
    const limits = { maxBuffersMb, resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } };
    this.#thread = startThread(this.#options.thread, limits, {
      onMessage: (message) => this.#receive(message as ThreadAnswer),
      onFailure: (error: NodeJS.ErrnoException) =>
        this.#abandon(this.#options.fail(error.code === OUT_OF_MEMORY ? "memory" : "died", error)),
    });
    this.#memoryMb = memoryMb;
  }

  #send(): void {
    const current = this.#current;
    if (!current || !this.#thread || !this.#isReady || current.isSent) return;
    current.isSent = true;
    clearTimeout(current.timer);
    current.waiting.onBegin();
    // The time starts here, so that a slow start of the thread does not count against the task.
    current.timer = setTimeout(() => this.#abandon(this.#options.fail("timeout", undefined)), this.#options.timeoutMs);
    this.#thread.post(current.waiting.task, listTransferables(current.waiting.task));
  }

  #receive(answer: ThreadAnswer): void {
    if (answer.kind === "ready") {
      this.#isReady = true;
      return this.#send();
    }
    const wasHeavy = this.#current?.isHeavy === true;
    const waiting = this.#takeCurrent();
    // The heap of a thread does not shrink, and the modules that read files stay loaded.
    if (wasHeavy || (answer.kind === "done" && answer.heapMb > MAX_HEAP_MB)) void this.#endThread();
    else this.#startIdleTimer();
    if (answer.kind === "done") waiting?.resolve(answer.value);
    else if (answer.kind === "refused") waiting?.reject(new IngestError(answer.code, answer.message, { stage: answer.stage }));
    else {
      const cause = new Error(answer.message);
      waiting?.reject(this.#options.fail("died", answer.shortage === null ? cause : new ShortageError(answer.shortage, { cause })));
    }
    this.#options.onFree();
  }

  /** Ends the thread during its task, and rejects the task. */
  #abandon(error: unknown): void {
    void this.#endThread();
    this.#takeCurrent()?.reject(error);
    this.#options.onFree();
  }

  #takeCurrent(): Waiting | null {
    const current = this.#current;
    if (!current) return null;
    clearTimeout(current.timer);
    current.waiting.signal?.removeEventListener("abort", current.onAbort);
    this.#current = null;
    return current.waiting;
  }

  #endThread(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    this.#isReady = false;
    this.#clearIdleTimer();
    return thread?.end() ?? Promise.resolve();
  }

  #startIdleTimer(): void {
    this.#thread?.unref();
    this.#idleTimer = setTimeout(() => void this.#endThread(), this.#options.idleMs).unref();
  }

  #clearIdleTimer(): void {
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
  }
}
