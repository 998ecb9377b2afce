import type { Fetcher } from "#domain/content/fetch.ts";
import { type ClaimedJob, LEASE_MS } from "#domain/content/job.ts";
import type { Media, MediaReaders } from "#domain/model/media.ts";
import type { Progress, ProgressStore, Stage } from "#domain/content/progress.ts";
import type { Clock } from "#domain/core/system.ts";
import type { Reader } from "../threads/reader.ts";
import { startLoop } from "#runtime/loop.ts";
import type { Log } from "./log.ts";

/** What a job works with, by which it can be seen what it is at. */
export type JobTools = { readonly fetcher: Fetcher; readonly reader: Reader; readonly media: MediaReaders };

export type JobStages = {
  /** The same tools for this attempt, which begins now; while one of them works, the job is at its stage. */
  watch(job: ClaimedJob, tools: JobTools): JobTools;
  /** The attempt is over, whatever of it still runs. */
  end(job: ClaimedJob): void;
  /** Forgets whatever was reported; answers when that is written. */
  stop(): Promise<void>;
};

/** A stage that stands so long is reported, and what comes after it is reported this far apart; milliseconds. */
const LASTING_MS = 500;
/** A job that takes so long is reported though no stage of it lasts, in milliseconds. */
const LONG_MS = 2_000;
/** Reports are renewed as leases are. */
const RENEW_MS = LEASE_MS / 3;
const POLL_INTERVAL_MS = 100;
const WRITE_FAILED = "The stages of jobs could not be stored. The jobs go on; only their progress is not shown.";

/** An attempt under way; times are those of `performance.now()`, but for the one that is told. */
type Watched = {
  readonly job: ClaimedJob;
  readonly startedAt: number;
  readonly since: number;
  /** The stages of the calls under way, the latest begun last. */
  readonly active: Stage[];
  stage: Stage | null;
  stageSince: number;
  reported: { readonly stage: Stage | null; readonly at: number } | null;
};

/**
 * Reports what lasting jobs are at. Most jobs are quick, and nothing is written for them. A report that fails is logged, once until one
 * succeeds, and harms nothing.
 */
export function createJobStages({
  progress,
  clock,
  log,
}: {
  readonly progress: ProgressStore;
  readonly clock: Clock;
  readonly log: Log;
}): JobStages {
  const watched = new Map<string, Watched>();
  const state = { gone: [] as Progress[], isFailing: false };

  const reportDue = async (): Promise<number | void> => {
    const now = performance.now();
    const due = [...watched.values()].filter((entry) => isDue(entry, now));
    if (due.length > 0 || state.gone.length > 0) await write(due, now);
    // Without running jobs the loop sleeps until the next one.
    return watched.size > 0 || state.gone.length > 0 ? POLL_INTERVAL_MS : undefined;
  };
  const loop = startLoop({ run: reportDue, onError: (error) => log.warn({ err: error }, WRITE_FAILED) });

  const write = async (due: readonly Watched[], now: number): Promise<void> => {
    const gone = state.gone.splice(0);
    for (const entry of due) entry.reported = { stage: entry.stage, at: now };
    try {
      await Promise.all([
        due.length === 0 ? null : progress.report(due.flatMap(progressOf), clock.now()),
        gone.length === 0 ? null : progress.end(gone),
      ]);
      state.isFailing = false;
    } catch (error) {
      // The reports may have been written all the same, so they are removed at the end; until then they are retried.
      for (const entry of due) entry.reported = { stage: null, at: now };
      if (!state.isFailing) log.warn({ err: error }, WRITE_FAILED);
      state.isFailing = true;
    }
  };

  const end = (job: ClaimedJob): void => {
    const entry = watched.get(job.lease);
    watched.delete(job.lease);
    if (entry !== undefined && entry.reported !== null) state.gone.push(...progressOf(entry));
  };

  return {
    watch(job, tools) {
      const entry: Watched = {
        job,
        startedAt: clock.now(),
        since: performance.now(),
        active: [],
        stage: null,
        stageSince: 0,
        reported: null,
      };
      if (watched.size === 0) loop.wake(POLL_INTERVAL_MS);
      watched.set(job.lease, entry);
      return toolsOf(entry, tools);
    },
    end,
    async stop() {
      for (const { job } of watched.values()) end(job);
      await loop.stop();
      await write([], 0);
    },
  };
}

function isDue({ stage, stageSince, since, reported }: Watched, now: number): boolean {
  if (stage === null) return false;
  if (reported === null) return now - stageSince >= LASTING_MS || now - since >= LONG_MS;
  return now - reported.at >= (reported.stage === stage ? RENEW_MS : LASTING_MS);
}

const progressOf = ({ job, startedAt, stage }: Watched): readonly Progress[] => {
  const { businessId, boardId, tileId, attempt, maxAttempts } = job;
  return stage === null ? [] : [{ businessId, boardId, tileId, stage, attempt, maxAttempts, startedAt }];
};

/** Of several calls at once the latest begun tells the stage; between two calls it stands as it was. */
function enter(entry: Watched): void {
  const stage = entry.active.at(-1) ?? entry.stage;
  if (stage === entry.stage) return;
  entry.stage = stage;
  entry.stageSince = performance.now();
}

async function during<T>(entry: Watched, stage: Stage, work: () => Promise<T>): Promise<T> {
  entry.active.push(stage);
  enter(entry);
  try {
    return await work();
  } finally {
    entry.active.splice(entry.active.lastIndexOf(stage), 1);
    enter(entry);
  }
}

function toolsOf(entry: Watched, { fetcher, reader, media: { pictures, speech } }: JobTools): JobTools {
  const at =
    <A extends unknown[], R>(stage: Stage, call: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      during(entry, stage, () => call(...args));
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
      document: at("read", (bytes, form, signal) => reader.document(bytes, form, signal)),
    },
    media: { pictures: mediaAt("recognise", pictures), speech: mediaAt("transcribe", speech) },
  };
}
