import type { Fetcher } from "#domain/content/fetch.ts";
import { type ClaimedJob, LEASE_MS } from "#domain/content/job.ts";
import type { Media, MediaReaders } from "#domain/model/media.ts";
import type { Progress, ProgressStore, Stage } from "#domain/content/progress.ts";
import type { Clock } from "#domain/core/system.ts";
import type { ContentReader } from "../threads/reader.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import type { Log } from "#domain/core/log.ts";

/** The services with which a job fetches and reads content. Their calls determine the stage of the job. */
export type JobTools = { readonly fetcher: Fetcher; readonly reader: ContentReader; readonly media: MediaReaders };

export type JobStages = {
  /** Begins an attempt, and returns its tools. A call of one of them sets the stage of the job. */
  watch(job: ClaimedJob, tools: JobTools): JobTools;
  /** Ends the attempt. Calls may still be running. */
  end(job: ClaimedJob): void;
  /** Removes all reports. Resolves when they are removed from the store. */
  stop(): Promise<void>;
};

export type JobStagesDeps = {
  readonly progress: ProgressStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Called at the end of each call of a tool, with its time. */
  readonly timeStage?: (stage: Stage, seconds: number) => void;
};

/** A stage is reported if it lasts longer than this. It is also the minimum interval of reports of one job. */
const MIN_STAGE_MS = 500;
/** A job that lasts longer than this is reported, even if its stages are short. */
const MIN_JOB_MS = 2_000;
/** Reports expire after the time of a lease, and are renewed as often. */
const RENEW_MS = LEASE_MS / 3;
const POLL_INTERVAL_MS = 100;
const WRITE_FAILED = "Storing the progress of jobs failed. The jobs continue; their progress is not shown.";

/** A running attempt. Times are `performance.now()`, except `startedAt`. */
type Attempt = {
  readonly job: ClaimedJob;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly since: number;
  /** The stages of the running calls, in the order in which they began. */
  readonly active: Stage[];
  stage: Stage | null;
  stageSince: number;
  reported: { readonly stage: Stage | null; readonly at: number } | null;
};

/** Reports the stages of long jobs. Nothing is written for short ones. Failed reports are logged once until one succeeds. */
export function createJobStages(deps: JobStagesDeps): JobStages {
  const reporter = new StageReporter(deps);
  return {
    watch: (job, tools) => instrument(reporter.begin(job), tools, deps.timeStage),
    end: (job) => reporter.end(job),
    stop: () => reporter.stop(),
  };
}

class StageReporter {
  readonly #deps: JobStagesDeps;
  /** Running attempts by lease, which is unique for each attempt. */
  readonly #attempts = new Map<string, Attempt>();
  /** Ended attempts whose reports are to be removed. */
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
    if (attempt !== undefined && attempt.reported !== null) this.#ended.push(...toProgress(attempt));
  }

  async stop(): Promise<void> {
    for (const { job } of this.#attempts.values()) this.end(job);
    await this.#loop.stop();
    await this.#write([], 0);
  }

  /** Writes due reports. Returns the milliseconds until the next run; without attempts, the loop sleeps until one begins. */
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
        due.length === 0 ? null : progress.report(due.flatMap(toProgress), clock.now()),
        ended.length === 0 ? null : progress.end(ended),
      ]);
      this.#isFailing = false;
    } catch (error) {
      // The report may have been written despite the error, so it is removed at the end of the attempt, and retried.
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

const toProgress = ({ job, startedAt, stage }: Attempt): readonly Progress[] => {
  const { businessId, boardId, tileId, attempt, maxAttempts } = job;
  return stage === null ? [] : [{ businessId, boardId, tileId, stage, attempt, maxAttempts, startedAt }];
};

/** Sets the stage to that of the call that began last. Between two calls it does not change. */
function updateStage(attempt: Attempt): void {
  const stage = attempt.active.at(-1) ?? attempt.stage;
  if (stage === attempt.stage) return;
  attempt.stage = stage;
  attempt.stageSince = performance.now();
}

async function runAtStage<T>(attempt: Attempt, stage: Stage, work: () => Promise<T>, timeStage: JobStagesDeps["timeStage"]): Promise<T> {
  const since = performance.now();
  attempt.active.push(stage);
  updateStage(attempt);
  try {
    return await work();
  } finally {
    timeStage?.(stage, (performance.now() - since) / 1_000);
    attempt.active.splice(attempt.active.lastIndexOf(stage), 1);
    updateStage(attempt);
  }
}

/** Wraps the tools. Each call sets the stage of the attempt. */
function instrument(
  attempt: Attempt,
  { fetcher, reader, media: { pictures, speech } }: JobTools,
  timeStage: JobStagesDeps["timeStage"],
): JobTools {
  const at =
    <A extends unknown[], R>(stage: Stage, call: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      runAtStage(attempt, stage, () => call(...args), timeStage);
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
