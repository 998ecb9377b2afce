import type { JobWithMetadata, PgBoss } from "pg-boss";
import type { ClaimedJob } from "#domain/content/job.ts";
import type { TileType } from "#domain/content/tile.ts";
import type { Database, Transaction } from "../engine/database.ts";
import { INGEST } from "./boss.ts";
import { fetchOfIdleBusinesses } from "./idle-businesses.ts";
import { formatLease } from "./lease.ts";
import type { JobData } from "./tile-jobs.ts";

/** Claims of all nodes run one after the other, so that together they keep to the slots of a host. */
const CLAIM_LOCK = 8_264_017_353;

type Fetched = JobWithMetadata<JobData>;
type SourceRow = { job_id: string; source_url: string | null; file_name: string | null; file_type: string | null; type: string };

/** Claims jobs as `Queue.claim` does. */
export function claim(db: Database, boss: PgBoss, limit: number, perHost: number, reserved: number): Promise<ClaimedJob[]> {
  return db.write(async (tx) => {
    await tx.run("SELECT pg_advisory_xact_lock($1)", CLAIM_LOCK);
    const idle = await fetchOfIdleBusinesses(tx, limit, perHost, (most, priority) => fetchDue(boss, tx, most, perHost, priority));
    const first = [...idle, ...(await fetchDue(boss, tx, limit - idle.length, 1))];
    const fetched = perHost === 1 ? first : [...first, ...(await fetchDue(boss, tx, limit - reserved - first.length, perHost))];
    return fetched.length === 0 ? [] : takeJobs(boss, tx, fetched);
  });
}

/** Fetches what is due; one fetch leaves out jobs of hosts that were full before it, so the rest is found by fetching again. */
async function fetchDue(boss: PgBoss, tx: Transaction, limit: number, perHost: number, minPriority = 0): Promise<Fetched[]> {
  const found: Fetched[] = [];
  while (found.length < limit) {
    const batch = await boss.fetch<JobData>(INGEST, {
      batchSize: limit - found.length,
      groupConcurrency: perHost,
      minPriority,
      includeMetadata: true,
      db: tx,
    });
    if (batch.length === 0) break;
    found.push(...batch);
  }
  return found.sort((a, b) => a.createdOn.getTime() - b.createdOn.getTime() || (a.id < b.id ? -1 : 1));
}

/** Joins fetched jobs with their tiles; a job whose tile needs nothing any more is ended. */
async function takeJobs(boss: PgBoss, tx: Transaction, fetched: readonly Fetched[]): Promise<ClaimedJob[]> {
  const rows = await tx.all<SourceRow>(
    `SELECT t.job_id, t.source_url, t.file_name, t.file_type, t.type FROM tile t
     JOIN unnest($1::text[], $2::text[]) AS wanted (business_id, id) ON t.business_id = wanted.business_id AND t.id = wanted.id
     WHERE t.status = 'processing' AND t.deleted_at IS NULL AND t.job_id IS NOT NULL AND (t.source_url IS NOT NULL OR t.file_name IS NOT NULL)`,
    fetched.map(({ data }) => data.businessId),
    fetched.map(({ data }) => data.tileId),
  );
  const tiles = new Map(rows.map((row) => [row.job_id, row]));
  const taken: ClaimedJob[] = [];
  for (const job of fetched) {
    const tile = tiles.get(job.id);
    if (tile === undefined) await boss.deleteJob(INGEST, job.id, { db: tx });
    else taken.push(claimedJob(job, tile));
  }
  return taken;
}

function claimedJob({ id, data, groupId, retryCount, retryLimit }: Fetched, tile: SourceRow): ClaimedJob {
  const { businessId, boardId, tileId, released, crashes = 0, isSuspect = false } = data;
  return {
    id,
    businessId,
    boardId,
    tileId,
    url: tile.source_url,
    file: tile.file_name === null ? null : { name: tile.file_name, mediaType: tile.file_type ?? "" },
    type: tile.type as TileType,
    host: groupId ?? "",
    attempt: retryCount + 1 - released,
    maxAttempts: retryLimit + 1 - released,
    crashes,
    isSuspect,
    lease: formatLease(id, { retryCount, retryLimit, released }),
  };
}
