import { LEASE_MS, MAX_RETRY_DELAY_MS } from "#domain/content/job.ts";
import { BOSS_SCHEMA, INGEST } from "./boss.ts";

export const JOBS = `FROM ${BOSS_SCHEMA}.job WHERE name = '${INGEST}'`;
/** The clock of the queue: that of the database, or a replacement in tests. */
export const NOW = `${BOSS_SCHEMA}.job_now()`;
/** The job is claimed, exactly as in the partial index of pg-boss. */
export const IS_ACTIVE = "state = 'active' AND group_id IS NOT NULL";
/** The lease has expired, or it ends so late that it was taken while the clock was ahead. */
export const IS_OVERDUE = `${IS_ACTIVE} AND (heartbeat_on < ${NOW} - interval '${LEASE_MS} milliseconds'
  OR heartbeat_on > ${NOW} + interval '${2 * LEASE_MS} milliseconds')`;
/** The job is due so late that it was scheduled while the clock was ahead. */
export const IS_AHEAD = `state < 'active' AND start_after > ${NOW} + interval '${MAX_RETRY_DELAY_MS + 60_000} milliseconds'`;
export const IS_WAITING = "state < 'active' AND NOT blocked";
export const IS_DUE = `${IS_WAITING} AND start_after <= ${NOW}`;
