import { createFairQueue } from "./fair-queue.ts";

export type SemaphoreOptions = {
  /** The number of calls that run at the same time. */
  readonly slots: number;
  /** The maximum of waiting calls, and of running and waiting calls per owner. No limits by default. */
  readonly maxWaiting?: number;
  readonly maxPerOwner?: number;
  /** Creates the error for calls beyond these limits. */
  readonly refuse?: () => Error;
};

export type WorkOptions = {
  /** The owner of the work. Waiting work of the owner with the fewest running calls starts first. */
  readonly owner?: string;
  /** An abort removes waiting work. Running work must watch the signal itself. */
  readonly signal?: AbortSignal;
};

/** Limits how much work runs at once, with a fair order among owners. */
export type Semaphore = {
  /**
   * Runs `work` as soon as there is a slot and returns its result. Throws what the work throws, the signal's reason, and `refuse()`
   * beyond the limits.
   */
  run<T>(work: () => Promise<T>, options?: WorkOptions): Promise<T>;
};

export function createSemaphore(options: SemaphoreOptions): Semaphore {
  return new FairSemaphore(options);
}

class FairSemaphore implements Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #running = new Map<string, number>();
  readonly #waiting = createFairQueue<{ readonly owner: string; readonly start: () => void }>((owner) => this.#countRunning(owner));
  #freeSlots: number;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
    this.#freeSlots = options.slots;
  }

  async run<T>(work: () => Promise<T>, { owner = "", signal }: WorkOptions = {}): Promise<T> {
    signal?.throwIfAborted();
    this.#checkLimits(owner);
    if (this.#freeSlots > 0) {
      this.#waiting.recordTurn(owner);
      this.#occupy(owner);
    } else await this.#waitForSlot(owner, signal);
    try {
      return await work();
    } finally {
      this.#release(owner);
    }
  }

  #checkLimits(owner: string): void {
    const { maxWaiting = Infinity, maxPerOwner = Infinity, refuse } = this.#options;
    const isQueueFull = this.#freeSlots === 0 && this.#waiting.size >= maxWaiting;
    if (isQueueFull || this.#countRunning(owner) + this.#waiting.countWaiting(owner) >= maxPerOwner)
      throw refuse?.() ?? new Error("Too many calls are waiting.");
  }

  #countRunning(owner: string): number {
    return this.#running.get(owner) ?? 0;
  }

  #occupy(owner: string): void {
    this.#freeSlots--;
    this.#running.set(owner, this.#countRunning(owner) + 1);
  }

  #release(owner: string): void {
    this.#freeSlots++;
    const left = this.#countRunning(owner) - 1;
    if (left > 0) this.#running.set(owner, left);
    else this.#running.delete(owner);
    // The slot is passed on synchronously, so that new work can't overtake waiting work.
    const next = this.#waiting.take();
    if (next === undefined) return;
    this.#occupy(next.owner);
    next.start();
  }

  #waitForSlot(owner: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        if (this.#waiting.remove(waiter)) reject(signal?.reason);
      };
      const start = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const waiter = { owner, start };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.add(owner, waiter);
    });
  }
}
