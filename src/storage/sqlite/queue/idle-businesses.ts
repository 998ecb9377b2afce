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

/** Maximum number of jobs of a business that are searched for its oldest due job, in the order of creation. */
const MAX_CANDIDATES = 500;

/**
 * Returns the oldest due job with a free slot of each business that has nothing running: at most `limit`, oldest first. Returns none
 * while only one business has jobs. A long backlog is never read completely.
 */
export function findJobsOfIdleBusinesses(db: Connection, limit: number, now: number, hasSlot: (job: JobRow) => boolean): JobRow[] {
  const owners = listOwners(db);
  if (owners.length < 2) return [];
  // The index is named because SQLite would scan all jobs by business instead.
  const leased = db.all<{ business_id: string }>("SELECT business_id FROM job INDEXED BY job_leased WHERE lease IS NOT NULL");
  const running = new Set(leased.map((row) => row.business_id));
  const jobs = owners
    .filter((owner) => !running.has(owner))
    .flatMap((owner) => db.all<DueRow>(OLDEST_DUE, owner, MAX_CANDIDATES, now).find(hasSlot) ?? []);
  return jobs.sort((one, other) => one.run_at - other.run_at || one.created_at - other.created_at).slice(0, limit);
}

type DueRow = JobRow & { run_at: number; created_at: number };

const OLDEST_DUE = `SELECT ${JOB_COLUMNS}, run_at, created_at
  FROM (SELECT *, rowid AS position FROM job WHERE business_id = ? ORDER BY id LIMIT ?)
  WHERE lease IS NULL AND run_at <= ? ORDER BY run_at, created_at, position`;

/** Lists the businesses that have jobs, with one index lookup for each. */
function listOwners(db: Connection): string[] {
  const next = (after: string): string | null =>
    db.get<{ owner: string | null }>("SELECT min(business_id) AS owner FROM job WHERE business_id > ?", after)?.owner ?? null;
  const owners: string[] = [];
  for (let owner = next(""); owner !== null; owner = next(owner)) owners.push(owner);
  return owners;
}
