import type { PgBoss } from "pg-boss";
import type { ClaimedJob } from "#domain/content/job.ts";
import { type ClaimLimits, type JobPicker, listFullHosts, type RunningCount } from "../../shared/turns/job-picker.ts";
import { type SourceRow, toSource } from "../../sql/background/tile-jobs.ts";
import type { Database } from "../engine/database.ts";
import type { Transaction } from "../engine/transaction.ts";
import { BOSS_SCHEMA, INGEST } from "./boss.ts";
import { findCandidates } from "./candidates.ts";
import { IS_ACTIVE, IS_DUE, JOBS, NOW } from "./conditions.ts";
import { formatLease } from "./lease.ts";
import type { JobData } from "./tile-jobs.ts";

/** The advisory lock that serialises the claims of all nodes, so that together they respect the limit of each host. */
const CLAIM_LOCK = 8_264_017_353;

type LeasedRow = {
  readonly id: string;
  readonly data: JobData;
  readonly host: string;
  readonly retryCount: number;
  readonly retryLimit: number;
};

const RUNNING = `SELECT data ->> 'businessId' AS "businessId", group_id AS host, count(*)::int AS count ${JOBS} AND ${IS_ACTIVE} GROUP BY 1, 2`;

/** Changes the columns that pg-boss changes when it fetches a job; it can't fetch jobs by id. */
const LEASE = `UPDATE ${BOSS_SCHEMA}.job SET state = 'active', started_on = ${NOW}, heartbeat_on = ${NOW},
    retry_count = CASE WHEN started_on IS NOT NULL THEN retry_count + 1 ELSE retry_count END
  WHERE name = '${INGEST}' AND id = ANY ($1::uuid[]) AND ${IS_DUE}
  RETURNING id, data, group_id AS host, retry_count AS "retryCount", retry_limit AS "retryLimit"`;

/** Claims jobs as `Queue.claim` does. */
export function claim(db: Database, boss: PgBoss, picker: JobPicker, limits: ClaimLimits): Promise<ClaimedJob[]> {
  return db.write(async (tx) => {
    await tx.run("SELECT pg_advisory_xact_lock($1)", CLAIM_LOCK);
    const running = await tx.all<RunningCount>(RUNNING);
    const busy = new Set(running.map(({ businessId }) => businessId));
    const candidates = await findCandidates(tx, limits.limit, busy, listFullHosts(running, limits.perHost));
    const ids = picker.pick(candidates, running, limits).map(({ id }) => id);
    if (ids.length === 0) return [];
    const leased = new Map((await tx.all<LeasedRow>(LEASE, ids)).map((row) => [row.id, row]));
    return joinTiles(
      boss,
      tx,
      ids.flatMap((id) => leased.get(id) ?? []),
    );
  });
}

/** Joins leased jobs with their tiles. Deletes jobs whose tile no longer needs them. */
async function joinTiles(boss: PgBoss, tx: Transaction, leased: readonly LeasedRow[]): Promise<ClaimedJob[]> {
  const rows = await tx.all<SourceRow & { readonly job_id: string }>(
    `SELECT t.job_id, t.source_url, t.file_name, t.file_type, t.type FROM tile t
     JOIN unnest($1::text[], $2::text[]) AS wanted (business_id, id) ON t.business_id = wanted.business_id AND t.id = wanted.id
     WHERE t.status = 'processing' AND t.deleted_at IS NULL AND t.job_id IS NOT NULL AND (t.source_url IS NOT NULL OR t.file_name IS NOT NULL)`,
    leased.map(({ data }) => data.businessId),
    leased.map(({ data }) => data.tileId),
  );
  const tiles = new Map(rows.map((row) => [row.job_id, row]));
  const claimed: ClaimedJob[] = [];
  for (const job of leased) {
    const tile = tiles.get(job.id);
    if (tile === undefined) await boss.deleteJob(INGEST, job.id, { db: tx });
    else claimed.push(toClaimedJob(job, tile));
  }
  return claimed;
}

function toClaimedJob({ id, data, host, retryCount, retryLimit }: LeasedRow, tile: SourceRow): ClaimedJob {
  const { businessId, boardId, tileId, released, crashes = 0, isSuspect = false } = data;
  return {
    id,
    businessId,
    boardId,
    tileId,
    ...toSource(tile),
    host,
    attempt: retryCount + 1 - released,
    maxAttempts: retryLimit + 1 - released,
    crashes,
    isSuspect,
    lease: formatLease(id, { retryCount, retryLimit, released }),
  };
}
