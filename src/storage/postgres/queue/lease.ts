import type { ClaimedJob } from "#domain/content/job.ts";
import { LeaseLostError } from "../../sql/background/tile-jobs.ts";

/** What a lease says: which claim of the job it is, how often pg-boss would retry it, and how many claims were handed back. */
export type Lease = { readonly retryCount: number; readonly retryLimit: number; readonly released: number };

/** The text of a lease; every claim of a job raises `retryCount`, so no two are the same. */
export const formatLease = (id: string, { retryCount, retryLimit, released }: Lease): string =>
  `${retryCount} ${retryLimit} ${released} ${id}`;

export function parseLease(lease: string): Lease {
  const [retryCount = -1, retryLimit = 0, released = 0] = lease.split(" ", 3).map(Number);
  return { retryCount, retryLimit, released };
}

/** What pg-boss finds the claim of a job by: it changes nothing where the job was claimed anew. */
export const attemptOf = ({ id, lease }: ClaimedJob): { readonly id: string; readonly retryCount: number } => ({
  id,
  retryCount: parseLease(lease).retryCount,
});

/** Throws `LeaseLostError` where a call of pg-boss changed no job. */
export function requireAffected(response: object): void {
  if (((response as { affected?: number }).affected ?? 0) === 0) throw new LeaseLostError();
}

/** The ids of the jobs that a call of pg-boss changed. */
export const settledIds = (response: object): readonly string[] => (response as { settled?: string[] }).settled ?? [];
