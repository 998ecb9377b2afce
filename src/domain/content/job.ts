import type { UploadedFile } from "./file.ts";
import type { Segment, TileError, TileMetadata, TileType, TileWarning } from "./tile.ts";

/** A job's lease expires when its worker does not renew it for this long, in milliseconds. */
export const LEASE_MS = 15_000;

/** Maximum delay before the next attempt, whatever a site requests. A job due later was scheduled while the clock was wrong. */
export const MAX_RETRY_DELAY_MS = 24 * 3_600_000;

/** When a job runs again that could not be attempted because the machine was short of something, in milliseconds. */
export const SHORTAGE_DELAY_MS = 10_000;

/** Background work on one tile: fetch a link and turn it into text. */
export type NewJob = {
  readonly id: string;
  /** The host of the link. Jobs of one host share a concurrency limit. */
  readonly host: string;
  readonly maxAttempts: number;
};

/** A job with its lease. Only the lease holder can end it, and only once. */
export type ClaimedJob = {
  readonly id: string;
  readonly businessId: string;
  readonly boardId: string;
  readonly tileId: string;
  /** The link; null for an upload. */
  readonly url: string | null;
  readonly file: UploadedFile | null;
  /** Whether the page of the link is stored as a browser rendered it, so that nothing is fetched. */
  readonly hasPage: boolean;
  readonly type: TileType;
  readonly host: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** A new token for every claim, so that a worker with an expired lease can't write. */
  readonly lease: string;
};

/** The extracted content of a tile, ready to be stored. */
export type Ingested = {
  readonly type: TileType;
  /** The page's own title; null when it has none. */
  readonly title: string | null;
  readonly text: string;
  /** The times of the parts of a transcript, in text order; undefined without times. */
  readonly segments?: readonly Segment[];
  readonly metadata: TileMetadata;
  readonly warnings: readonly TileWarning[];
};

export interface Queue {
  /**
   * Claims up to `limit` due jobs, with at most `perHost` running per host. The business with the fewest running jobs goes first, at each
   * host too, with its oldest job. Up to `reserved` more jobs are claimed for businesses with nothing running, one each; none by default.
   * Jobs with an expired lease are due again. A lease lasts `LEASE_MS`.
   */
  claim(limit: number, perHost: number, now: number, reserved?: number): Promise<ClaimedJob[]>;
  /** Renews leases. Returns the ids whose lease is still held; the others were cancelled or have expired. */
  renew(jobs: readonly ClaimedJob[], now: number): Promise<ReadonlySet<string>>;
  /** Stores the text, makes the tile ready, records the event and ends the job. Returns false when the lease is lost. */
  complete(job: ClaimedJob, result: Ingested, now: number): Promise<boolean>;
  /** Schedules the next attempt at `runAt`. Returns false when the lease is lost. */
  retryLater(job: ClaimedJob, error: TileError, runAt: number, now: number): Promise<boolean>;
  /** Makes the tile failed, records the event and ends the job. Returns false when the lease is lost. */
  fail(job: ClaimedJob, error: TileError, now: number): Promise<boolean>;
  /** Returns jobs to the queue without counting the attempt. They are due after `delayMs` (0 by default). */
  release(jobs: readonly ClaimedJob[], now: number, delayMs?: number): Promise<void>;
  /**
   * After a restart, makes leased jobs due, and new ones as `makeNewJobsDue` does. Returns how many were leased. Does nothing if several
   * processes may use the store: their leases expire by themselves.
   */
  recover(now: number): Promise<number>;
  /** Makes jobs without an attempt due that wait for a time which the clock had before it was set back. */
  makeNewJobsDue(now: number): Promise<void>;
  /** Returns when the next waiting job is due, or null if none waits. */
  nextDue(): Promise<number | null>;
  /** Calls `wake` after commits that may have created work. Returns the function that unsubscribes. */
  onWork(wake: WorkListener): () => void;
}

/** What a commit may have created: jobs to claim, or only text to index. */
export type NewWork = "jobs" | "text";
export type WorkListener = (work: NewWork) => void;

/** Why ingestion ended without text. */
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
