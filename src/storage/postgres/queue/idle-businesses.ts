import type { Transaction } from "../engine/transaction.ts";
import { BOSS_SCHEMA, INGEST } from "./boss.ts";
import { IS_ACTIVE, IS_DUE, JOBS } from "./conditions.ts";

/** Maximum number of processing tiles of a business that are searched for its oldest due job. */
const MAX_CANDIDATES = 500;

const FIND = `
  WITH RECURSIVE owner (id) AS (
    SELECT min(business_id) FROM tile WHERE status = 'processing'
    UNION ALL
    SELECT (SELECT min(t.business_id) FROM tile t WHERE t.status = 'processing' AND t.business_id > owner.id)
    FROM owner WHERE owner.id IS NOT NULL
  ), running AS (SELECT DISTINCT data ->> 'businessId' AS id ${JOBS} AND ${IS_ACTIVE})
  SELECT oldest.id FROM owner CROSS JOIN LATERAL (
    SELECT j.id, j.created_on
    FROM (SELECT job_id FROM tile WHERE business_id = owner.id AND status = 'processing' ORDER BY id LIMIT ${MAX_CANDIDATES}) t
    JOIN ${BOSS_SCHEMA}.job j ON j.name = '${INGEST}' AND j.id = t.job_id
    WHERE ${IS_DUE} AND (SELECT count(*) ${JOBS} AND ${IS_ACTIVE} AND group_id = j.group_id) < $1
    ORDER BY j.created_on, j.id LIMIT 1
  ) oldest
  WHERE owner.id IS NOT NULL AND owner.id NOT IN (SELECT id FROM running) AND (SELECT count(id) FROM owner) > 1
  ORDER BY oldest.created_on, oldest.id LIMIT $2`;

/**
 * Lets `fetch` take the oldest due job of each business that has nothing running, at most `limit`; none while only one business has jobs.
 * pg-boss selects jobs by priority, not by id, so the priority of these is raised during the call. The claim lock must be held.
 */
export async function fetchOfIdleBusinesses<Job>(
  tx: Transaction,
  limit: number,
  perHost: number,
  fetch: (limit: number, minPriority: number) => Promise<Job[]>,
): Promise<Job[]> {
  const ids = (await tx.all<{ id: string }>(FIND, perHost, limit)).map(({ id }) => id);
  if (ids.length === 0) return [];
  const setPriority = `UPDATE ${BOSS_SCHEMA}.job SET priority = $1 WHERE name = '${INGEST}' AND id = ANY ($2::uuid[])`;
  await tx.run(setPriority, 1, ids);
  const jobs = await fetch(ids.length, 1);
  await tx.run(setPriority, 0, ids);
  return jobs;
}
