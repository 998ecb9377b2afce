import { type Candidate, countPerBusiness, listFullHosts, type RunningCount } from "../../shared/turns/job-picker.ts";
import type { Dialect } from "../driver.ts";
import { all, type Params, type Unit } from "../unit.ts";
import { IS_WAITING } from "./job-rows.ts";

type DueRow = Candidate & { readonly runAt: number; readonly createdAt: number; readonly position: number };

type Slots = {
  /** Slots for any business, and slots beyond these for businesses with nothing running. */
  readonly limit: number;
  readonly reserved: number;
  readonly perHost: number;
  readonly running: readonly RunningCount[];
  readonly now: number;
};

/** `full` are the hosts without a free slot. */
type Search = { readonly now: number; readonly full: readonly string[] };

type Found = {
  /** The oldest first. Where a business has more due jobs than this claim may take, one more than that is among them. */
  readonly candidates: readonly Candidate[];
  /** Businesses that count as due but have no due job, since those were deleted. */
  readonly idle: readonly string[];
};

/** How many jobs at full hosts are read in the order of age. Behind them, jobs of other hosts are found by their host. */
const SKIPPED_JOBS = 50;
/** How many due businesses one statement searches for a host with free slots. */
const BATCH_BUSINESSES = 100;
const IS_DUE = `${IS_WAITING} AND run_at <= @now`;

/**
 * Finds the due jobs to choose from, of hosts with free slots. Businesses with nothing running take turns: if there are enough of them for
 * all slots, only two jobs of each are read. Otherwise those with running jobs are read too, with several jobs of each.
 */
export function* findCandidates(dialect: Dialect, { limit, reserved, perHost, running, now }: Slots): Unit<Found> {
  const slots = limit + reserved;
  const search = { now, full: listFullHosts(running, perHost) };
  const busy = new Set(running.map(({ businessId }) => businessId));
  const next = yield* listNext(dialect, search, [...busy], slots);
  if (new Set(next.map(({ businessId }) => businessId)).size === slots) return { candidates: sortByAge(next), idle: [] };

  const due = yield* listDue(dialect, search, busy, slots);
  const unserved = due.filter((row) => isClaimable(row) && !busy.has(row.businessId)).slice(0, slots);
  const served = unserved.length < slots && limit > 0 ? due.filter((row) => isClaimable(row) && busy.has(row.businessId)) : [];
  const hosts = [...unserved, ...served];
  const perBusiness = unserved.length === slots ? 2 : countPerBusiness(limit, hosts.length) + 1;
  const oldest = hosts.length === 0 ? [] : yield* listOldest(dialect, search, hosts, perBusiness);
  const found = new Set(oldest.map(({ businessId }) => businessId));
  const behind = hosts.filter(({ businessId }) => !found.has(businessId));
  const jobs = behind.length === 0 ? [] : yield* listAtHosts(dialect, search, behind, perBusiness);
  const idle = due.filter(({ host, steps }) => host === null && steps === 0).map(({ businessId }) => businessId);
  return { candidates: sortByAge([...oldest, ...jobs]), idle };
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

/** The business whose last turn was longest ago is the first, among equals the one that waits longest. */
const TURNS = "d.turn, d.due_at, d.business_id";

/** Lists the two oldest jobs of each of the next `slots` businesses with nothing running. Those whose oldest jobs are at full hosts have none. */
const listNext = (dialect: Dialect, search: Search, busy: readonly string[], slots: number): Unit<DueRow[]> =>
  all<DueRow>(
    `${SELECT} FROM (SELECT d.business_id FROM due_business d
       WHERE d.due_at <= @now AND NOT (${dialect.isAnyOf("d.business_id", "busy")}) ORDER BY ${TURNS} LIMIT @slots) AS d ${joinOldest(dialect)}`,
    { ...search, busy, slots, perBusiness: 2 },
  );

type HostRow = {
  readonly businessId: string;
  readonly turn: number;
  readonly dueAt: number;
  /** A host with free slots and due jobs of the business; null if there is none. */
  readonly host: string | null;
  /** How many full hosts have due jobs of the business before that. */
  readonly steps: number;
};

const isClaimable = ({ host }: HostRow): boolean => host !== null;

/** Lists due businesses in turn, until there are enough for `slots` with a host and nothing running. */
function* listDue(dialect: Dialect, search: Search, busy: ReadonlySet<string>, slots: number): Unit<HostRow[]> {
  const due: HostRow[] = [];
  for (let after = { turn: -1, dueAt: 0, businessId: "" }, unserved = 0; ;) {
    const batch = yield* listHosts(dialect, { ...search, ...after });
    due.push(...batch);
    unserved += batch.filter((row) => isClaimable(row) && !busy.has(row.businessId)).length;
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH_BUSINESSES || unserved >= slots) return due;
    after = { turn: last.turn, dueAt: last.dueAt, businessId: last.businessId };
  }
}

/** Finds a host for each of the next due businesses. It passes full hosts with an index lookup for each, however many jobs wait there. */
function listHosts({ isAnyOf }: Dialect, params: Params): Unit<HostRow[]> {
  // The first condition on a host is always true. Without it, SQLite would read all due jobs of the business.
  const next = (condition: string): string => `(SELECT min(j.host) FROM job j WHERE ${condition} AND ${IS_DUE})`;
  return all<HostRow>(
    `WITH RECURSIVE due (business_id, turn, due_at) AS (
       SELECT d.business_id, d.turn, d.due_at FROM due_business d
       WHERE d.due_at <= @now AND (${TURNS}) > (@turn, @dueAt, @businessId) ORDER BY ${TURNS} LIMIT ${BATCH_BUSINESSES}),
     step (business_id, turn, due_at, host, steps) AS (
       SELECT d.business_id, d.turn, d.due_at, ${next("j.business_id = d.business_id AND j.host >= ''")}, 0 FROM due d
       UNION ALL
       SELECT s.business_id, s.turn, s.due_at, ${next("j.business_id = s.business_id AND j.host > s.host")}, s.steps + 1
       FROM step s WHERE ${isAnyOf("s.host", "full")})
     SELECT d.business_id AS "businessId", d.turn, d.due_at AS "dueAt", d.host, d.steps FROM step d
     WHERE d.host IS NULL OR NOT (${isAnyOf("d.host", "full")}) ORDER BY ${TURNS}`,
    params,
  );
}

/** The hosts as the table `d`. */
const fromHosts = ({ rowsOfJson }: Dialect): string => `FROM ${rowsOfJson("rows", { business_id: "text", host: "text" })} AS d`;
const toRows = (hosts: readonly HostRow[]): string =>
  JSON.stringify(hosts.map(({ businessId, host }) => ({ business_id: businessId, host })));

/** Lists the oldest jobs of each of these businesses. */
const listOldest = (dialect: Dialect, search: Search, hosts: readonly HostRow[], perBusiness: number): Unit<DueRow[]> =>
  all<DueRow>(`${SELECT} ${fromHosts(dialect)} ${joinOldest(dialect)}`, { ...search, perBusiness, rows: toRows(hosts) });

/** Lists the oldest jobs of each of these businesses at this host. */
function listAtHosts(dialect: Dialect, { now }: Search, hosts: readonly HostRow[], perBusiness: number): Unit<DueRow[]> {
  const oldest = dialect.joinFirst(
    "job",
    "j",
    "number",
    `FROM job j WHERE j.business_id = d.business_id AND j.host = d.host AND ${IS_DUE}
     ORDER BY j.run_at, j.created_at, j.number LIMIT @perBusiness`,
  );
  return all<DueRow>(`${SELECT} ${fromHosts(dialect)} ${oldest}`, { now, perBusiness, rows: toRows(hosts) });
}

const sortByAge = (rows: readonly DueRow[]): readonly Candidate[] =>
  [...rows].sort((a, b) => a.runAt - b.runAt || a.createdAt - b.createdAt || a.position - b.position);
