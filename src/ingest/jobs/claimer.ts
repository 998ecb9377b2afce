import type { ClaimedJob, Queue } from "#domain/content/job.ts";
import { type Clock, createJumpDetector } from "#domain/core/system.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import type { Log } from "./log.ts";
import type { RunningJobs } from "./running-jobs.ts";

export type ClaimerDeps = {
  readonly queue: Pick<Queue, "claim" | "nextDue" | "onWork">;
  readonly jobs: RunningJobs;
  readonly clock: Clock;
  readonly log: Log;
  /** Most jobs at once, and of one host. */
  readonly concurrency: number;
  readonly perHost: number;
  readonly pollMs: number;
  /** Must not throw. */
  readonly renewLeases: () => Promise<void>;
  /** Hands jobs back to the queue. Must not throw. */
  readonly release: (jobs: readonly ClaimedJob[]) => Promise<void>;
};

const MAX_BACK_OFF_MS = 2_000;
/** One of this many slots is reserved for hosts and businesses with nothing running. */
const SLOTS_PER_RESERVED_SLOT = 8;
/** A free slot waits this long for others, unless one of `GATHER_SHARE` slots is free already. */
const GATHER_MS = 10;
const GATHER_SHARE = 8;

/** Claims jobs while there are free slots: when woken, when a waiting job becomes due, and at every poll. */
export class Claimer {
  readonly #deps: ClaimerDeps;
  readonly #reservedSlots: number;
  readonly #hasClockJumped: () => boolean;
  readonly #loop: Loop;
  #isStopped = false;
  #failures = 0;

  constructor(deps: ClaimerDeps) {
    this.#deps = deps;
    this.#reservedSlots = Math.floor(deps.concurrency / SLOTS_PER_RESERVED_SLOT);
    this.#hasClockJumped = createJumpDetector(deps.clock);
    this.#loop = startLoop({
      run: () => this.#claim(),
      intervalMs: deps.pollMs,
      maxBackOffMs: MAX_BACK_OFF_MS,
      wake: (wake) =>
        deps.queue.onWork((work) => {
          // New text needs no job; without this check every text tile would cause a claim.
          if (work === "jobs") wake();
        }),
      onError: (error, failures) => {
        this.#failures = failures;
        deps.log.error({ err: error, failures }, "Claiming jobs failed; will retry.");
      },
    });
  }

  /** Fills slots that become free shortly after each other in one claim, which costs the store about as much for one job as for several. */
  wakeSoon(): void {
    const { jobs, concurrency } = this.#deps;
    this.#loop.wake(jobs.freeSlots() >= concurrency / GATHER_SHARE ? 0 : GATHER_MS);
  }

  /** Claims no more. Resolves when a claim under way has handed its jobs back. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#loop.stop();
  }

  /** Claims until no slot or no due job is left. Returns the milliseconds until the next job is due, if any. */
  async #claim(): Promise<number | void> {
    const { queue, jobs, clock, perHost, renewLeases, release } = this.#deps;
    if (jobs.freeSlots() <= 0) return undefined;
    // After a failure of the store, or when the clock was set, leases are renewed first. Otherwise a claim would take the process's
    // own running jobs for abandoned ones.
    if (this.#hasClockJumped() || this.#failures > 0) await renewLeases();
    while (!this.#isStopped && jobs.freeSlots() > 0) {
      const claimed = await queue.claim(jobs.freeSlots(), perHost, clock.now(), this.#reservedSlots);
      this.#failures = 0;
      if (this.#isStopped) return release(claimed);
      jobs.start(claimed);
      if (claimed.length === 0) return this.#untilNextDue();
    }
    return undefined;
  }

  /** A job that is due but waits for a slot of its host is left out: the end of the host's running job wakes the claimer. */
  async #untilNextDue(): Promise<number | void> {
    const dueAt = await this.#deps.queue.nextDue();
    const waitMs = dueAt === null ? 0 : dueAt - this.#deps.clock.now();
    return waitMs > 0 ? waitMs : undefined;
  }
}
