import { AsyncLocalStorage } from "node:async_hooks";
import { createFairQueue, listOwnerNames, type Owner } from "./fair-queue.ts";

/** The limit that one more call would exceed. */
export type CallLimit = "owner" | "group" | "total";

export type SemaphoreOptions = {
  /** The number of calls that run at the same time. */
  readonly slots: number;
  /** Slots beyond these, for groups with nothing running, one each. None by default. */
  readonly reserved?: number;
  /** The maximum of waiting calls, and of running and waiting calls per owner and per group. No limits by default. */
  readonly maxWaiting?: number;
  readonly maxPerOwner?: number;
  readonly maxPerGroup?: number;
  /** Creates the error for calls beyond these limits: `maxPerOwner`, `maxPerGroup` or `maxWaiting`. */
  readonly refuse?: (exceeded: CallLimit) => Error;
  /**
   * Starts the next call only after a quiet turn of the event loop, for work that occupies the processor: short work runs in between. A new
   * call of an owner with nothing running or waiting does not wait for that, since others caused the load.
   */
  readonly isPaced?: boolean;
};

export type WorkOptions = {
  /** The owner of the work. Waiting work of the owner with the fewest running calls starts first. */
  readonly owner?: Owner;
  /** An abort removes waiting work. Running work must watch the signal itself. */
  readonly signal?: AbortSignal | undefined;
  /** Further steps of accepted work wait for a slot, but are never refused. */
  readonly isAccepted?: boolean;
};

/** A turn of the event loop that takes less had nothing to do. */
const QUIET_TURN_MS = 0.3;
/** After so many turns that are not quiet, paced work starts nevertheless. */
const MAX_BUSY_TURNS = 8;

/** Limits how much work runs at once, with a fair order among owners. */
export type Semaphore = {
  /** The number of waiting calls. */
  readonly waiting: number;
  /**
   * Runs `work` as soon as there is a slot and returns its result. Throws what the work throws, the signal's reason, and `refuse`
   * beyond the limits. Work that has a slot must not wait for another, since all could be held by work that waits: that is an error.
   */
  run<T>(work: () => Promise<T>, options?: WorkOptions): Promise<T>;
};

export function createSemaphore(options: SemaphoreOptions): Semaphore {
  return new FairSemaphore(options);
}

/** The names of an owner and its groups, the outermost first. */
type Names = readonly string[];

class FairSemaphore implements Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #running = new Map<string, number>();
  readonly #waiting = createFairQueue<{ readonly names: Names; readonly start: () => void }>((name) => this.#countRunning(name));
  /** The slot that the running code has. */
  readonly #current = new AsyncLocalStorage<{ isHeld: boolean }>();
  #runningInTotal = 0;
  /** With `isPaced`: a call has started, and no turn of the event loop since was quiet. */
  #isPausing = false;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  async run<T>(work: () => Promise<T>, { owner = "", signal, isAccepted = false }: WorkOptions = {}): Promise<T> {
    signal?.throwIfAborted();
    if (this.#current.getStore()?.isHeld === true) throw new Error("Work that has a slot waits for another of the same semaphore.");
    const names = listOwnerNames(owner);
    const exceeded = isAccepted ? null : this.#findExceeded(names);
    if (exceeded !== null) throw this.#options.refuse?.(exceeded) ?? new Error("Too many calls are waiting.");
    if (this.#hasSlot(names) && (!this.#isPausing || (!isAccepted && this.#isIdle(names)))) {
      this.#waiting.recordTurn(owner);
      this.#occupy(names);
    } else await this.#waitForSlot(owner, names, signal);
    const slot = { isHeld: true };
    try {
      return await this.#current.run(slot, work);
    } finally {
      slot.isHeld = false;
      this.#release(names);
    }
  }

  #findExceeded(names: Names): CallLimit | null {
    const { maxWaiting = Infinity, maxPerOwner = Infinity, maxPerGroup = Infinity } = this.#options;
    const isOver = (name = "", max: number): boolean => this.#countRunning(name) + this.#waiting.countWaiting(name) >= max;
    if (isOver(names.at(-1), maxPerOwner)) return "owner";
    if (isOver(names[0], maxPerGroup)) return "group";
    return !this.#hasSlot(names) && this.#waiting.size >= maxWaiting ? "total" : null;
  }

  #isIdle(names: Names): boolean {
    const owner = names.at(-1) ?? "";
    return this.#countRunning(owner) + this.#waiting.countWaiting(owner) === 0;
  }

  #hasSlot([group = ""]: Names): boolean {
    const { slots, reserved = 0 } = this.#options;
    return this.#runningInTotal < slots || (this.#countRunning(group) === 0 && this.#runningInTotal < slots + reserved);
  }

  #countRunning(name: string): number {
    return this.#running.get(name) ?? 0;
  }

  #occupy(names: Names): void {
    this.#runningInTotal++;
    for (const name of names) this.#running.set(name, this.#countRunning(name) + 1);
    if (this.#options.isPaced !== true || this.#isPausing) return;
    this.#isPausing = true;
    this.#pause();
  }

  /**
   * Waits for a quiet turn. A short call takes several turns, such as one to read a request and one to commit, and would wait for one piece
   * of paced work in each. The turn in which the work began says nothing.
   */
  #pause(turn = 0, began = performance.now()): void {
    setImmediate(() => {
      const now = performance.now();
      const isBusy = turn === 0 || now - began > QUIET_TURN_MS;
      if (isBusy && turn < MAX_BUSY_TURNS) return void this.#pause(turn + 1, now);
      this.#isPausing = false;
      this.#startNext();
    });
  }

  #release(names: Names): void {
    this.#runningInTotal--;
    for (const name of names) {
      const left = this.#countRunning(name) - 1;
      if (left > 0) this.#running.set(name, left);
      else this.#running.delete(name);
    }
    // The slot is passed on synchronously, so that new work can't overtake waiting work.
    this.#startNext();
  }

  #startNext(): void {
    const { slots, reserved = 0 } = this.#options;
    if (this.#isPausing || this.#runningInTotal >= slots + reserved) return;
    const next = this.#waiting.take(({ names }) => this.#hasSlot(names));
    if (next === undefined) return;
    this.#occupy(next.names);
    next.start();
  }

  #waitForSlot(owner: Owner, names: Names, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        if (this.#waiting.remove(waiter)) reject(signal?.reason);
      };
      const start = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const waiter = { names, start };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.add(owner, waiter);
    });
  }
}
