/** How many failures are counted under a name, and when the next attempt may be made; times in milliseconds since the epoch. */
export type ThrottleEntry = {
  readonly failures: number;
  /** When the last attempt was counted. */
  readonly lastAt: number;
  /** No attempt is let through before. */
  readonly nextAt: number;
  /** The entry counts for nothing from then on. */
  readonly expiresAt: number;
};

export type ThrottleEntries = ReadonlyMap<string, ThrottleEntry>;

/** Entries that are stored at most. */
export const MAX_THROTTLE_ENTRIES = 100_000;

/** Counts of failed log-ins, shared by all nodes and kept across restarts. */
export interface LogInThrottleStore {
  /** The entries of these names, as far as there are any. */
  read(names: readonly string[]): Promise<ThrottleEntries>;
  /**
   * Reads the entries of these names and writes what `decide` makes of them, in one unit of work that no other change of the same names
   * comes between. `decide` may be called again where the unit has to be repeated.
   */
  change<T>(
    names: readonly string[],
    decide: (entries: ThrottleEntries) => { readonly write: ThrottleEntries; readonly result: T },
  ): Promise<T>;
  /** Erases what has expired, and of more than `maxEntries` those that expire first. */
  trim(maxEntries: number, now: number): Promise<void>;
}

/** When attempts are slowed down, and how fast failures are forgiven. */
export type ThrottlePolicy = {
  /** Failures before the first delay. */
  readonly free: number;
  /** The first delay; each further failure doubles it, up to `maxMs`. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** One failure is forgiven for every so many milliseconds without an attempt. */
  readonly forgiveMs: number;
};

/** Failures counted beyond the free ones; more would only delay forgiveness. */
const MAX_BEYOND_FREE = 20;

/** When the attempt after these failures may be made; 0 for at once, also by a node whose clock is a little behind. */
const nextAfter = (failures: number, { free, baseMs, maxMs }: ThrottlePolicy, lastAt: number): number =>
  failures < free ? 0 : lastAt + Math.min(maxMs, baseMs * 2 ** (failures - free));

/** The failures that still count. A time in the future was written while the clock was wrong, and counts as now. */
const failuresNow = ({ failures, lastAt }: ThrottleEntry, { forgiveMs }: ThrottlePolicy, now: number): number =>
  Math.max(0, failures - Math.floor(Math.max(0, now - lastAt) / forgiveMs));

/**
 * Milliseconds until the next attempt may be made; 0 where it may be made now. A time further away than the longest delay was written
 * while the clock was wrong, and holds nobody up.
 */
export function waitBefore(entry: ThrottleEntry | undefined, { maxMs }: ThrottlePolicy, now: number): number {
  const wait = (entry?.nextAt ?? 0) - now;
  return wait <= 0 || wait > maxMs ? 0 : wait;
}

/** The entry after one more attempt, which counts as failed until `countSuccess`. */
export function countAttempt(entry: ThrottleEntry | undefined, policy: ThrottlePolicy, now: number): ThrottleEntry {
  const before = entry === undefined ? 0 : failuresNow(entry, policy, now);
  const failures = Math.min(before + 1, policy.free + MAX_BEYOND_FREE);
  const nextAt = nextAfter(failures, policy, now);
  return { failures, lastAt: now, nextAt, expiresAt: Math.max(nextAt, now + failures * policy.forgiveMs) };
}

/** The entry after the attempt counted last turned out not to be a failure: others' failures stay counted. */
export function countSuccess(entry: ThrottleEntry, policy: ThrottlePolicy): ThrottleEntry {
  const failures = Math.max(0, entry.failures - 1);
  return { ...entry, failures, nextAt: nextAfter(failures, policy, entry.lastAt) };
}
