import { type Candidate, countPerBusiness, listFullHosts, MAX_SEARCHED_JOBS, type RunningCount } from "../../shared/turns/job-picker.ts";
import type { Dialect } from "../driver.ts";
import { all, type Params, type Unit } from "../unit.ts";
import { IS_WAITING } from "./job-rows.ts";

type DueRow = Candidate & { readonly runAt: number; readonly createdAt: number; readonly position: number };

export type Search = {
  /** Slots for any business, and slots beyond these for businesses with nothing running. */
  readonly limit: number;
  readonly reserved: number;
  readonly perHost: number;
  readonly running: readonly RunningCount[];
  readonly now: number;
};

export type Found = {
  /** The oldest first. */
  readonly candidates: readonly Candidate[];
  /** Whether every business with due work was looked at. */
  readonly isComplete: boolean;
};

/** Joins to each row of the table `d` of businesses its oldest due jobs `j` at hosts with free slots. A long backlog is never read completely. */
function joinOldest({ insertionOrder, isAnyOf, joinFirst }: Dialect): string {
  const waiting = `SELECT w.business_id, w.id, w.host, w.run_at, w.created_at, w.${insertionOrder} AS ${insertionOrder} FROM job w
    WHERE w.business_id = d.business_id AND ${IS_WAITING} AND w.run_at <= @now
    ORDER BY w.run_at, w.created_at, w.${insertionOrder} LIMIT ${MAX_SEARCHED_JOBS}`;
  return joinFirst(
    "job",
    "j",
    `FROM (${waiting}) AS j WHERE NOT (${isAnyOf("j.host", "full")}) ORDER BY j.run_at, j.created_at, j.${insertionOrder} LIMIT @perBusiness`,
  );
}

const selectDue = ({ insertionOrder }: Dialect): string =>
  `SELECT j.id, d.business_id AS "businessId", j.host, j.run_at AS "runAt", j.created_at AS "createdAt", j.${insertionOrder} AS position`;

/**
 * Finds the due jobs to choose from, of hosts with free slots. Businesses with nothing running have the first turn: if there are enough of
 * them for all slots, only the oldest job of each is read. Otherwise those with running jobs are read too, with several jobs of each.
 */
export function* findCandidates(dialect: Dialect, { limit, reserved, perHost, running, now }: Search): Unit<Found> {
  const slots = limit + reserved;
  const busy = [...new Set(running.map(({ businessId }) => businessId))];
  const params = { now, full: listFullHosts(running, perHost) };
  const idle = yield* all<DueRow>(
    `${selectDue(dialect)} FROM due_business d ${joinOldest(dialect)}
     WHERE d.due_at <= @now AND NOT (${dialect.isAnyOf("d.business_id", "busy")}) ORDER BY d.due_at, d.business_id LIMIT @slots`,
    { ...params, busy, slots, perBusiness: 1 },
  );
  const isComplete = idle.length < slots;
  if (!isComplete || limit === 0) return { candidates: sortByAge(idle), isComplete };
  const businesses = [...busy, ...idle.map(({ businessId }) => businessId)];
  return { candidates: sortByAge(yield* listOldest(dialect, businesses, countPerBusiness(limit, businesses.length), params)), isComplete };
}

function* listOldest(dialect: Dialect, businesses: readonly string[], perBusiness: number, params: Params): Unit<DueRow[]> {
  if (businesses.length === 0) return [];
  const rows = JSON.stringify(businesses.map((id) => ({ business_id: id })));
  return yield* all<DueRow>(
    `${selectDue(dialect)} FROM ${dialect.rowsOfJson("rows", { business_id: "text" })} AS d ${joinOldest(dialect)}`,
    { ...params, rows, perBusiness },
  );
}

const sortByAge = (rows: readonly DueRow[]): readonly Candidate[] =>
  [...rows].sort((a, b) => a.runAt - b.runAt || a.createdAt - b.createdAt || a.position - b.position);
