import { AppError } from "#domain/core/error.ts";
import { type ClaimedJob, type IngestError, type Ingested, LEASE_MS, MAX_RETRY_DELAY_MS, type Queue } from "#domain/content/job.ts";
import { type Clock, createJumpDetector } from "#domain/core/system.ts";
import { runInContext, type WorkContext } from "#runtime/work-context.ts";
import { attemptJob, backOffMs, AbortedError, type RunAttempt, tileErrorOf } from "./jobs/attempt.ts";
import type { Log } from "./jobs/log.ts";

export type WorkerDeps = {
  readonly queue: Queue;
  readonly run: RunAttempt;
  /** Told of each job that was run, once it is settled or given up. */
  readonly onEnd?: (job: ClaimedJob) => void;
  readonly clock: Clock;
  /** Most jobs at once, and of one host. */
  readonly concurrency: number;
  readonly perHost: number;
  /** One attempt's whole time, in milliseconds. */
  readonly timeoutMs: number;
  readonly log: Log;
  readonly random?: () => number;
  readonly pollMs?: number;
  /** How often leases are renewed, in milliseconds. */
  readonly renewMs?: number;
};

export type IngestWorker = {
  /** Claims no more, waits up to `graceMs` for what runs, and hands back the rest. */
  stop(graceMs: number): Promise<void>;
  /**
   * For a process that is about to end unexpectedly: claims no more, counts the crash, and hands all jobs back. The crash is counted
   * against the job of `context`, against none when a call caused it, and against every job that runs when nothing tells the cause.
   * Nothing that still runs is stored afterwards. Throws what the store throws.
   */
  recordCrash(context?: WorkContext): Promise<CrashRecord>;
};

/** The jobs that a crash was counted against, and those of them that failed for good by it. */
export type CrashRecord = { readonly counted: readonly string[]; readonly failed: readonly string[] };

type Running = {
  readonly job: ClaimedJob;
  /** When it began, as `performance.now()` tells it. */
  readonly since: number;
  readonly controller: AbortController;
  state: "running" | "settling" | "lost";
  done: Promise<void>;
};

const MAX_CLAIM_PAUSE_MS = 2_000;
/** How long storing a result is retried while the store is unavailable, and the delay between two attempts. */
const MAX_SETTLE_MS = 120_000;
const SETTLE_RETRY_DELAY_MS = 500;
/** A link that takes longer holds no place any more, so that origins that drip can't keep the others waiting; so many again may do so. */
const SLOW_MS = 3_000;
const MAX_SLOW_SHARE = 1;
/** The share of the places that is left to hosts with nothing running. */
const RESERVED_SHARE = 8;
/** A freed place waits so long for others, unless this share of all places is free. */
const GATHER_MS = 10;
const GATHER_SHARE = 8;

/** Claims and runs jobs until it is stopped; what the store or a job throws is logged, never thrown. */
export function startWorker(deps: WorkerDeps): IngestWorker {
  const { queue, clock, log } = deps;
  const pollMs = deps.pollMs ?? 1_000;
  const running = new Set<Running>();
  const hasJumped = createJumpDetector(clock);
  /** Jobs that may have caused a crash. They are held until nothing else runs, and then run one by one. */
  const suspects: Running[] = [];
  const state = {
    stopping: null as Promise<void> | null,
    claiming: null as Promise<void> | null,
    renewing: false,
    again: false,
    faults: 0,
    pausedUntil: 0,
    due: null as NodeJS.Timeout | null,
    soon: null as NodeJS.Timeout | null,
  };

  const settle = async (entry: Running, error: IngestError | null, ingested: Ingested | null): Promise<void> => {
    const { job } = entry;
    const now = clock.now();
    if (ingested) {
      if (!(await queue.complete(job, ingested, now)))
        log.info({ job: job.id, tile: job.tileId }, "The job was no longer ours; its result is dropped.");
      return;
    }
    if (!error) return;
    if (!error.retryable || job.attempt >= job.maxAttempts) {
      await queue.fail(job, tileErrorOf(error, job), now);
      return;
    }
    const wait = Math.max(
      Math.min((error.retryAfterSeconds ?? 0) * 1000, MAX_RETRY_DELAY_MS),
      backOffMs(job.attempt, deps.random ?? Math.random),
    );
    await queue.retryLater(job, tileErrorOf(error, job), now + wait, now);
  };

  /** Retries while the store is unavailable: the work is done, and its lease is renewed meanwhile. */
  const settleWhileUnavailable = async (entry: Running, error: IngestError | null, ingested: Ingested | null): Promise<void> => {
    const until = performance.now() + MAX_SETTLE_MS;
    for (;;) {
      try {
        return await settle(entry, error, ingested);
      } catch (fault) {
        const isUnavailable = fault instanceof AppError && fault.code === "unavailable";
        if (!isUnavailable || state.stopping || performance.now() > until) throw fault;
        await new Promise((resolve) => setTimeout(resolve, SETTLE_RETRY_DELAY_MS));
      }
    }
  };

  const runOne = async (entry: Running): Promise<void> => {
    const { job } = entry;
    const outcome = await attemptJob(deps.run, job, entry.controller, deps.timeoutMs);
    if ("givenUp" in outcome || entry.state === "lost") return;
    entry.state = "settling";
    const error = "error" in outcome ? outcome.error : null;
    if ("unknown" in outcome) log.error({ err: outcome.unknown, job: job.id, tile: job.tileId }, "A job failed for an unknown reason.");
    else if (error)
      log.info({ job: job.id, tile: job.tileId, code: error.code, stage: error.stage, attempt: job.attempt }, "A job failed.");
    try {
      await settleWhileUnavailable(entry, error, "ingested" in outcome ? outcome.ingested : null);
    } catch (fault) {
      log.error({ err: fault, job: job.id, tile: job.tileId }, "The store did not take a job's end; its lease is left to run out.");
    }
  };

  const begin = (entry: Running): void => {
    running.add(entry);
    entry.done = runInContext({ kind: "job", jobId: entry.job.id }, () => runOne(entry)).finally(() => {
      running.delete(entry);
      deps.onEnd?.(entry.job);
      beginSuspect();
      wakeSoon();
    });
  };

  /** A crash can't be traced to one of several jobs, so a job that was there at one runs alone: the next crash is its own. */
  const beginSuspect = (): void => {
    if (running.size > 0 || state.stopping) return;
    const entry = suspects.shift();
    if (entry) begin({ ...entry, since: performance.now() });
  };

  const take = (jobs: readonly ClaimedJob[]): void => {
    for (const job of jobs) {
      const entry: Running = {
        job,
        since: performance.now(),
        controller: new AbortController(),
        state: "running",
        done: Promise.resolve(),
      };
      if (job.isSuspect) suspects.push(entry);
      else begin(entry);
    }
    beginSuspect();
  };

  const release = async (jobs: readonly ClaimedJob[]): Promise<void> => {
    if (jobs.length === 0) return;
    try {
      await queue.release(jobs, clock.now());
    } catch (fault) {
      log.error({ err: fault, jobs: jobs.length }, "The store did not take jobs back; their leases are left to run out.");
    }
  };

  /** Places that are free: a link that is slow has given its own up, while not too many have. */
  const freeSlots = (): number => {
    if (suspects.length > 0 || [...running].some(({ job }) => job.isSuspect)) return 0;
    const slowSince = performance.now() - SLOW_MS;
    let quick = 0;
    for (const { since } of running) if (since > slowSince) quick++;
    return Math.min(deps.concurrency - quick, deps.concurrency * (1 + MAX_SLOW_SHARE) - running.size);
  };
  const reservedSlots = Math.floor(deps.concurrency / RESERVED_SHARE);

  const claimOnce = async (): Promise<void> => {
    while (!state.stopping && freeSlots() > 0) {
      const jobs = await queue.claim(freeSlots(), deps.perHost, clock.now(), reservedSlots);
      if (state.stopping) return release(jobs);
      take(jobs);
      if (jobs.length === 0) return watchNextDue();
    }
  };

  // A job that is due and can't be claimed waits for a place of its host: its end wakes the worker.
  const watchNextDue = async (): Promise<void> => {
    const due = await queue.nextDue();
    if (state.due) clearTimeout(state.due);
    state.due = null;
    const wait = due === null ? 0 : due - clock.now();
    if (wait > 0 && !state.stopping) state.due = setTimeout(wake, Math.min(wait, 60_000));
  };

  const claimUntilQuiet = async (): Promise<void> => {
    try {
      // After a fault of the store, what is still ours is said before anybody is asked for more.
      // So it is after the clock was set, since leases that ended by the new time would be taken for lost.
      if (hasJumped() || state.faults > 0) await renew();
      do {
        state.again = false;
        await claimOnce();
      } while (state.again && !state.stopping && freeSlots() > 0);
      state.faults = 0;
    } catch (fault) {
      state.pausedUntil = performance.now() + Math.min(MAX_CLAIM_PAUSE_MS, pollMs * 2 ** state.faults++);
      log.error({ err: fault, faults: state.faults }, "The store did not give out jobs; asked again later.");
    } finally {
      state.claiming = null;
    }
  };

  /** A claim costs the store about as much for one job as for several, so places that come free soon after each other are filled at once. */
  function wakeSoon(): void {
    if (freeSlots() >= deps.concurrency / GATHER_SHARE) return wake();
    state.soon ??= setTimeout(() => {
      state.soon = null;
      wake();
    }, GATHER_MS);
  }

  function wake(): void {
    if (state.claiming) state.again = true;
    else if (!state.stopping && freeSlots() > 0 && performance.now() >= state.pausedUntil) state.claiming = claimUntilQuiet();
  }

  const renew = async (): Promise<void> => {
    const entries = [...running, ...suspects].filter((entry) => entry.state !== "lost");
    if (state.renewing || entries.length === 0) return;
    state.renewing = true;
    try {
      const held = await queue.renew(
        entries.map((entry) => entry.job),
        clock.now(),
      );
      // A job that is being settled is told by the store itself whether it was still ours.
      for (const entry of entries.filter((one) => !held.has(one.job.id) && one.state === "running")) {
        entry.state = "lost";
        if (suspects.includes(entry)) suspects.splice(suspects.indexOf(entry), 1);
        entry.controller.abort(new AbortedError("The job was cancelled or went to another worker."));
        log.info({ job: entry.job.id, tile: entry.job.tileId }, "A running job was cancelled or lost.");
      }
    } catch (fault) {
      log.error({ err: fault }, "The store did not renew leases; tried again soon.");
    } finally {
      state.renewing = false;
    }
  };

  const poll = setInterval(wake, pollMs);
  const renewal = setInterval(() => void renew(), deps.renewMs ?? LEASE_MS / 3);
  const unsubscribe = queue.onWork((work) => {
    // Every creation of text would look for jobs that it did not make.
    if (work === "jobs") wake();
  });
  wake();

  const stopClaiming = (): void => {
    clearInterval(poll);
    if (state.due) clearTimeout(state.due);
    if (state.soon) clearTimeout(state.soon);
    unsubscribe();
  };

  const shutDown = async (graceMs: number): Promise<void> => {
    stopClaiming();
    await state.claiming;
    await release(suspects.splice(0).map((entry) => entry.job));
    const allDone = Promise.all([...running].map((entry) => entry.done));
    const grace = Promise.withResolvers<void>();
    const timer = setTimeout(grace.resolve, graceMs);
    await Promise.race([allDone, grace.promise]);
    clearTimeout(timer);
    const rest = [...running].filter((entry) => entry.state === "running");
    for (const entry of rest) {
      entry.state = "lost";
      entry.controller.abort(new AbortedError("The worker stops."));
    }
    await release(rest.map((entry) => entry.job));
    await allDone;
    clearInterval(renewal);
  };

  return {
    async recordCrash(context) {
      state.stopping ??= Promise.resolve();
      stopClaiming();
      const held = [...running].filter((entry) => entry.state !== "lost").map((entry) => entry.job);
      // A job that has ended tells nothing: what it left behind, such as a connection, may be used by another one.
      const isTraced = context?.kind === "call" || [...running].some(({ job }) => job.id === context?.jobId);
      const counted = isTraced ? held.filter(({ id }) => context?.kind === "job" && id === context.jobId) : held;
      for (const entry of running) if (entry.state === "running") entry.state = "lost";
      const others = [...held.filter((job) => !counted.includes(job)), ...suspects.splice(0).map((entry) => entry.job)];
      const [failed] = await Promise.all([queue.recordCrash(counted, clock.now(), isTraced), release(others)]);
      return { counted: counted.map(({ id }) => id), failed: [...failed] };
    },

    stop(graceMs) {
      if (!state.stopping) {
        // Set before anything is awaited, so that a claim under way hands its jobs back.
        const gate = Promise.withResolvers<void>();
        state.stopping = gate.promise;
        shutDown(graceMs).then(gate.resolve, gate.reject);
      }
      return state.stopping;
    },
  };
}
