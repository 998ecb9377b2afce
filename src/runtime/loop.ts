import { runFor } from "./turns/current-owner.ts";

export type LoopOptions = {
  /**
   * Does the work that is due. `signal` aborts when the loop is stopped. Calls never overlap. It may return the milliseconds until the
   * next run if that is due before `intervalMs`; 0 means that there is more to do.
   */
  readonly run: (signal: AbortSignal) => Promise<number | void>;
  /** Milliseconds between the end of a run and the next run. Without it, the loop runs only when it is woken. */
  readonly intervalMs?: number;
  /** Milliseconds before the first run. By default it starts before `startLoop` returns. */
  readonly firstMs?: number;
  /** Milliseconds between a wake-up and its run, so that several changes share one run; 0 by default. */
  readonly debounceMs?: number;
  /** Minimum milliseconds between a run and the next one, even when woken; 0 by default. */
  readonly minIntervalMs?: number;
  /** The pause doubles with each consecutive failure, up to this many milliseconds. By default it stays at `intervalMs`. */
  readonly maxBackOffMs?: number;
  /** Subscribes to notifications that there may be work, and returns the function that unsubscribes. */
  readonly wake?: (wake: () => void) => () => void;
  /** While it returns false, runs are left out; they continue within a second after it returns true. */
  readonly mayRun?: (() => boolean) | undefined;
  /** Called when a run throws, with the number of consecutive failures. The loop continues. */
  readonly onError: (error: unknown, failures: number) => void;
};

/** How often a loop checks whether it may run again. */
const HOLD_MS = 1_000;

export type Loop = {
  /**
   * Requests a run in at most `delayMs` (0 by default), or as soon as the options allow. A wake-up during a run starts another run after
   * it, since the current one may have missed the change.
   */
  wake(delayMs?: number): void;
  /** Stops the loop. Resolves after the current run. */
  stop(): Promise<void>;
};

/**
 * Calls `run` in intervals and when woken. Wake-ups do not shorten the pause after a failure. Runs belong to no caller, and the loop does
 * not keep the process running.
 */
export function startLoop(options: LoopOptions): Loop {
  const loop = new PollLoop(options);
  return { wake: (delayMs) => loop.wake(delayMs), stop: () => loop.stop() };
}

class PollLoop implements Loop {
  readonly #options: LoopOptions;
  readonly #stopping = new AbortController();
  readonly #unsubscribe: (() => void) | undefined;
  readonly #finished: Promise<void>;
  #isWoken = false;
  #delayedWake: NodeJS.Timeout | undefined;
  #delayedWakeAt = 0;
  #onWake: (() => void) | null = null;
  #onStop: (() => void) | null = null;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#finished = runFor(undefined, () => this.#loop());
    this.#unsubscribe = options.wake?.(() => this.wake());
  }

  wake(delayMs = 0): void {
    if (this.#stopping.signal.aborted) return;
    if (delayMs > 0) {
      const at = performance.now() + delayMs;
      if (this.#delayedWake !== undefined && this.#delayedWakeAt <= at) return;
      clearTimeout(this.#delayedWake);
      this.#delayedWakeAt = at;
      this.#delayedWake = setTimeout(() => this.wake(), delayMs).unref();
      return;
    }
    clearTimeout(this.#delayedWake);
    this.#delayedWake = undefined;
    this.#isWoken = true;
    this.#onWake?.();
  }

  stop(): Promise<void> {
    this.#unsubscribe?.();
    clearTimeout(this.#delayedWake);
    this.#stopping.abort(new Error("The loop was stopped."));
    this.#onStop?.();
    return this.#finished;
  }

  async #loop(): Promise<void> {
    const { run, intervalMs, firstMs = 0, debounceMs = 0, minIntervalMs = 0, maxBackOffMs = intervalMs ?? 0, onError } = this.#options;
    const { mayRun = () => true } = this.#options;
    const { signal } = this.#stopping;
    if (firstMs > 0) await this.#pause(firstMs, true);
    for (let failures = 0; !signal.aborted;) {
      if (!mayRun()) {
        await this.#pause(HOLD_MS, false);
        continue;
      }
      this.#isWoken = false;
      let nextMs: number | void = undefined;
      try {
        nextMs = await run(signal);
        failures = 0;
      } catch (error) {
        failures++;
        // What keeps runs from being made was reported where it was noticed.
        if (mayRun()) onError(error, failures);
        await this.#pause(Math.min(maxBackOffMs, (intervalMs ?? 0) * 2 ** (failures - 1)), false);
        if (intervalMs !== undefined) continue;
      }
      await this.#pause(minIntervalMs, false);
      await this.#pause(nextMs === undefined ? intervalMs : Math.min(nextMs, intervalMs ?? nextMs), true);
      if (this.#isWoken && nextMs !== 0) await this.#pause(debounceMs, false);
    }
  }

  /** Waits for this time; undefined waits without limit. A stop ends the pause, and a wake-up does if `isWakeable`. */
  #pause(ms: number | undefined, isWakeable: boolean): Promise<void> {
    if (ms === 0 || this.#stopping.signal.aborted || (isWakeable && this.#isWoken)) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#onWake = null;
        this.#onStop = null;
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(end, ms).unref();
      this.#onStop = end;
      if (isWakeable) this.#onWake = end;
    });
  }
}
