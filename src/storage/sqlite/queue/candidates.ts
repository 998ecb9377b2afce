import { countPerBusiness, MAX_SEARCHED_JOBS } from "../../shared/turns/job-picker.ts";
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

type DueRow = JobRow & { run_at: number; created_at: number; position: number };

const IS_CANDIDATE = "lease IS NULL AND run_at <= ? AND host NOT IN (SELECT value FROM json_each(?))";
const OLDEST = `SELECT ${JOB_COLUMNS}, run_at, created_at, rowid AS position FROM job WHERE ${IS_CANDIDATE}
  ORDER BY run_at, created_at, rowid LIMIT ?`;
const OLDEST_OF_BUSINESS = `SELECT ${JOB_COLUMNS}, run_at, created_at, position
  FROM (SELECT *, rowid AS position FROM job WHERE business_id = ? ORDER BY id LIMIT ${MAX_SEARCHED_JOBS})
  WHERE ${IS_CANDIDATE} ORDER BY run_at, created_at, position LIMIT ?`;

/**
 * Finds due jobs of hosts with free slots, oldest first: the oldest of all, and those of each business, so that a long backlog hides nobody's
 * jobs. It is never read completely. A `limit` of 0 reads jobs of businesses with nothing running only.
 */
export function findCandidates(
  db: Connection,
  limit: number,
  running: ReadonlySet<string>,
  fullHosts: readonly string[],
  now: number,
): JobRow[] {
  const full = JSON.stringify(fullHosts);
  const owners = listOwners(db);
  const rows = new Map<string, DueRow>();
  const add = (found: readonly DueRow[]): void => found.forEach((row) => rows.set(row.id, row));
  if (limit > 0) add(db.all<DueRow>(OLDEST, now, full, limit));
  const perBusiness = countPerBusiness(limit, owners.length);
  // A single business needs no second search, unless only a reserved slot is free.
  for (const owner of owners.length < 2 && limit > 0 ? [] : owners)
    if (limit > 0 || !running.has(owner)) add(db.all<DueRow>(OLDEST_OF_BUSINESS, owner, now, full, perBusiness));
  return [...rows.values()].sort((a, b) => a.run_at - b.run_at || a.created_at - b.created_at || a.position - b.position);
}

/** Lists the businesses that have jobs, with one index lookup for each. */
function listOwners(db: Connection): string[] {
  const next = (after: string): string | null =>
    db.get<{ owner: string | null }>("SELECT min(business_id) AS owner FROM job WHERE business_id > ?", after)?.owner ?? null;
  const owners: string[] = [];
  for (let owner = next(""); owner !== null; owner = next(owner)) owners.push(owner);
  return owners;
}
