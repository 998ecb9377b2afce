import type { Connection } from "../engine/database.ts";

export type JobRow = {
  business_id: string;
  id: string;
  board_id: string;
  tile_id: string;
  host: string;
  attempts: number;
  max_attempts: number;
  crashes: number;
  suspect: number;
};

export const JOB_COLUMNS = "business_id, id, board_id, tile_id, host, attempts, max_attempts, crashes, suspect";

/** How many jobs of one business are looked at, those that were made first. */
const MAX_CANDIDATES = 500;

/**
 * The oldest due job of each business that has nothing running, at most `limit`, the oldest first; none where only one business has jobs.
 * Only jobs that `hasSlot` are returned. A long backlog of one business is never read as a whole.
 */
export function findJobsOfIdleBusinesses(db: Connection, limit: number, now: number, hasSlot: (job: JobRow) => boolean): JobRow[] {
  const owners = listOwners(db);
  if (owners.length < 2) return [];
  // Named, since SQLite would else go through all jobs in the order of their businesses.
  const held = db.all<{ business_id: string }>("SELECT business_id FROM job INDEXED BY job_leased WHERE lease IS NOT NULL");
  const running = new Set(held.map((row) => row.business_id));
  const found = owners
    .filter((owner) => !running.has(owner))
    .flatMap((owner) => db.all<DueRow>(OLDEST_DUE, owner, MAX_CANDIDATES, now).find(hasSlot) ?? []);
  return found.sort((one, other) => one.run_at - other.run_at || one.created_at - other.created_at).slice(0, limit);
}

type DueRow = JobRow & { run_at: number; created_at: number };

const OLDEST_DUE = `SELECT ${JOB_COLUMNS}, run_at, created_at
  FROM (SELECT *, rowid AS position FROM job WHERE business_id = ? ORDER BY id LIMIT ?)
  WHERE lease IS NULL AND run_at <= ? ORDER BY run_at, created_at, position`;

/** Businesses that have jobs, found by one step through the index for each. */
function listOwners(db: Connection): string[] {
  const next = (after: string): string | null =>
    db.get<{ owner: string | null }>("SELECT min(business_id) AS owner FROM job WHERE business_id > ?", after)?.owner ?? null;
  const owners: string[] = [];
  for (let owner = next(""); owner !== null; owner = next(owner)) owners.push(owner);
  return owners;
}
