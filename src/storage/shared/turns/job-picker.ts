import { LRUCache } from "lru-cache";

/** A due job, or a waiting delivery. The host is what it shares with others: for a delivery, the business itself. */
export type Candidate = { readonly id: string; readonly businessId: string; readonly host: string };

/** How many jobs of a business run at a host. */
export type RunningCount = { readonly businessId: string; readonly host: string; readonly count: number };

export type ClaimLimits = {
  /** Slots for any business. */
  readonly limit: number;
  /** Slots beyond these, for businesses with nothing running. */
  readonly reserved: number;
  readonly perHost: number;
};

/** Chooses jobs by the one rule of all shared resources: whoever has the fewest running goes first. */
export type JobPicker = {
  /**
   * Returns the candidates to run now. Each slot goes to the business with the fewest running jobs, for its oldest job with a free slot of
   * its host; among equals, to the oldest job. The slots of a host go to the businesses in the same way: to the one with the fewest running
   * there, among equals to the one whose last turn was longest ago. A reserved slot only goes to a business with nothing running. Candidates are ordered by age.
   */
  pick(candidates: readonly Candidate[], running: readonly RunningCount[], limits: ClaimLimits): Candidate[];
};

/** Maximum number of businesses, at each host, whose last turn is remembered. */
const MAX_TURNS = 10_000;

/** How many candidates of all businesses suffice. */
const MAX_CANDIDATES = 500;

/** Returns how many jobs of each business are candidates for `limit` slots. With many businesses, few of each suffice. */
export const countPerBusiness = (limit: number, businesses: number): number =>
  Math.max(1, Math.min(limit, Math.floor(MAX_CANDIDATES / Math.max(1, businesses))));

export function createJobPicker(): JobPicker {
  const turns = new LRUCache<string, number>({ max: MAX_TURNS });
  return { pick: (candidates, running, limits) => new Selection(candidates, running, limits, turns).pick() };
}

/** Lists the hosts whose slots are all taken. */
export function listFullHosts(running: readonly RunningCount[], perHost: number): string[] {
  const counts = new Counts();
  for (const { host, count } of running) counts.add(host, count);
  return counts.keys().filter((host) => counts.get(host) >= perHost);
}

class Counts {
  readonly #counts = new Map<string, number>();

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, count = 1): void {
    this.#counts.set(key, this.get(key) + count);
  }

  keys(): string[] {
    return [...this.#counts.keys()];
  }
}

let lastTurn = 0;

const atHost = (businessId: string, host: string): string => `${businessId} ${host}`;

class Selection {
  readonly #limits: ClaimLimits;
  readonly #turns: LRUCache<string, number>;
  readonly #ofBusiness = new Counts();
  readonly #ofHost = new Counts();
  readonly #ofBusinessAtHost = new Counts();
  /** The waiting jobs of each business, and its waiting businesses of each host; the oldest first. */
  readonly #waiting = new Map<string, Candidate[]>();
  readonly #waitingAtHost = new Map<string, Set<string>>();

  constructor(candidates: readonly Candidate[], running: readonly RunningCount[], limits: ClaimLimits, turns: LRUCache<string, number>) {
    this.#limits = limits;
    this.#turns = turns;
    for (const { businessId, host, count } of running) this.#count(businessId, host, count);
    for (const job of candidates) {
      const jobs = this.#waiting.get(job.businessId);
      if (jobs === undefined) this.#waiting.set(job.businessId, [job]);
      else jobs.push(job);
      this.#waitingAtHost.set(job.host, (this.#waitingAtHost.get(job.host) ?? new Set()).add(job.businessId));
    }
  }

  pick(): Candidate[] {
    const { limit, reserved } = this.#limits;
    const picked: Candidate[] = [];
    while (picked.length < limit + reserved) {
      const isReserved = picked.length >= limit;
      const next = this.#findNext(isReserved);
      if (next === undefined) break;
      const job = this.#takeTurn(next.host, isReserved);
      if (job === undefined) break;
      picked.push(job);
    }
    return picked;
  }

  /** Returns the oldest job, with a free slot of its host, of the business with the fewest running jobs. */
  #findNext(isReserved: boolean): Candidate | undefined {
    let best: { readonly job: Candidate; readonly running: number } | undefined;
    for (const [businessId, jobs] of this.#waiting) {
      const running = this.#ofBusiness.get(businessId);
      if (!this.#mayServe(businessId, isReserved) || (best !== undefined && running >= best.running)) continue;
      const job = jobs.find(({ host }) => this.#ofHost.get(host) < this.#limits.perHost);
      if (job !== undefined) best = { job, running };
    }
    return best?.job;
  }

  /** Takes the oldest job at this host of the business whose turn it is there. */
  #takeTurn(host: string, isReserved: boolean): Candidate | undefined {
    const owners = this.#waitingAtHost.get(host) ?? new Set<string>();
    const allowed = [...owners].filter((businessId) => this.#mayServe(businessId, isReserved));
    const [owner] = allowed.sort((one, other) => this.#compareAtHost(host, one, other));
    const jobs = this.#waiting.get(owner ?? "") ?? [];
    const index = jobs.findIndex((job) => job.host === host);
    const [job] = index < 0 ? [] : jobs.splice(index, 1);
    if (job === undefined) return undefined;
    this.#count(job.businessId, host, 1);
    this.#turns.set(atHost(job.businessId, host), ++lastTurn);
    if (!jobs.some((other) => other.host === host)) owners.delete(job.businessId);
    return job;
  }

  /** A reserved slot is for a business with nothing running. */
  #mayServe(businessId: string, isReserved: boolean): boolean {
    return !isReserved || this.#ofBusiness.get(businessId) === 0;
  }

  #compareAtHost(host: string, one: string, other: string): number {
    const running = (business: string): number => this.#ofBusinessAtHost.get(atHost(business, host));
    const turn = (business: string): number => this.#turns.get(atHost(business, host)) ?? 0;
    return running(one) - running(other) || turn(one) - turn(other);
  }

  #count(businessId: string, host: string, count: number): void {
    this.#ofBusiness.add(businessId, count);
    this.#ofHost.add(host, count);
    this.#ofBusinessAtHost.add(atHost(businessId, host), count);
  }
}
