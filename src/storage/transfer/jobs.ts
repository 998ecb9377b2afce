import type { PgBoss } from "pg-boss";
import { BOSS_SCHEMA, INGEST } from "../postgres/queue/boss.ts";
import type { Transaction } from "../postgres/engine/transaction.ts";
import { newJobId } from "../postgres/queue/job-id.ts";
import type { JobData } from "../postgres/queue/tile-jobs.ts";
import type { PortableRow } from "./rows.ts";

type JobRow = {
  readonly business_id: string;
  readonly tile_id: string;
  readonly board_id: string;
  readonly host: string;
  readonly run_at: number;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly created_at: number;
};

/**
 * Queues jobs for existing tiles. The queue counts attempts from zero, so earlier attempts are stored as a negative `released`. A job
 * whose last attempt was running is queued as active with an expired lease, so the next claim fails its tile, as in the source.
 */
export async function putJobs(tx: Transaction, boss: PgBoss, rows: readonly PortableRow[]): Promise<void> {
  const jobs = (rows as readonly JobRow[]).map((row) => {
    const isSpent = row.attempts >= row.max_attempts;
    const before = isSpent ? row.attempts - 1 : row.attempts;
    return { row, isSpent, before, id: newJobId() };
  });
  await boss.insert(
    INGEST,
    jobs.map(({ row, before, id }) => {
      const data: JobData = { businessId: row.business_id, boardId: row.board_id, tileId: row.tile_id, released: -before };
      return {
        id,
        data,
        retryLimit: row.max_attempts - 1 - before,
        startAfter: new Date(row.run_at),
        ...(row.host === "" ? {} : { group: { id: row.host } }),
      };
    }),
    { db: tx },
  );
  const [ids, businesses, tiles] = [
    jobs.map(({ id }) => id),
    jobs.map(({ row }) => row.business_id),
    jobs.map(({ row }) => row.tile_id),
  ] as const;
  // Jobs are claimed in the order of their creation, so keep the original time.
  await tx.run(
    `UPDATE ${BOSS_SCHEMA}.job j SET created_on = to_timestamp(made.at / 1000.0)
     FROM unnest($1::uuid[], $2::bigint[]) AS made (id, at) WHERE j.name = '${INGEST}' AND j.id = made.id`,
    ids,
    jobs.map(({ row }) => row.created_at),
  );
  await tx.run(
    `UPDATE ${BOSS_SCHEMA}.job SET state = 'active', started_on = start_after, heartbeat_on = 'epoch'
     WHERE name = '${INGEST}' AND id = ANY($1::uuid[])`,
    jobs.filter(({ isSpent }) => isSpent).map(({ id }) => id),
  );
  await tx.run(
    `UPDATE tile t SET job_id = made.id FROM unnest($1::uuid[], $2::text[], $3::text[]) AS made (id, business_id, tile_id)
     WHERE t.business_id = made.business_id AND t.id = made.tile_id`,
    ids,
    businesses,
    tiles,
  );
}
