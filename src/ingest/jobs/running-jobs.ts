import type { ClaimedJob } from "#domain/content/job.ts";

/** A claimed job that runs in this process. */
export type RunningJob = {
  readonly job: ClaimedJob;
  /** When it was started, by `performance.now()`. */
  readonly startedAt: number;
  readonly controller: AbortController;
  /** The outcome of a `lost` job is not stored, because its lease was lost or the job was returned to the queue. */
  state: "running" | "settling" | "lost";
  done: Promise<void>;
};

export type RunningJobsOptions = {
  /** Runs a job and stores its outcome. Must not throw. */
  readonly run: (running: RunningJob) => Promise<void>;
  /** Called when a job has ended and its slot is free. */
  readonly onEnd: (job: ClaimedJob) => void;
  /** Slots for jobs that are not slow. */
  readonly concurrency: number;
};

/** A job that runs longer no longer takes a slot, so that slow sites do not delay others. */
const SLOW_MS = 3_000;
/** Maximum number of slow jobs without a slot, as a share of all slots. */
const MAX_SLOW_SHARE = 1;
/** Slots beyond these, as a share of all slots. They are for businesses with nothing running, one each. */
const RESERVED_SHARE = 2;

/** The jobs whose leases this process holds, and the slots that they take. */
export class RunningJobs {
  readonly #options: RunningJobsOptions;
  readonly #running = new Set<RunningJob>();

  constructor(options: RunningJobsOptions) {
    this.#options = options;
  }

  /** Starts claimed jobs. */
  start(jobs: readonly ClaimedJob[]): void {
    for (const job of jobs) {
      const entry: RunningJob = {
        job,
        startedAt: performance.now(),
        controller: new AbortController(),
        state: "running",
        done: Promise.resolve(),
      };
      this.#running.add(entry);
      entry.done = this.#options.run(entry).finally(() => {
        this.#running.delete(entry);
        this.#options.onEnd(job);
      });
    }
  }

  /** How many more jobs may be claimed now. */
  freeSlots(): number {
    const slowSince = performance.now() - SLOW_MS;
    let quick = 0;
    for (const { startedAt } of this.#running) if (startedAt > slowSince) quick++;
    const { concurrency } = this.#options;
    return Math.max(0, Math.min(concurrency - quick, concurrency * (1 + MAX_SLOW_SHARE) - this.#running.size));
  }

  /** How many more jobs may be claimed now for businesses with nothing running, beyond the free slots. */
  reservedSlots(): number {
    return this.#options.concurrency * (1 + MAX_SLOW_SHARE + RESERVED_SHARE) - this.#running.size - this.freeSlots();
  }

  /** Returns the jobs whose lease this process holds. */
  held(): readonly RunningJob[] {
    return [...this.#running].filter(({ state }) => state !== "lost");
  }

  /** Returns the jobs that have been started and not ended, lost ones included. */
  started(): readonly RunningJob[] {
    return [...this.#running];
  }

  /** Stops a job whose lease was lost; its outcome is not stored. */
  abort(entry: RunningJob, reason: Error): void {
    entry.state = "lost";
    entry.controller.abort(reason);
  }
}
