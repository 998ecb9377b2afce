import type { ClaimedJob } from "./job.ts";

/** What a worker is at: fetching from the source, turning what came into text, writing down speech, reading a picture. */
export type Stage = "fetch" | "read" | "transcribe" | "recognise";

/** What one attempt at a tile is at now. */
export type Progress = Pick<ClaimedJob, "businessId" | "boardId" | "tileId" | "attempt" | "maxAttempts"> & {
  readonly stage: Stage;
  /** When the attempt began, in milliseconds since 1970; attempts at a tile are told apart by it. */
  readonly startedAt: number;
};

/** What lasting work is at, for whoever looks on. Nothing depends on it: what is lost of it is only not seen. */
export interface ProgressStore {
  /** Notes where attempts are; each counts for `LEASE_MS` from `now`, and one that is over never takes the place of a later one. */
  report(entries: readonly Progress[], now: number): Promise<void>;
  /** Forgets these attempts, and no later ones at their tiles. */
  end(entries: readonly Progress[]): Promise<void>;
  /** What is being worked on by any process, the earliest begun first, at most 500. */
  running(now: number): Promise<readonly Progress[]>;
}

/** Most that `running` tells. */
export const MAX_RUNNING = 500;
