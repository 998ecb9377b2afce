/** The failure count of a name, and when the next attempt is allowed. Times are in milliseconds since the epoch. */
export type ThrottleEntry = {
  readonly failures: number;
  /** When the last attempt was counted. */
  readonly lastAt: number;
  /** No attempt is allowed before this time. */
  readonly nextAt: number;
  /** The entry is ignored from this time on. */
  readonly expiresAt: number;
};

export type ThrottleEntries = ReadonlyMap<string, ThrottleEntry>;

/** Maximum number of stored entries. */
export const MAX_THROTTLE_ENTRIES = 100_000;

/** Counts of failed log-ins, shared by all nodes and persistent. */
export interface LogInThrottleStore {
  /** Converts a time of this process to the clock that all nodes share. */
  toSharedTime(now: number): Promise<number>;
  /** Returns the existing entries of these names. */
  read(names: readonly string[]): Promise<ThrottleEntries>;
  /**
   * Reads the entries of these names and writes the result of `decide`, atomically. `decide` may be called again when the transaction is
   * retried.
   */
  change<T>(
    names: readonly string[],
    decide: (entries: ThrottleEntries) => { readonly write: ThrottleEntries; readonly result: T },
  ): Promise<T>;
  /** Deletes expired entries, and those that expire first beyond `maxEntries`. */
  trim(maxEntries: number, now: number): Promise<void>;
}

/** When attempts are delayed, and how fast the failure count decays. */
export type ThrottlePolicy = {
  /** The number of failures before the first delay. */
  readonly maxUndelayedFailures: number;
  /** The first delay; each further failure doubles it, up to `maxMs`. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** The count decreases by one for each such period without an attempt, in milliseconds. */
  readonly decayMs: number;
};

/** Maximum failures counted beyond those without delay. Counting more would only make the decay take longer. */
const MAX_DELAYED_FAILURES = 20;

/** Returns when the next attempt is allowed. 0 means at once, independent of clock differences between nodes. */
const computeNextAttempt = (failures: number, { maxUndelayedFailures, baseMs, maxMs }: ThrottlePolicy, lastAt: number): number =>
  failures < maxUndelayedFailures ? 0 : lastAt + Math.min(maxMs, baseMs * 2 ** (failures - maxUndelayedFailures));

/** Returns the failures that still count. A time in the future was stored while the clock was wrong, and counts as now. */
const countCurrentFailures = ({ failures, lastAt }: ThrottleEntry, { decayMs }: ThrottlePolicy, now: number): number =>
  Math.max(0, failures - Math.floor(Math.max(0, now - lastAt) / decayMs));

/**
 * Returns the milliseconds until the next attempt is allowed, or 0. A time beyond the longest delay was stored while the clock was
 * wrong, and is ignored.
 */
export function getRemainingDelayMs(entry: ThrottleEntry | undefined, { maxMs }: ThrottlePolicy, now: number): number {
  const wait = (entry?.nextAt ?? 0) - now;
  return wait <= 0 || wait > maxMs ? 0 : wait;
}

/** Returns the entry after one more attempt, which counts as failed until `countSuccess`. */
export function countAttempt(entry: ThrottleEntry | undefined, policy: ThrottlePolicy, now: number): ThrottleEntry {
  const before = entry === undefined ? 0 : countCurrentFailures(entry, policy, now);
  const failures = Math.min(before + 1, policy.maxUndelayedFailures + MAX_DELAYED_FAILURES);
  const nextAt = computeNextAttempt(failures, policy, now);
  return { failures, lastAt: now, nextAt, expiresAt: Math.max(nextAt, now + failures * policy.decayMs) };
}

/** Returns the entry after the last counted attempt turned out not to be a failure. Other failures stay counted. */
export function countSuccess(entry: ThrottleEntry, policy: ThrottlePolicy): ThrottleEntry {
  const failures = Math.max(0, entry.failures - 1);
  return { ...entry, failures, nextAt: computeNextAttempt(failures, policy, entry.lastAt) };
}
