import { countPerBusiness, MAX_SEARCHED_JOBS } from "../../shared/turns/job-picker.ts";
import type { Transaction } from "../engine/transaction.ts";
import { BOSS_SCHEMA, INGEST } from "./boss.ts";
import { IS_DUE, JOBS } from "./conditions.ts";

export type CandidateRow = { readonly id: string; readonly businessId: string; readonly host: string };

type DueRow = CandidateRow & { readonly createdOn: Date };

const COLUMNS = `id, data ->> 'businessId' AS "businessId", group_id AS host, created_on AS "createdOn"`;

const OLDEST = `SELECT ${COLUMNS} ${JOBS} AND ${IS_DUE} AND group_id <> ALL ($1::text[]) ORDER BY priority DESC, created_on LIMIT $2`;

const OWNERS = `
  WITH RECURSIVE owner (id) AS (
    SELECT min(business_id) FROM tile WHERE status = 'processing'
    UNION ALL
    SELECT (SELECT min(t.business_id) FROM tile t WHERE t.status = 'processing' AND t.business_id > owner.id)
    FROM owner WHERE owner.id IS NOT NULL
  ) SELECT id FROM owner WHERE id IS NOT NULL`;

const OLDEST_OF_BUSINESSES = `
  SELECT oldest.* FROM unnest($1::text[]) AS owner (id) CROSS JOIN LATERAL (
    SELECT j.id, owner.id AS "businessId", j.group_id AS host, j.created_on AS "createdOn"
    FROM (SELECT job_id FROM tile WHERE business_id = owner.id AND status = 'processing' ORDER BY id LIMIT ${MAX_SEARCHED_JOBS}) t
    JOIN ${BOSS_SCHEMA}.job j ON j.name = '${INGEST}' AND j.id = t.job_id
    WHERE ${IS_DUE} AND j.group_id <> ALL ($2::text[])
    ORDER BY j.created_on, j.id LIMIT $3
  ) oldest`;

/**
 * Finds due jobs of hosts with free slots, oldest first: the oldest of all, and those of each business, so that a long backlog hides nobody's
 * jobs. It is never read completely. A `limit` of 0 reads jobs of businesses with nothing running only.
 */
export async function findCandidates(
  tx: Transaction,
  limit: number,
  running: ReadonlySet<string>,
  fullHosts: readonly string[],
): Promise<CandidateRow[]> {
  const owners = (await tx.all<{ id: string }>(OWNERS)).map(({ id }) => id);
  const rows = limit > 0 ? await tx.all<DueRow>(OLDEST, fullHosts, limit) : [];
  // A single business needs no second search, unless only a reserved slot is free.
  const searched = limit === 0 ? owners.filter((owner) => !running.has(owner)) : owners.length > 1 ? owners : [];
  if (searched.length > 0)
    rows.push(...(await tx.all<DueRow>(OLDEST_OF_BUSINESSES, searched, fullHosts, countPerBusiness(limit, owners.length))));
  const unique = [...new Map(rows.map((row) => [row.id, row])).values()];
  return unique.sort((a, b) => a.createdOn.getTime() - b.createdOn.getTime() || (a.id < b.id ? -1 : 1));
}
