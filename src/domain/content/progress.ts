import type { ClaimedJob } from "./job.ts";

/** The current stage of a job: fetching, extracting text, transcribing speech, or recognising a picture. */
export type Stage = "fetch" | "read" | "transcribe" | "recognise";

/** The progress of one ingestion attempt. */
export type Progress = Pick<ClaimedJob, "businessId" | "boardId" | "tileId" | "attempt" | "maxAttempts"> & {
  readonly stage: Stage;
  /** When the attempt started, in milliseconds since 1970. It distinguishes the attempts at a tile. */
  readonly startedAt: number;
};

/** The progress of long-running jobs, for display only. Losing entries is harmless. */
export interface ProgressStore {
  /** Stores progress. Each entry is valid for `LEASE_MS` from `now`, and never replaces one of a later attempt. */
  report(entries: readonly Progress[], now: number): Promise<void>;
  /** Deletes the entries of these attempts, but not those of later attempts at the same tiles. */
  end(entries: readonly Progress[]): Promise<void>;
  /** Returns the running attempts of all processes, earliest first, at most `MAX_RUNNING`. */
  running(now: number): Promise<readonly Progress[]>;
}

/** Maximum number of entries that `running` returns. */
export const MAX_RUNNING = 500;
