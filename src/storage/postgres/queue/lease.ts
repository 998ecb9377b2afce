import type { ClaimedJob } from "#domain/content/job.ts";
import { LeaseLostError } from "../../sql/background/tile-jobs.ts";

/** The data of a lease: the number of the claim, the retry limit in pg-boss, and how many claims were returned. */
export type Lease = { readonly retryCount: number; readonly retryLimit: number; readonly released: number };

/** Formats a lease. Every claim of a job raises `retryCount`, so leases are unique. */
export const formatLease = (id: string, { retryCount, retryLimit, released }: Lease): string =>
  `${retryCount} ${retryLimit} ${released} ${id}`;

export function parseLease(lease: string): Lease {
  const [retryCount = -1, retryLimit = 0, released = 0] = lease.split(" ", 3).map(Number);
  return { retryCount, retryLimit, released };
}

/** Identifies the claim of a job for pg-boss, which changes nothing if the job was claimed again. */
export const toAttempt = ({ id, lease }: ClaimedJob): { readonly id: string; readonly retryCount: number } => ({
  id,
  retryCount: parseLease(lease).retryCount,
});

/** Throws `LeaseLostError` when a call of pg-boss changed no job. */
export function requireAffected(response: object): void {
  if (((response as { affected?: number }).affected ?? 0) === 0) throw new LeaseLostError();
}

/** Returns the ids of the jobs that a call of pg-boss changed. */
export const settledIds = (response: object): readonly string[] => (response as { settled?: string[] }).settled ?? [];
