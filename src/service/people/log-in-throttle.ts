import { createHash } from "node:crypto";
import { AppError } from "#domain/core/error.ts";
import {
  type ThrottleEntries,
  type ThrottleEntry,
  type ThrottlePolicy,
  MAX_THROTTLE_ENTRIES,
  countAttempt,
  countSuccess,
  waitBefore,
} from "#domain/settings/log-in-throttle.ts";
import { spellEmail } from "#domain/settings/member.ts";
import type { Deps } from "../deps.ts";

type ThrottleDeps = Pick<Deps, "store" | "clock">;

/** Slows down log-ins of accounts and networks that have failed too often lately. */
export type LogInThrottle = {
  /**
   * Counts an attempt before it is made, so that many at once are no way around. Throws `rate_limited` where it has to wait; it is then
   * not counted, so that insisting makes nobody wait longer. Unknown accounts are counted as those that exist.
   */
  begin(attempter: Attempter): Promise<Attempt>;
  /**
   * Takes an attempt out of the count: it got in, or was not tried after all. With the member's e-mail address, the caller's network is
   * known to this account from then on.
   */
  settle(attempt: Attempt, email: string | null): Promise<void>;
};

/** Who makes an attempt to get in. */
export type Attempter = {
  /** The account's e-mail address as it was typed; null where a link's token stands for it. */
  readonly email: string | null;
  /** What `networkOf` says of the caller's address. */
  readonly network: string;
  /** The name of a browser that has logged in to this account before; null for any other. */
  readonly device: string | null;
};

const MINUTE_MS = 60_000;
/** An account, by everybody whose network and browser are not known to it. At worst one password a minute is tried, for ever. */
const ACCOUNT: ThrottlePolicy = { free: 10, baseMs: 5_000, maxMs: MINUTE_MS, forgiveMs: 15 * MINUTE_MS };
/** A network, at whatever accounts and links: as many people may stand behind it. */
const NETWORK: ThrottlePolicy = { free: 30, baseMs: 5_000, maxMs: MINUTE_MS, forgiveMs: MINUTE_MS };
/** An account, by a network or browser that logged in to it lately: no failure of anybody else holds it up. */
const KNOWN: ThrottlePolicy = { free: 10, baseMs: 5_000, maxMs: MINUTE_MS / 2, forgiveMs: MINUTE_MS };
/** How long a network stays known to an account after a log-in. */
const KNOWN_MS = 30 * 86_400_000;

/** Attempts between two trims of the stored entries. */
const TRIM_EVERY = 1_000;

type Counter = { readonly name: string; readonly policy: ThrottlePolicy };

/** An attempt that is counted as failed until it is settled. */
export type Attempt = { readonly attempter: Attempter; readonly counters: readonly Counter[] };

/** Hashed, so that the table says nothing of who tried what, and any text is short. */
const nameOf = (kind: string, ...parts: string[]): string =>
  `${kind}:${createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 27)}`;

function namesOf({ email, network, device }: Attempter) {
  const account = email === null ? null : spellEmail(email);
  return {
    network: nameOf("network", network),
    account: account === null ? null : nameOf("account", account),
    known: account === null ? null : nameOf("known", account, network),
    device: account === null || device === null ? null : nameOf("device", account, device),
  };
}

/** Which counters an attempt draws on: that of a known browser or network alone, else those of the account and the network. */
function countersOf(attempter: Attempter, entries: ThrottleEntries, now: number): Counter[] {
  const { network, account, known, device } = namesOf(attempter);
  if (device !== null) return [{ name: device, policy: KNOWN }];
  if (known !== null && (entries.get(known)?.expiresAt ?? 0) > now) return [{ name: known, policy: KNOWN }];
  return [{ name: network, policy: NETWORK }, ...(account === null ? [] : [{ name: account, policy: ACCOUNT }])];
}

const waitOf = (counters: readonly Counter[], entries: ThrottleEntries, now: number): number =>
  Math.max(...counters.map(({ name, policy }) => waitBefore(entries.get(name), policy, now)));

/** A known network stays known while its failures are counted. */
const keepKnown = (entry: ThrottleEntry, before: ThrottleEntry | undefined): ThrottleEntry => ({
  ...entry,
  expiresAt: Math.max(entry.expiresAt, before?.expiresAt ?? 0),
});

/** Throws `rate_limited` unless the attempt may be made at once. */
function requireNoWait(waitMs: number): void {
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  throw new AppError("rate_limited", `Too many failed attempts. Wait ${seconds} s, then try again.`, seconds);
}

export function createLogInThrottle({ store, clock }: ThrottleDeps): LogInThrottle {
  const { logInThrottle } = store;
  let attempts = 0;

  return {
    async begin(attempter) {
      const now = clock.now();
      const names = Object.values(namesOf(attempter)).filter((name) => name !== null);
      const before = await logInThrottle.read(names);
      // Refused without a write, which is all that most attempts of an attack cost.
      requireNoWait(waitOf(countersOf(attempter, before, now), before, now));
      if (++attempts % TRIM_EVERY === 0) await logInThrottle.trim(MAX_THROTTLE_ENTRIES, now);
      const { wait, counters } = await logInThrottle.change(names, (entries) => {
        const counters = countersOf(attempter, entries, now);
        const wait = waitOf(counters, entries, now);
        if (wait > 0) return { write: new Map<string, ThrottleEntry>(), result: { wait, counters } };
        const write = new Map(
          counters.map(({ name, policy }) => [name, keepKnown(countAttempt(entries.get(name), policy, now), entries.get(name))]),
        );
        return { write, result: { wait, counters } };
      });
      requireNoWait(wait);
      return { attempter, counters };
    },

    async settle({ attempter, counters }, email) {
      const known = email === null ? null : nameOf("known", spellEmail(email), attempter.network);
      const names = [...counters.map(({ name }) => name), ...(known === null ? [] : [known])];
      const now = clock.now();
      await logInThrottle.change([...new Set(names)], (entries) => {
        const write = new Map<string, ThrottleEntry>();
        for (const { name, policy } of counters) {
          const entry = entries.get(name);
          if (entry !== undefined) write.set(name, countSuccess(entry, policy));
        }
        // Whoever knows the password is not held up by their own slips before it.
        if (known !== null) write.set(known, { failures: 0, lastAt: now, nextAt: 0, expiresAt: now + KNOWN_MS });
        return { write, result: undefined };
      });
    },
  };
}
