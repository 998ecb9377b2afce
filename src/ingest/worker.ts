import { type ClaimedJob, LEASE_MS, type Queue } from "#domain/content/job.ts";
import { findShortage } from "#domain/core/errors/shortage.ts";
import type { Clock } from "#domain/core/system.ts";
import type { Meter } from "#domain/metrics/meter.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import { waitAtMost } from "#runtime/wait.ts";
import { AbortedError, attemptJob, type RunAttempt } from "./jobs/attempt.ts";
import { Claimer } from "./jobs/claimer.ts";
import { createLeaseRenewal } from "./jobs/lease-renewal.ts";
import type { Log } from "#domain/core/log.ts";
import { type RunningJob, RunningJobs } from "./jobs/running-jobs.ts";
import { settleCrashed, settleJob } from "./jobs/settle.ts";

export type WorkerDeps = {
  readonly queue: Queue;
  readonly run: RunAttempt;
  readonly meter?: Pick<Meter, "countLink">;
  /** Called when the outcome of a job has been stored, or the job was aborted. */
  readonly onEnd?: (job: ClaimedJob) => void;
  readonly clock: Clock;
  /** Maximum number of concurrent jobs, and of those of one host. */
  readonly concurrency: number;
  readonly perHost: number;
  /** Time limit of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly log: Log;
  /** False while nothing can be stored. No jobs are claimed then. */
  readonly mayRun?: () => boolean;
  readonly random?: () => number;
  readonly pollMs?: number;
  /** How often leases are renewed, in milliseconds. */
  readonly renewMs?: number;
};

export type IngestWorker = {
  /** Stops claiming jobs, waits up to `graceMs` for running ones, and returns the rest to the queue. */
  stop(graceMs: number): Promise<void>;
  /**
   * Called before the process ends because of an unexpected error. Stops claiming jobs, and ends the attempt of every running job, since any
   * of them may be the cause. Those jobs can't store anything afterwards. Throws the store's errors.
   */
  recordCrash(): Promise<CrashRecord>;
};

/** The ids of the jobs that a crash was counted against, and of those that failed permanently because of it. */
export type CrashRecord = { readonly counted: readonly string[]; readonly failed: readonly string[] };

/** Starts a worker that claims and runs jobs until it is stopped. Errors of jobs and of the store are logged and not thrown. */
export function startWorker(deps: WorkerDeps): IngestWorker {
  const worker = new LinkWorker(deps);
  return { stop: (graceMs) => worker.stop(graceMs), recordCrash: () => worker.recordCrash() };
}

class LinkWorker implements IngestWorker {
  readonly #deps: WorkerDeps;
  readonly #jobs: RunningJobs;
  readonly #claimer: Claimer;
  readonly #renewal: Loop;
  readonly #stopping = new AbortController();
  #stopped: Promise<void> | null = null;

  constructor(deps: WorkerDeps) {
    const { queue, clock, log, concurrency, perHost } = deps;
    this.#deps = deps;
    this.#jobs = new RunningJobs({
      run: (entry) => this.#runJob(entry),
      onEnd: (job) => {
        deps.onEnd?.(job);
        this.#claimer.wakeSoon();
      },
      concurrency,
    });
    const renewLeases = createLeaseRenewal({ queue, jobs: this.#jobs, clock, log });
    const renewMs = deps.renewMs ?? LEASE_MS / 3;
    this.#renewal = startLoop({
      run: renewLeases,
      mayRun: deps.mayRun,
      firstMs: renewMs,
      intervalMs: renewMs,
      onError: (error) => log.error({ err: error }, "Renewing job leases failed; will retry."),
    });
    this.#claimer = new Claimer({
      queue,
      jobs: this.#jobs,
      clock,
      log,
      concurrency,
      perHost,
      pollMs: deps.pollMs ?? 1_000,
      mayRun: deps.mayRun,
      renewLeases,
      release: (jobs) => this.#release(jobs),
    });
  }

  stop(graceMs: number): Promise<void> {
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  async recordCrash(): Promise<CrashRecord> {
    const { queue, clock, random = Math.random } = this.#deps;
    this.#stopped ??= Promise.resolve();
    this.#stopping.abort();
    void this.#claimer.stop();
    const held = this.#jobs.held();
    for (const entry of held) entry.state = "lost";
    const jobs = held.map(({ job }) => job);
    const failed = await Promise.all(jobs.map((job) => settleCrashed(queue, job, clock.now(), random)));
    return { counted: jobs.map(({ id }) => id), failed: jobs.filter((_, index) => failed[index]).map(({ id }) => id) };
  }

  async #stop(graceMs: number): Promise<void> {
    // Stop before the first `await`, so that a claim under way returns its jobs to the queue.
    this.#stopping.abort();
    const claimed = this.#claimer.stop();
    await claimed;
    const allDone = Promise.all(this.#jobs.started().map((entry) => entry.done));
    await waitAtMost(graceMs, allDone);
    const unfinished = this.#jobs.started().filter((entry) => entry.state === "running");
    for (const entry of unfinished) this.#jobs.abort(entry, new AbortedError("The worker is stopping."));
    await this.#release(unfinished.map((entry) => entry.job));
    await allDone;
    await this.#renewal.stop();
  }

  /** Runs one attempt and stores its outcome. Never throws. */
  async #runJob(entry: RunningJob): Promise<void> {
    const { queue, clock, log, run, timeoutMs, meter, random = Math.random } = this.#deps;
    const { job } = entry;
    const since = performance.now();
    const outcome = await attemptJob(run, job, entry.controller, timeoutMs);
    if (outcome === null || entry.state === "lost") return;
    entry.state = "settling";
    const seconds = (performance.now() - since) / 1_000;
    const ids = { job: job.id, tile: job.tileId };
    if ("error" in outcome && findShortage(outcome.error) !== null) log.info(ids, "A job could not run yet.");
    else if ("unexpected" in outcome) log.error({ err: outcome.unexpected, ...ids }, "A job failed with an unexpected error.");
    else if ("error" in outcome)
      log.info({ ...ids, code: outcome.error.code, stage: outcome.error.stage, attempt: job.attempt }, "A job failed.");
    try {
      const ended = await settleJob({ queue, clock, log, random }, job, outcome, this.#stopping.signal);
      if (ended === null) return;
      const [kind, code] = "error" in outcome ? [job.type, outcome.error.code] : [outcome.ingested.type, null];
      meter?.countLink({ kind, outcome: ended, code, seconds });
    } catch (error) {
      log.error({ err: error, ...ids }, "Storing a job's result failed. The job runs again when its lease ends.");
    }
  }

  async #release(jobs: readonly ClaimedJob[]): Promise<void> {
    if (jobs.length === 0) return;
    try {
      await this.#deps.queue.release(jobs, this.#deps.clock.now());
    } catch (error) {
      this.#deps.log.error({ err: error, jobs: jobs.length }, "Returning jobs to the queue failed. They run again when their leases end.");
    }
  }
}
