import { LEASE_MS, MAX_RETRY_DELAY_MS } from "#domain/content/job.ts";
import { BOSS_SCHEMA, INGEST } from "./boss.ts";

export const JOBS = `FROM ${BOSS_SCHEMA}.job WHERE name = '${INGEST}'`;
/** The clock of the queue: the database's, or the one that tests move. */
export const NOW = `${BOSS_SCHEMA}.job_now()`;
/** Claimed, as the partial index of pg-boss states it. */
export const IS_ACTIVE = "state = 'active' AND group_id IS NOT NULL";
/** The lease ran out, or is further away than any that is given: the clock was ahead. */
export const IS_OVERDUE = `${IS_ACTIVE} AND (heartbeat_on < ${NOW} - interval '${LEASE_MS} milliseconds'
  OR heartbeat_on > ${NOW} + interval '${2 * LEASE_MS} milliseconds')`;
/** Waits for longer than any attempt does: the database's clock was ahead when it was planned. */
export const IS_AHEAD = `state < 'active' AND start_after > ${NOW} + interval '${MAX_RETRY_DELAY_MS + 60_000} milliseconds'`;
export const IS_WAITING = "state < 'active' AND NOT blocked";
export const IS_DUE = `${IS_WAITING} AND start_after <= ${NOW}`;
