import { type Candidate, countPerBusiness, listFullHosts, type RunningCount } from "../../shared/turns/job-picker.ts";
import type { Dialect } from "../driver.ts";
import { all, type Params, type Unit } from "../unit.ts";
import { IS_WAITING } from "./job-rows.ts";

type DueRow = Candidate & { readonly runAt: number; readonly createdAt: number; readonly position: number };

type Search = {
  /** Slots for any business, and slots beyond these for businesses with nothing running. */
  readonly limit: number;
  readonly reserved: number;
  readonly perHost: number;
  readonly running: readonly RunningCount[];
  readonly now: number;
};

type Found = {
  /** The oldest first. Where a business has more due jobs than this claim may take, one more than that is among them. */
  readonly candidates: readonly Candidate[];
  /** Businesses that count as due but have no due job, since those were deleted. */
  readonly idle: readonly string[];
};

/** How many jobs at full hosts are read in the order of age. Behind them, jobs of other hosts are found by their host. */
const SKIPPED_JOBS = 50;
const IS_DUE = `${IS_WAITING} AND run_at <= @now`;

/**
 * Finds the due jobs to choose from, of hosts with free slots. Businesses with nothing running take turns: if there are enough of them for
 * all slots, only two jobs of each are read. Otherwise those with running jobs are read too, with several jobs of each.
 */
export function* findCandidates(dialect: Dialect, { limit, reserved, perHost, running, now }: Search): Unit<Found> {
  const slots = limit + reserved;
  const busy = [...new Set(running.map(({ businessId }) => businessId))];
  const params = { now, full: listFullHosts(running, perHost) };
  const first = yield* listFirst(dialect, { ...params, busy, slots, perBusiness: 2 });
  const waiting = [...new Set(first.map(({ businessId }) => businessId))];
  if (waiting.length >= slots) {
    const next = new Set(waiting.slice(0, slots));
    return { candidates: sortByAge(first.filter(({ businessId }) => next.has(businessId))), idle: [] };
  }
  const searched = limit === 0 ? [] : [...busy, ...waiting];
  const perBusiness = countPerBusiness(limit, searched.length) + 1;
  const oldest = searched.length === 0 ? first : yield* listOldest(dialect, searched, { ...params, perBusiness });
  const found = [...new Set(oldest.map(({ businessId }) => businessId)), ...(limit === 0 ? busy : [])];
  const rest = yield* listHosts(dialect, { ...params, found });
  const behind = rest.filter(({ host }) => host !== null);
  const further = behind.length === 0 ? [] : yield* listAtHosts(dialect, behind, { ...params, perBusiness });
  const idle = rest.filter(({ host, steps }) => host === null && steps === 0).map(({ businessId }) => businessId);
  return { candidates: sortByAge([...oldest, ...further]), idle };
}

const SELECT = `SELECT j.id, d.business_id AS "businessId", j.host, j.run_at AS "runAt", j.created_at AS "createdAt", j.number AS position`;

/** Joins to each row of the table `d` of businesses its oldest due jobs `j` at hosts with free slots. */
function joinOldest({ isAnyOf, joinFirst }: Dialect): string {
  const waiting = `SELECT w.business_id, w.id, w.host, w.run_at, w.created_at, w.number FROM job w
    WHERE w.business_id = d.business_id AND ${IS_DUE}
    ORDER BY w.run_at, w.created_at, w.number LIMIT @perBusiness + ${SKIPPED_JOBS}`;
  return joinFirst(
    "job",
    "j",
    "number",
    `FROM (${waiting}) AS j WHERE NOT (${isAnyOf("j.host", "full")}) ORDER BY j.run_at, j.created_at, j.number LIMIT @perBusiness`,
  );
}

/** Lists the oldest jobs of the businesses with nothing running whose last turn was longest ago, among equals of those that wait longest. */
const listFirst = (dialect: Dialect, params: Params): Unit<DueRow[]> =>
  all<DueRow>(
    `${SELECT} FROM due_business d ${joinOldest(dialect)}
     WHERE d.due_at <= @now AND NOT (${dialect.isAnyOf("d.business_id", "busy")}) ORDER BY d.turn, d.due_at, d.business_id LIMIT @perBusiness * @slots`,
    params,
  );

const listOldest = (dialect: Dialect, businesses: readonly string[], params: Params): Unit<DueRow[]> =>
  all<DueRow>(`${SELECT} FROM ${dialect.rowsOfJson("rows", { business_id: "text" })} AS d ${joinOldest(dialect)}`, {
    ...params,
    rows: JSON.stringify(businesses.map((id) => ({ business_id: id }))),
  });

type HostRow = { readonly businessId: string; readonly host: string | null; readonly steps: number };

/**
 * Finds a host with free slots and due jobs for each due business that has not been found yet, or null. It passes full hosts with an index
 * lookup for each, however many jobs wait there.
 */
function* listHosts({ isAnyOf }: Dialect, params: Params): Unit<HostRow[]> {
  const next = (condition: string): string => `(SELECT min(j.host) FROM job j WHERE ${condition} AND ${IS_DUE})`;
  return yield* all<HostRow>(
    `WITH RECURSIVE step (business_id, host, steps) AS (
       SELECT d.business_id, ${next("j.business_id = d.business_id")}, 0
       FROM due_business d WHERE d.due_at <= @now AND NOT (${isAnyOf("d.business_id", "found")})
       UNION ALL
       SELECT s.business_id, ${next("j.business_id = s.business_id AND j.host > s.host")}, s.steps + 1
       FROM step s WHERE ${isAnyOf("s.host", "full")})
     SELECT business_id AS "businessId", host, steps FROM step WHERE host IS NULL OR NOT (${isAnyOf("host", "full")})`,
    params,
  );
}

/** Lists the oldest jobs of each of these businesses at this host. */
function* listAtHosts(dialect: Dialect, hosts: readonly HostRow[], params: Params): Unit<DueRow[]> {
  const { joinFirst, rowsOfJson } = dialect;
  const oldest = joinFirst(
    "job",
    "j",
    "number",
    `FROM job j WHERE j.business_id = d.business_id AND j.host = d.host AND ${IS_DUE}
     ORDER BY j.run_at, j.created_at, j.number LIMIT @perBusiness`,
  );
  const rows = JSON.stringify(hosts.map(({ businessId, host }) => ({ business_id: businessId, host })));
  return yield* all<DueRow>(`${SELECT} FROM ${rowsOfJson("rows", { business_id: "text", host: "text" })} AS d ${oldest}`, {
    ...params,
    rows,
  });
}

const sortByAge = (rows: readonly DueRow[]): readonly Candidate[] =>
  [...rows].sort((a, b) => a.runAt - b.runAt || a.createdAt - b.createdAt || a.position - b.position);
