import { createHash } from "node:crypto";
import { AppError } from "#domain/core/errors/error.ts";
import {
  type ThrottleEntries,
  type ThrottleEntry,
  type ThrottlePolicy,
  MAX_THROTTLE_ENTRIES,
  countAttempt,
  countSuccess,
  getRemainingDelayMs,
} from "#domain/settings/log-in-throttle.ts";
import { normaliseEmail } from "#domain/settings/member.ts";
import type { StoreDeps } from "../deps.ts";
import { createStrangerQueue } from "../work-queue.ts";

/** Delays log-in attempts for accounts and networks with too many recent failures. */
export type LogInThrottle = {
  /**
   * Counts an attempt before it is made, so that concurrent attempts can't bypass the limit. Throws `rate_limited` when the caller has
   * to wait, and when too many of its network wait to be counted; that attempt is not counted. Networks take turns. Unknown accounts are counted like existing ones, so that they can't be told apart.
   */
  begin(origin: AttemptOrigin): Promise<Attempt>;
  /**
   * Removes an attempt from the count because it succeeded or was not made. With the member's e-mail address, the caller's network
   * becomes known to this account.
   */
  forget(attempt: Attempt, email: string | null): Promise<void>;
};

/** The origin of a log-in attempt. */
export type AttemptOrigin = {
  /** The account's e-mail address as typed; null for a link with a token. */
  readonly email: string | null;
  /** The result of `getNetwork` for the caller's address. */
  readonly network: string;
  /** The id of a browser that has logged in to this account before; null for others. */
  readonly device: string | null;
};

const MINUTE_MS = 60_000;
/** Limits an account for unknown networks and browsers. A sustained attack can try at most one password a minute. */
const ACCOUNT: ThrottlePolicy = { maxUndelayedFailures: 10, baseMs: 5_000, maxMs: MINUTE_MS, decayMs: 15 * MINUTE_MS };
/** Limits a network across all accounts and links. It allows more failures, since many people may share a network. */
const NETWORK: ThrottlePolicy = { maxUndelayedFailures: 30, baseMs: 5_000, maxMs: MINUTE_MS, decayMs: MINUTE_MS };
/** Limits an account for a network or browser that logged in recently. Failures of others do not delay it. */
const KNOWN_ORIGIN: ThrottlePolicy = { maxUndelayedFailures: 10, baseMs: 5_000, maxMs: MINUTE_MS / 2, decayMs: MINUTE_MS };
/** How long a network stays known to an account after a log-in. */
const KNOWN_NETWORK_MS = 30 * 86_400_000;

/** Attempts between two trims of the stored entries. */
const TRIM_EVERY = 1_000;

type Counter = { readonly name: string; readonly policy: ThrottlePolicy };

/** An attempt that is counted as failed until it is settled. */
export type Attempt = { readonly origin: AttemptOrigin; readonly counters: readonly Counter[] };

/** Hashes the parts: the table then reveals no e-mail addresses, and names have a fixed length. */
const hashName = (kind: string, ...parts: string[]): string =>
  `${kind}:${createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 27)}`;

function getCounterNames({ email, network, device }: AttemptOrigin) {
  const account = email === null ? null : normaliseEmail(email);
  return {
    network: hashName("network", network),
    account: account === null ? null : hashName("account", account),
    known: account === null ? null : hashName("known", account, network),
    device: account === null || device === null ? null : hashName("device", account, device),
  };
}

/** Returns the counters of an attempt: the one of a known browser or network, otherwise those of the network and the account. */
function selectCounters(origin: AttemptOrigin, entries: ThrottleEntries, now: number): Counter[] {
  const { network, account, known, device } = getCounterNames(origin);
  if (device !== null) return [{ name: device, policy: KNOWN_ORIGIN }];
  if (known !== null && (entries.get(known)?.expiresAt ?? 0) > now) return [{ name: known, policy: KNOWN_ORIGIN }];
  return [{ name: network, policy: NETWORK }, ...(account === null ? [] : [{ name: account, policy: ACCOUNT }])];
}

const getLongestDelayMs = (counters: readonly Counter[], entries: ThrottleEntries, now: number): number =>
  Math.max(...counters.map(({ name, policy }) => getRemainingDelayMs(entries.get(name), policy, now)));

/** Keeps the later expiry, so that a known network stays known while its failures are counted. */
const keepLaterExpiry = (entry: ThrottleEntry, before: ThrottleEntry | undefined): ThrottleEntry => ({
  ...entry,
  expiresAt: Math.max(entry.expiresAt, before?.expiresAt ?? 0),
});

/** Throws `rate_limited` unless the attempt may be made at once. */
function requireNoDelay(waitMs: number): void {
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  throw new AppError("rate_limited", `Too many failed attempts. Wait ${seconds} s, then try again.`, seconds);
}

export function createLogInThrottle({ store, clock }: StoreDeps): LogInThrottle {
  const { logInThrottle } = store;
  let attempts = 0;
  const counting = createStrangerQueue("log-ins", "waiting");

  const count = async (origin: AttemptOrigin): Promise<Attempt> => {
    const now = await logInThrottle.toSharedTime(clock.now());
    const names = Object.values(getCounterNames(origin)).filter((name) => name !== null);
    const before = await logInThrottle.read(names);
    // Refuse without a write, so that most attempts of an attack cost one read.
    requireNoDelay(getLongestDelayMs(selectCounters(origin, before, now), before, now));
    if (++attempts % TRIM_EVERY === 0) await logInThrottle.trim(MAX_THROTTLE_ENTRIES, now);
    const { wait, counters } = await logInThrottle.change(names, (entries) => {
      const counters = selectCounters(origin, entries, now);
      const wait = getLongestDelayMs(counters, entries, now);
      if (wait > 0) return { write: new Map<string, ThrottleEntry>(), result: { wait, counters } };
      const write = new Map(
        counters.map(({ name, policy }) => [name, keepLaterExpiry(countAttempt(entries.get(name), policy, now), entries.get(name))]),
      );
      return { write, result: { wait, counters } };
    });
    requireNoDelay(wait);
    return { origin, counters };
  };

  const remove = async ({ origin, counters }: Attempt, email: string | null): Promise<void> => {
    const known = email === null ? null : hashName("known", normaliseEmail(email), origin.network);
    const names = [...counters.map(({ name }) => name), ...(known === null ? [] : [known])];
    const now = await logInThrottle.toSharedTime(clock.now());
    await logInThrottle.change([...new Set(names)], (entries) => {
      const write = new Map<string, ThrottleEntry>();
      for (const { name, policy } of counters) {
        const entry = entries.get(name);
        if (entry !== undefined) write.set(name, countSuccess(entry, policy));
      }
      // A successful log-in clears the caller's own earlier failures.
      if (known !== null) write.set(known, { failures: 0, lastAt: now, nextAt: 0, expiresAt: now + KNOWN_NETWORK_MS });
      return { write, result: undefined };
    });
  };

  return {
    begin: (origin) => counting.run(() => count(origin), { owner: origin.network }),
    forget: (attempt, email) => counting.run(() => remove(attempt, email), { owner: attempt.origin.network, isAccepted: true }),
  };
}
