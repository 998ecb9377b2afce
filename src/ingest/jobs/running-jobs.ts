import type { ClaimedJob } from "#domain/content/job.ts";
import { runInContext } from "#runtime/work-context.ts";

/** A claimed job that runs in this process, or waits there until it can run alone. */
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
  /** Jobs that may have caused a crash. They wait until no other job runs, and then run one by one. */
  readonly #suspects: RunningJob[] = [];
  #isClosed = false;

  constructor(options: RunningJobsOptions) {
    this.#options = options;
  }

  /** Starts claimed jobs. Suspects start when no other job runs. */
  start(jobs: readonly ClaimedJob[]): void {
    for (const job of jobs) {
      const entry: RunningJob = {
        job,
        startedAt: performance.now(),
        controller: new AbortController(),
        state: "running",
        done: Promise.resolve(),
      };
      if (job.isSuspect) this.#suspects.push(entry);
      else this.#run(entry);
    }
    this.#runNextSuspect();
  }

  /** How many more jobs may be claimed now. */
  freeSlots(): number {
    if (this.#mustRunAlone()) return 0;
    const slowSince = performance.now() - SLOW_MS;
    let quick = 0;
    for (const { startedAt } of this.#running) if (startedAt > slowSince) quick++;
    const { concurrency } = this.#options;
    return Math.max(0, Math.min(concurrency - quick, concurrency * (1 + MAX_SLOW_SHARE) - this.#running.size));
  }

  /** How many more jobs may be claimed now for businesses with nothing running, beyond the free slots. */
  reservedSlots(): number {
    if (this.#mustRunAlone()) return 0;
    return this.#options.concurrency * (1 + MAX_SLOW_SHARE + RESERVED_SHARE) - this.#running.size - this.freeSlots();
  }

  /** Returns the jobs whose lease this process holds, including suspects. */
  held(): readonly RunningJob[] {
    return [...this.#running, ...this.#suspects].filter(({ state }) => state !== "lost");
  }

  /** Returns the jobs that have been started and not ended, lost ones included. */
  started(): readonly RunningJob[] {
    return [...this.#running];
  }

  /** Stops a job whose lease was lost; its outcome is not stored. */
  abort(entry: RunningJob, reason: Error): void {
    entry.state = "lost";
    const at = this.#suspects.indexOf(entry);
    if (at >= 0) this.#suspects.splice(at, 1);
    entry.controller.abort(reason);
  }

  /** Stops starting suspects. Returns those that were not started, to be returned to the queue. */
  close(): readonly ClaimedJob[] {
    this.#isClosed = true;
    return this.#suspects.splice(0).map(({ job }) => job);
  }

  #mustRunAlone(): boolean {
    return this.#suspects.length > 0 || [...this.#running].some(({ job }) => job.isSuspect);
  }

  #run(entry: RunningJob): void {
    this.#running.add(entry);
    entry.done = runInContext({ kind: "job", jobId: entry.job.id }, () => this.#options.run(entry)).finally(() => {
      this.#running.delete(entry);
      this.#options.onEnd(entry.job);
      this.#runNextSuspect();
    });
  }

  /** Runs the next suspect alone, because a crash while several jobs run can't be traced to one of them. */
  #runNextSuspect(): void {
    if (this.#running.size > 0 || this.#isClosed) return;
    const entry = this.#suspects.shift();
    if (entry) this.#run({ ...entry, startedAt: performance.now() });
  }
}
