import type { ClaimedJob } from "#domain/content/job.ts";
import { runInContext } from "#runtime/work-context.ts";

/** A claimed job that this process runs, or holds back until it can run alone. */
export type RunningJob = {
  readonly job: ClaimedJob;
  /** When it was started, by `performance.now()`. */
  readonly startedAt: number;
  readonly controller: AbortController;
  /** The result of a `lost` job is not stored: its lease is gone, or the job was handed back. */
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

/** A job that runs longer gives up its slot, so that slow sites do not hold up the others. */
const SLOW_MS = 3_000;
/** The number of slow jobs without a slot, as a share of all slots. */
const MAX_SLOW_SHARE = 1;

/** The jobs that this process holds, and the slots they take. */
export class RunningJobs {
  readonly #options: RunningJobsOptions;
  readonly #running = new Set<RunningJob>();
  /** Jobs that may have caused a crash. They wait until nothing else runs, and then run one by one. */
  readonly #suspects: RunningJob[] = [];
  #isClosed = false;

  constructor(options: RunningJobsOptions) {
    this.#options = options;
  }

  /** Starts claimed jobs; suspects start when nothing else runs. */
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
    if (this.#suspects.length > 0 || [...this.#running].some(({ job }) => job.isSuspect)) return 0;
    const slowSince = performance.now() - SLOW_MS;
    let quick = 0;
    for (const { startedAt } of this.#running) if (startedAt > slowSince) quick++;
    const { concurrency } = this.#options;
    return Math.min(concurrency - quick, concurrency * (1 + MAX_SLOW_SHARE) - this.#running.size);
  }

  /** The jobs whose lease this process holds, suspects included. */
  held(): readonly RunningJob[] {
    return [...this.#running, ...this.#suspects].filter(({ state }) => state !== "lost");
  }

  /** The jobs that have been started and not ended, lost ones included. */
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

  /** Starts no further suspect. Returns the suspects that were not started, to be handed back. */
  close(): readonly ClaimedJob[] {
    this.#isClosed = true;
    return this.#suspects.splice(0).map(({ job }) => job);
  }

  #run(entry: RunningJob): void {
    this.#running.add(entry);
    entry.done = runInContext({ kind: "job", jobId: entry.job.id }, () => this.#options.run(entry)).finally(() => {
      this.#running.delete(entry);
      this.#options.onEnd(entry.job);
      this.#runNextSuspect();
    });
  }

  /** A crash while several jobs run can't be traced to one of them, so a suspect runs alone: the next crash is its own. */
  #runNextSuspect(): void {
    if (this.#running.size > 0 || this.#isClosed) return;
    const entry = this.#suspects.shift();
    if (entry) this.#run({ ...entry, startedAt: performance.now() });
  }
}
