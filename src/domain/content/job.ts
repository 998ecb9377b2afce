import type { UploadedFile } from "./file.ts";
import type { Segment, TileError, TileMetadata, TileType, TileWarning } from "./tile.ts";

/** How long a worker's claim on a job stands without a sign of life, in milliseconds. */
export const LEASE_MS = 15_000;

/** The longest that a job waits for its next attempt, whatever a site asks for; one that is due later was noted while the clock was wrong. */
export const MAX_RETRY_DELAY_MS = 24 * 3_600_000;
/** A job is failed for good when the process has ended unexpectedly this many times while it ran. */
export const MAX_CRASHES = 2;

/** Background work on one tile: fetch a link and turn it into text. */
export type NewJob = {
  readonly id: string;
  /** The link's host: one host's links share its places. */
  readonly host: string;
  readonly maxAttempts: number;
};

/** A job held under a lease; only its holder can finish it, and only once. */
export type ClaimedJob = {
  readonly id: string;
  readonly businessId: string;
  readonly boardId: string;
  readonly tileId: string;
  /** The link; null for an upload. */
  readonly url: string | null;
  readonly file: UploadedFile | null;
  readonly type: TileType;
  readonly host: string;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** How many unexpected ends of a process were counted against this job. */
  readonly crashes: number;
  /** One of the crashes may have been caused by something else that ran at the same time, so this job runs alone in its process. */
  readonly isSuspect: boolean;
  /** Changes with every claim, so that a holder whose lease ran out can't write any more. */
  readonly lease: string;
};

/** What an extractor found, ready to be stored. */
export type Ingested = {
  readonly type: TileType;
  /** The page's own title; null when it has none. */
  readonly title: string | null;
  readonly text: string;
  /** When each part of a transcript is said, in the order of the text; left out where nothing has a time. */
  readonly segments?: readonly Segment[];
  readonly metadata: TileMetadata;
  readonly warnings: readonly TileWarning[];
};

export interface Queue {
  /**
   * Takes up to `limit` jobs that are due, oldest first, at most `perHost` of one host running at once. The oldest job of each business
   * with nothing running goes before all others. Then come hosts with nothing running, and `kept` of the places are left to these two. Jobs whose lease ran out are due again. A lease stands for `LEASE_MS`.
   */
  claim(limit: number, perHost: number, now: number, kept?: number): Promise<ClaimedJob[]>;
  /** Prolongs leases; answers the ids that are still held (a job missing from it was cancelled or lost). */
  renew(jobs: readonly ClaimedJob[], now: number): Promise<ReadonlySet<string>>;
  /** Stores the text, makes the tile ready, records the event and closes the job; false when it was no longer held. */
  complete(job: ClaimedJob, result: Ingested, now: number): Promise<boolean>;
  /** Tries again at `runAt`; false when it was no longer held. */
  retryLater(job: ClaimedJob, error: TileError, runAt: number, now: number): Promise<boolean>;
  /** Makes the tile failed, records the event and closes the job; false when it was no longer held. */
  fail(job: ClaimedJob, error: TileError, now: number): Promise<boolean>;
  /** Hands jobs back unfinished, the attempt uncounted. */
  release(jobs: readonly ClaimedJob[], now: number): Promise<void>;
  /**
   * Counts one crash of the process against each of these jobs that is still held, and hands it back with the attempt uncounted.
   * A job that reaches `MAX_CRASHES` is failed instead. `isTraced` says that the crash is known to be the job's own; otherwise the
   * jobs become suspects. Returns the ids of the jobs that were failed.
   */
  recordCrash(jobs: readonly ClaimedJob[], now: number, isTraced: boolean): Promise<ReadonlySet<string>>;
  /** Makes every leased job due at once, after a crash, where one worker owns the store; where several share it, leases run out by themselves. */
  recover(now: number): Promise<number>;
  /** When the next waiting job is due; null when none waits. */
  nextDue(): Promise<number | null>;
  /** Calls back after a commit that may have made work; returns the way to stop. */
  onWork(wake: WorkListener): () => void;
}

/** What a commit may have made: jobs to be claimed, or no more than text to be indexed. */
export type NewWork = "jobs" | "text";
export type WorkListener = (work: NewWork) => void;

/** A reason ingestion ended without text. */
export class IngestError extends Error {
  readonly code: string;
  readonly stage: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: string,
    message: string,
    options: { readonly stage: string; readonly retryable?: boolean; readonly retryAfterSeconds?: number; readonly cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "IngestError";
    this.code = code;
    this.stage = options.stage;
    this.retryable = options.retryable ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
