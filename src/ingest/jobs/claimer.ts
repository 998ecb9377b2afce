import type { ClaimedJob, Queue } from "#domain/content/job.ts";
import { type Clock, createJumpDetector } from "#domain/core/system.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import type { Log } from "#domain/core/log.ts";
import type { RunningJobs } from "./running-jobs.ts";

export type ClaimerDeps = {
  readonly queue: Pick<Queue, "claim" | "makeNewJobsDue" | "nextDue" | "onWork">;
  readonly jobs: RunningJobs;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum number of concurrent jobs, and of those of one host. */
  readonly concurrency: number;
  readonly perHost: number;
  readonly pollMs: number;
  /** False while nothing can be stored. */
  readonly mayRun?: (() => boolean) | undefined;
  /** Must not throw. */
  readonly renewLeases: () => Promise<void>;
  /** Hands jobs back to the queue. Must not throw. */
  readonly release: (jobs: readonly ClaimedJob[]) => Promise<void>;
};

const MAX_BACK_OFF_MS = 2_000;
/** After a slot becomes free, the claim waits this long for others, unless a share of 1 / `MIN_FREE_SLOTS_DIVISOR` is free already. */
const BATCH_DELAY_MS = 10;
const MIN_FREE_SLOTS_DIVISOR = 8;

/**
 * Claims jobs while there are free slots: when it is notified, when a waiting job becomes due, and at every poll. Without free slots it
 * still claims for businesses with nothing running.
 */
export class Claimer {
  readonly #deps: ClaimerDeps;
  readonly #hasClockJumped: () => boolean;
  readonly #loop: Loop;
  #isStopped = false;
  #failures = 0;

  constructor(deps: ClaimerDeps) {
    this.#deps = deps;
    this.#hasClockJumped = createJumpDetector(deps.clock);
    this.#loop = startLoop({
      run: () => this.#claim(),
      mayRun: deps.mayRun,
      intervalMs: deps.pollMs,
      maxBackOffMs: MAX_BACK_OFF_MS,
      wake: (wake) =>
        deps.queue.onWork((work) => {
          // Text tiles have no job, so they must not cause a claim.
          if (work === "jobs") wake();
        }),
      onError: (error, failures) => {
        this.#failures = failures;
        deps.log.error({ err: error, failures }, "Claiming jobs failed; will retry.");
      },
    });
  }

  /** Claims for a free slot after a short wait. One claim of several jobs costs the store about as much as a claim of one. */
  wakeSoon(): void {
    const { jobs, concurrency } = this.#deps;
    this.#loop.wake(jobs.freeSlots() >= concurrency / MIN_FREE_SLOTS_DIVISOR ? 0 : BATCH_DELAY_MS);
  }

  /** Stops claiming. Resolves when a claim under way has returned its jobs to the queue. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#loop.stop();
  }

  /** Claims until there is no free slot or no job that may be claimed. Returns the milliseconds until the next job is due, if any. */
  async #claim(): Promise<number | void> {
    const { queue, jobs, clock, perHost, renewLeases, release } = this.#deps;
    if (jobs.freeSlots() + jobs.reservedSlots() <= 0) return undefined;
    // After a failure of the store, or a change of the system time, leases are renewed first. Otherwise the leases of this process's
    // running jobs may count as expired, and the jobs would be claimed again.
    if (this.#hasClockJumped() || this.#failures > 0) {
      await renewLeases();
      await queue.makeNewJobsDue(clock.now());
    }
    while (!this.#isStopped && jobs.freeSlots() + jobs.reservedSlots() > 0) {
      const claimed = await queue.claim(jobs.freeSlots(), perHost, clock.now(), jobs.reservedSlots());
      this.#failures = 0;
      if (this.#isStopped) return release(claimed);
      jobs.start(claimed);
      if (claimed.length === 0) return this.#getTimeUntilDue();
    }
    return undefined;
  }

  /** Returns the milliseconds until the next job is due. Jobs that are due wait for a slot of their host, whose end wakes the claimer. */
  async #getTimeUntilDue(): Promise<number | void> {
    const dueAt = await this.#deps.queue.nextDue();
    const waitMs = dueAt === null ? 0 : dueAt - this.#deps.clock.now();
    return waitMs > 0 ? waitMs : undefined;
  }
}
