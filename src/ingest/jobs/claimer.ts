import type { ClaimedJob, Queue } from "#domain/content/job.ts";
import { type Clock, createJumpDetector } from "#domain/core/system.ts";
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
/** Longest time between looking at the clock and the next due job, since the clock may be set meanwhile. */
const MAX_DUE_TIMER_MS = 60_000;
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
  readonly #pollTimer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #dueTimer: NodeJS.Timeout | null = null;
  #gatherTimer: NodeJS.Timeout | null = null;
  #claiming: Promise<void> | null = null;
  #isWokenAgain = false;
  #isStopped = false;
  #failures = 0;
  #pausedUntil = 0;

  constructor(deps: ClaimerDeps) {
    this.#deps = deps;
    this.#reservedSlots = Math.floor(deps.concurrency / SLOTS_PER_RESERVED_SLOT);
    this.#hasClockJumped = createJumpDetector(deps.clock);
    this.#pollTimer = setInterval(() => this.wake(), deps.pollMs);
    this.#unsubscribe = deps.queue.onWork((work) => {
      // New text needs no job; without this check every text tile would cause a claim.
      if (work === "jobs") this.wake();
    });
    this.wake();
  }

  wake(): void {
    if (this.#claiming) this.#isWokenAgain = true;
    else if (!this.#isStopped && this.#deps.jobs.freeSlots() > 0 && performance.now() >= this.#pausedUntil)
      this.#claiming = this.#claimAll();
  }

  /** Fills slots that become free shortly after each other in one claim, which costs the store about as much for one job as for several. */
  wakeSoon(): void {
    if (this.#isStopped) return;
    if (this.#deps.jobs.freeSlots() >= this.#deps.concurrency / GATHER_SHARE) return this.wake();
    this.#gatherTimer ??= setTimeout(() => {
      this.#gatherTimer = null;
      this.wake();
    }, GATHER_MS);
  }

  /** Claims no more. Resolves when a claim under way has handed its jobs back. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#pollTimer);
    if (this.#dueTimer) clearTimeout(this.#dueTimer);
    if (this.#gatherTimer) clearTimeout(this.#gatherTimer);
    this.#unsubscribe();
    await this.#claiming;
  }

  /** Claims until no slot or no due job is left. Never throws. */
  async #claimAll(): Promise<void> {
    const { jobs, log, pollMs, renewLeases } = this.#deps;
    try {
      // After a failure of the store, or when the clock was set, leases are renewed first. Otherwise a claim would take the process's
      // own running jobs for abandoned ones.
      if (this.#hasClockJumped() || this.#failures > 0) await renewLeases();
      do {
        this.#isWokenAgain = false;
        await this.#claimFreeSlots();
      } while (this.#isWokenAgain && !this.#isStopped && jobs.freeSlots() > 0);
      this.#failures = 0;
    } catch (error) {
      this.#pausedUntil = performance.now() + Math.min(MAX_BACK_OFF_MS, pollMs * 2 ** this.#failures++);
      log.error({ err: error, failures: this.#failures }, "Claiming jobs failed; will retry.");
    } finally {
      this.#claiming = null;
    }
  }

  async #claimFreeSlots(): Promise<void> {
    const { queue, jobs, clock, perHost, release } = this.#deps;
    while (!this.#isStopped && jobs.freeSlots() > 0) {
      const claimed = await queue.claim(jobs.freeSlots(), perHost, clock.now(), this.#reservedSlots);
      if (this.#isStopped) return release(claimed);
      jobs.start(claimed);
      if (claimed.length === 0) return this.#wakeWhenDue();
    }
  }

  /** A job that is due but waits for a slot of its host needs no timer: the end of the host's running job wakes the claimer. */
  async #wakeWhenDue(): Promise<void> {
    const dueAt = await this.#deps.queue.nextDue();
    if (this.#dueTimer) clearTimeout(this.#dueTimer);
    this.#dueTimer = null;
    const waitMs = dueAt === null ? 0 : dueAt - this.#deps.clock.now();
    if (waitMs > 0 && !this.#isStopped) this.#dueTimer = setTimeout(() => this.wake(), Math.min(waitMs, MAX_DUE_TIMER_MS));
  }
}
