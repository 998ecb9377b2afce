import type { Connection } from "../engine/database.ts";
import type { JobRow } from "./jobs.ts";

/** How many due jobs of one business are looked at for one whose host has a free place. */
const MAX_CANDIDATES = 16;

/**
 * The oldest due job of each business that has nothing running, at most `limit`, the oldest first; none where only one business has jobs.
 * Only jobs that `hasPlace` are returned. Indexes are named by leaving the others out (`+`): a long backlog of one business is never read.
 */
export function findJobsOfIdleBusinesses(db: Connection, limit: number, now: number, hasPlace: (job: JobRow) => boolean): JobRow[] {
  const running = new Set(
    db.all<{ business_id: string }>("SELECT DISTINCT business_id FROM job WHERE lease IS NOT NULL").map((row) => row.business_id),
  );
  const owners = listOwners(db);
  if (owners.length < 2) return [];
  const found = owners
    .filter((owner) => !running.has(owner))
    .flatMap((owner) => db.all<DueRow>(OLDEST_DUE, owner, now, MAX_CANDIDATES).find(hasPlace) ?? []);
  return found.sort((one, other) => one.run_at - other.run_at || one.created_at - other.created_at).slice(0, limit);
}

type DueRow = JobRow & { run_at: number; created_at: number };

const OLDEST_DUE = `SELECT business_id, id, board_id, tile_id, host, attempts, max_attempts, crashes, run_at, created_at FROM job
  WHERE business_id = ? AND lease IS NULL AND +run_at <= ? ORDER BY +run_at, +created_at, rowid LIMIT ?`;

/** Businesses that have jobs, found by one step through the index for each. */
function listOwners(db: Connection): string[] {
  const next = (after: string): string | null =>
    db.get<{ owner: string | null }>("SELECT min(business_id) AS owner FROM job WHERE business_id > ?", after)?.owner ?? null;
  const owners: string[] = [];
  for (let owner = next(""); owner !== null; owner = next(owner)) owners.push(owner);
  return owners;
}
