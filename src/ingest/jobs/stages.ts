import type { Fetcher } from "#domain/content/fetch.ts";
import { type ClaimedJob, LEASE_MS } from "#domain/content/job.ts";
import type { Media, MediaReaders } from "#domain/model/media.ts";
import type { Progress, ProgressStore, Stage } from "#domain/content/progress.ts";
import type { Clock } from "#domain/core/system.ts";
import type { Reader } from "../threads/reader.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import type { Log } from "./log.ts";

/** What a job uses to fetch and read content. Their calls show the stage of the job. */
export type JobTools = { readonly fetcher: Fetcher; readonly reader: Reader; readonly media: MediaReaders };

export type JobStages = {
  /** Returns the same tools for an attempt that begins now. While one of them is called, the job is at its stage. */
  watch(job: ClaimedJob, tools: JobTools): JobTools;
  /** Ends the attempt, even if calls are still running. */
  end(job: ClaimedJob): void;
  /** Withdraws everything that was reported. Resolves when that is written. */
  stop(): Promise<void>;
};

export type JobStagesDeps = { readonly progress: ProgressStore; readonly clock: Clock; readonly log: Log };

/** Stages that last longer are reported, and further ones of the job at most this often. */
const MIN_STAGE_MS = 500;
/** Jobs that last longer are reported, even if none of their stages does. */
const MIN_JOB_MS = 2_000;
/** Reports expire as leases do, and are renewed as often. */
const RENEW_MS = LEASE_MS / 3;
const POLL_INTERVAL_MS = 100;
const WRITE_FAILED = "Storing the progress of jobs failed. The jobs continue; their progress is not shown.";

/** An attempt under way. Times are `performance.now()`, except `startedAt`. */
type Attempt = {
  readonly job: ClaimedJob;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly since: number;
  /** The stages of the calls under way, in the order in which they began. */
  readonly active: Stage[];
  stage: Stage | null;
  stageSince: number;
  reported: { readonly stage: Stage | null; readonly at: number } | null;
};

/**
 * Reports the stages of long jobs. Most jobs are quick, and nothing is written for them. Failed reports are logged, once until one
 * succeeds, and have no other effect.
 */
export function createJobStages(deps: JobStagesDeps): JobStages {
  const reporter = new StageReporter(deps);
  return {
    watch: (job, tools) => instrument(reporter.begin(job), tools),
    end: (job) => reporter.end(job),
    stop: () => reporter.stop(),
  };
}

class StageReporter {
  readonly #deps: JobStagesDeps;
  /** By lease, which is unique for each attempt. */
  readonly #attempts = new Map<string, Attempt>();
  /** Reported attempts that have ended. */
  readonly #ended: Progress[] = [];
  readonly #loop: Loop;
  #isFailing = false;

  constructor(deps: JobStagesDeps) {
    this.#deps = deps;
    this.#loop = startLoop({ run: () => this.#reportDue(), onError: (error) => deps.log.warn({ err: error }, WRITE_FAILED) });
  }

  begin(job: ClaimedJob): Attempt {
    const attempt: Attempt = {
      job,
      startedAt: this.#deps.clock.now(),
      since: performance.now(),
      active: [],
      stage: null,
      stageSince: 0,
      reported: null,
    };
    if (this.#attempts.size === 0) this.#loop.wake(POLL_INTERVAL_MS);
    this.#attempts.set(job.lease, attempt);
    return attempt;
  }

  end(job: ClaimedJob): void {
    const attempt = this.#attempts.get(job.lease);
    this.#attempts.delete(job.lease);
    if (attempt !== undefined && attempt.reported !== null) this.#ended.push(...progressOf(attempt));
  }

  async stop(): Promise<void> {
    for (const { job } of this.#attempts.values()) this.end(job);
    await this.#loop.stop();
    await this.#write([], 0);
  }

  /** Returns when to run again. Without attempts the loop sleeps until the next one begins. */
  async #reportDue(): Promise<number | void> {
    const now = performance.now();
    const due = [...this.#attempts.values()].filter((attempt) => isDue(attempt, now));
    if (due.length > 0 || this.#ended.length > 0) await this.#write(due, now);
    return this.#attempts.size > 0 || this.#ended.length > 0 ? POLL_INTERVAL_MS : undefined;
  }

  async #write(due: readonly Attempt[], now: number): Promise<void> {
    const { progress, clock, log } = this.#deps;
    const ended = this.#ended.splice(0);
    for (const attempt of due) attempt.reported = { stage: attempt.stage, at: now };
    try {
      await Promise.all([
        due.length === 0 ? null : progress.report(due.flatMap(progressOf), clock.now()),
        ended.length === 0 ? null : progress.end(ended),
      ]);
      this.#isFailing = false;
    } catch (error) {
      // The report may have been written all the same. It stays marked as reported, so that it is withdrawn at the end, and is retried.
      for (const attempt of due) attempt.reported = { stage: null, at: now };
      if (!this.#isFailing) log.warn({ err: error }, WRITE_FAILED);
      this.#isFailing = true;
    }
  }
}

function isDue({ stage, stageSince, since, reported }: Attempt, now: number): boolean {
  if (stage === null) return false;
  if (reported === null) return now - stageSince >= MIN_STAGE_MS || now - since >= MIN_JOB_MS;
  return now - reported.at >= (reported.stage === stage ? RENEW_MS : MIN_STAGE_MS);
}

const progressOf = ({ job, startedAt, stage }: Attempt): readonly Progress[] => {
  const { businessId, boardId, tileId, attempt, maxAttempts } = job;
  return stage === null ? [] : [{ businessId, boardId, tileId, stage, attempt, maxAttempts, startedAt }];
};

/** The stage is that of the call that began last. Between two calls it stays the same. */
function updateStage(attempt: Attempt): void {
  const stage = attempt.active.at(-1) ?? attempt.stage;
  if (stage === attempt.stage) return;
  attempt.stage = stage;
  attempt.stageSince = performance.now();
}

async function runAtStage<T>(attempt: Attempt, stage: Stage, work: () => Promise<T>): Promise<T> {
  attempt.active.push(stage);
  updateStage(attempt);
  try {
    return await work();
  } finally {
    attempt.active.splice(attempt.active.lastIndexOf(stage), 1);
    updateStage(attempt);
  }
}

/** Wraps the tools, so that each call sets the stage of the attempt. */
function instrument(attempt: Attempt, { fetcher, reader, media: { pictures, speech } }: JobTools): JobTools {
  const at =
    <A extends unknown[], R>(stage: Stage, call: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      runAtStage(attempt, stage, () => call(...args));
  const mediaAt = <R>(stage: Stage, one: { read(media: Media, signal: AbortSignal): Promise<R> } | null) =>
    one && { read: at(stage, (media: Media, signal: AbortSignal) => one.read(media, signal)) };
  return {
    fetcher: { fetch: at("fetch", (request) => fetcher.fetch(request)) },
    reader: {
      page: at("read", (page, signal) => reader.page(page, signal)),
      plainText: at("read", (page, signal) => reader.plainText(page, signal)),
      clean: at("read", (page, signal) => reader.clean(page, signal)),
      head: at("read", (page, signal) => reader.head(page, signal)),
      feed: at("read", (text, signal) => reader.feed(text, signal)),
      document: at("read", (bytes, format, signal) => reader.document(bytes, format, signal)),
    },
    media: { pictures: mediaAt("recognise", pictures), speech: mediaAt("transcribe", speech) },
  };
}
