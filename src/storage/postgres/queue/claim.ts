import type { JobWithMetadata, PgBoss } from "pg-boss";
import type { ClaimedJob } from "#domain/content/job.ts";
import { type SourceRow, toSource } from "../../sql/background/tile-jobs.ts";
import type { Database } from "../engine/database.ts";
import type { Transaction } from "../engine/transaction.ts";
import { INGEST } from "./boss.ts";
import { fetchOfIdleBusinesses } from "./idle-businesses.ts";
import { formatLease } from "./lease.ts";
import type { JobData } from "./tile-jobs.ts";

/** The advisory lock that serialises the claims of all nodes, so that together they respect the limit of each host. */
const CLAIM_LOCK = 8_264_017_353;

type Fetched = JobWithMetadata<JobData>;

/** Claims jobs as `Queue.claim` does. */
export function claim(db: Database, boss: PgBoss, limit: number, perHost: number, reservedSlots: number): Promise<ClaimedJob[]> {
  return db.write(async (tx) => {
    await tx.run("SELECT pg_advisory_xact_lock($1)", CLAIM_LOCK);
    const ofIdleBusinesses = await fetchOfIdleBusinesses(tx, limit, perHost, (max, priority) => fetchDue(boss, tx, max, perHost, priority));
    const first = [...ofIdleBusinesses, ...(await fetchDue(boss, tx, limit - ofIdleBusinesses.length, 1))];
    const rest = perHost === 1 ? [] : await fetchDue(boss, tx, limit - reservedSlots - first.length, perHost);
    const fetched = [...first, ...rest];
    return fetched.length === 0 ? [] : joinTiles(boss, tx, fetched);
  });
}

/** Fetches due jobs, oldest first. A single fetch skips jobs of hosts at their limit, so it is repeated until it returns none. */
async function fetchDue(boss: PgBoss, tx: Transaction, limit: number, perHost: number, minPriority = 0): Promise<Fetched[]> {
  const jobs: Fetched[] = [];
  while (jobs.length < limit) {
    const batch = await boss.fetch<JobData>(INGEST, {
      batchSize: limit - jobs.length,
      groupConcurrency: perHost,
      minPriority,
      includeMetadata: true,
      db: tx,
    });
    if (batch.length === 0) break;
    jobs.push(...batch);
  }
  return jobs.sort((a, b) => a.createdOn.getTime() - b.createdOn.getTime() || (a.id < b.id ? -1 : 1));
}

/** Joins fetched jobs with their tiles. Deletes jobs whose tile no longer needs them. */
async function joinTiles(boss: PgBoss, tx: Transaction, fetched: readonly Fetched[]): Promise<ClaimedJob[]> {
  const rows = await tx.all<SourceRow & { readonly job_id: string }>(
    `SELECT t.job_id, t.source_url, t.file_name, t.file_type, t.type FROM tile t
     JOIN unnest($1::text[], $2::text[]) AS wanted (business_id, id) ON t.business_id = wanted.business_id AND t.id = wanted.id
     WHERE t.status = 'processing' AND t.deleted_at IS NULL AND t.job_id IS NOT NULL AND (t.source_url IS NOT NULL OR t.file_name IS NOT NULL)`,
    fetched.map(({ data }) => data.businessId),
    fetched.map(({ data }) => data.tileId),
  );
  const tiles = new Map(rows.map((row) => [row.job_id, row]));
  const claimed: ClaimedJob[] = [];
  for (const job of fetched) {
    const tile = tiles.get(job.id);
    if (tile === undefined) await boss.deleteJob(INGEST, job.id, { db: tx });
    else claimed.push(toClaimedJob(job, tile));
  }
  return claimed;
}

function toClaimedJob({ id, data, groupId, retryCount, retryLimit }: Fetched, tile: SourceRow): ClaimedJob {
  const { businessId, boardId, tileId, released, crashes = 0, isSuspect = false } = data;
  return {
    id,
    businessId,
    boardId,
    tileId,
    ...toSource(tile),
    host: groupId ?? "",
    attempt: retryCount + 1 - released,
    maxAttempts: retryLimit + 1 - released,
    crashes,
    isSuspect,
    lease: formatLease(id, { retryCount, retryLimit, released }),
  };
}
