import { type ClaimedJob, LEASE_MS, type Queue } from "#domain/content/job.ts";
import { findShortage } from "#domain/core/shortage.ts";
import type { Clock } from "#domain/core/system.ts";
import type { Meter } from "#domain/metrics/meter.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import { waitAtMost } from "#runtime/wait.ts";
import type { WorkContext } from "#runtime/work-context.ts";
import { AbortedError, attemptJob, type RunAttempt } from "./jobs/attempt.ts";
import { Claimer } from "./jobs/claimer.ts";
import { createLeaseRenewal } from "./jobs/lease-renewal.ts";
import type { Log } from "#domain/core/log.ts";
import { type RunningJob, RunningJobs } from "./jobs/running-jobs.ts";
import { settleJob } from "./jobs/settle.ts";

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
   * Called before the process ends because of an unexpected error. Stops claiming jobs, records the crash, and returns all jobs to the
   * queue. The crash counts against the job of `context`; against none if an API call caused it; against every running job if the cause
   * is unknown. Jobs that still run can't store anything afterwards. Throws the store's errors.
   */
  recordCrash(context?: WorkContext): Promise<CrashRecord>;
};

/** The ids of the jobs that a crash was counted against, and of those that failed permanently because of it. */
export type CrashRecord = { readonly counted: readonly string[]; readonly failed: readonly string[] };

/** Starts a worker that claims and runs jobs until it is stopped. Errors of jobs and of the store are logged and not thrown. */
export function startWorker(deps: WorkerDeps): IngestWorker {
  const worker = new LinkWorker(deps);
  return { stop: (graceMs) => worker.stop(graceMs), recordCrash: (context) => worker.recordCrash(context) };
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

  async recordCrash(context?: WorkContext): Promise<CrashRecord> {
    const { queue, clock } = this.#deps;
    this.#stopped ??= Promise.resolve();
    this.#stopping.abort();
    void this.#claimer.stop();
    const suspects = this.#jobs.close();
    const started = this.#jobs.started();
    const held = started.filter((entry) => entry.state !== "lost").map((entry) => entry.job);
    // The context of a job that has ended is not evidence: another job may use a connection that the job opened.
    const isTraced = context?.kind === "call" || started.some(({ job }) => job.id === context?.jobId);
    const counted = isTraced ? held.filter(({ id }) => context?.kind === "job" && id === context.jobId) : held;
    for (const entry of started) if (entry.state === "running") entry.state = "lost";
    const others = [...held.filter((job) => !counted.includes(job)), ...suspects];
    const [failed] = await Promise.all([queue.recordCrash(counted, clock.now(), isTraced), this.#release(others)]);
    return { counted: counted.map(({ id }) => id), failed: [...failed] };
  }

  async #stop(graceMs: number): Promise<void> {
    // Stop before the first `await`, so that a claim under way returns its jobs to the queue.
    this.#stopping.abort();
    const claimed = this.#claimer.stop();
    const suspects = this.#jobs.close();
    await claimed;
    await this.#release(suspects);
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
