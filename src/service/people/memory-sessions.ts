import { AppError, isUnavailable } from "#domain/core/errors/error.ts";
import type { LogInThrottleStore, ThrottleEntry } from "#domain/settings/log-in-throttle.ts";
import type { LoggedIn, NewSession, PeopleStore } from "#domain/settings/member.ts";
import type { Store } from "#domain/store.ts";

/** Maximum number of sessions and of throttle entries in memory. Each session needs a right password. */
const MAX_SESSIONS = 1_000;
const MAX_ENTRIES = 10_000;
/** Number of throttle entries that are stored in one transaction. */
const ENTRIES_PER_WRITE = 500;

export type MemorySessions = Pick<Store, "people" | "logInThrottle"> & {
  /** Stores the sessions and failed attempts that were kept in memory. Call it when the disk has room again. */
  storeSessions(): Promise<void>;
};

/**
 * Wraps the stores of log-ins, so that people can log in and read while the disk is full: sessions and failed attempts are then kept in
 * memory. With several nodes nothing is kept, since the others would not know the session; log-ins then fail with `storage_full`.
 */
export function keepSessionsInMemory({
  people,
  logInThrottle,
  rateLimits,
}: Pick<Store, "people" | "logInThrottle" | "rateLimits">): MemorySessions {
  if (rateLimits !== null) return { people, logInThrottle, storeSessions: async () => {} };
  const sessions = new Map<string, NewSession>();
  const entries = new Map<string, ThrottleEntry>();
  return {
    people: override(people, { ...peopleMethods(people, sessions), ...sessionQueries(people, sessions) }),
    logInThrottle: override(logInThrottle, throttleMethods(logInThrottle, entries)),
    async storeSessions() {
      for (const [hash, session] of sessions) {
        await people.startSession(session);
        // It was ended while it was being stored.
        if (!sessions.delete(hash)) await people.endSession(session.businessId, session.memberId, session.id);
      }
      await storeEntries(logInThrottle, entries);
    },
  };
}

const isFull = (error: unknown): boolean => error instanceof AppError && error.code === "storage_full";

function peopleMethods(people: PeopleStore, sessions: Map<string, NewSession>): Partial<PeopleStore> {
  const dropSessions = (memberId: string, except: string | null = null): void => {
    for (const [hash, session] of sessions) if (session.memberId === memberId && session.id !== except) sessions.delete(hash);
  };
  return {
    async startSession(session) {
      try {
        await people.startSession(session);
      } catch (error) {
        if (!isFull(error) || sessions.size >= MAX_SESSIONS) throw error;
        sessions.set(session.hash, session);
      }
    },
    async findSession(hash): Promise<LoggedIn | null> {
      const kept = sessions.get(hash);
      if (kept === undefined) return people.findSession(hash);
      const { hash: _hash, ...session } = kept;
      const member = await people.member(session.businessId, session.memberId);
      return member === null ? null : { session, member };
    },
    async touchSession(session, now) {
      try {
        await people.touchSession(session, now);
      } catch (error) {
        // Reading works while nothing can be stored. A later call stores the last use.
        if (!isUnavailable(error)) throw error;
      }
    },
    async endSession(businessId, memberId, sessionId) {
      for (const [hash, one] of sessions) if (one.id === sessionId && one.memberId === memberId) return sessions.delete(hash);
      return people.endSession(businessId, memberId, sessionId);
    },
    async setPassword(member, password, change) {
      await people.setPassword(member, password, change);
      dropSessions(member.id, change.keepSession);
    },
    async setRole(scope, memberId, role, now) {
      const member = await people.setRole(scope, memberId, role, now);
      dropSessions(memberId);
      return member;
    },
    async remove(scope, memberId, now) {
      await people.remove(scope, memberId, now);
      dropSessions(memberId);
    },
  };
}

/** Adds the sessions in memory to what the database knows. A session that is just being stored may be in both. */
function sessionQueries(people: PeopleStore, kept: ReadonlyMap<string, NewSession>): Partial<PeopleStore> {
  return {
    async sessions(businessId, memberId) {
      const all = new Map((await people.sessions(businessId, memberId)).map((session) => [session.id, session]));
      for (const { hash: _hash, ...session } of kept.values())
        if (session.businessId === businessId && session.memberId === memberId) all.set(session.id, session);
      return [...all.values()].sort((one, other) => other.lastSeenAt - one.lastSeenAt);
    },
    async findEndedSessions(sessions, now) {
      const active = new Set([...kept.values()].filter(({ expiresAt }) => expiresAt > now).map(({ id }) => id));
      const others = sessions.filter(({ id }) => !active.has(id));
      return others.length === 0 ? [] : people.findEndedSessions(others, now);
    },
  };
}

const pickLater = (one: ThrottleEntry, other: ThrottleEntry | undefined): ThrottleEntry =>
  other === undefined || one.lastAt >= other.lastAt ? one : other;

/** Stores the entries that were kept in memory, except where newer ones were stored since, and forgets them. */
async function storeEntries(throttle: LogInThrottleStore, kept: Map<string, ThrottleEntry>): Promise<void> {
  const entries = [...kept];
  for (let at = 0; at < entries.length; at += ENTRIES_PER_WRITE) {
    const batch = entries.slice(at, at + ENTRIES_PER_WRITE);
    await throttle.change(
      batch.map(([name]) => name),
      (stored) => ({ write: new Map(batch.map(([name, entry]) => [name, pickLater(entry, stored.get(name))])), result: undefined }),
    );
    for (const [name, entry] of batch) if (kept.get(name) === entry) kept.delete(name);
  }
}

function throttleMethods(throttle: LogInThrottleStore, kept: Map<string, ThrottleEntry>): Partial<LogInThrottleStore> {
  return {
    async change(names, decide) {
      try {
        return await throttle.change(names, decide);
      } catch (error) {
        if (!isFull(error)) throw error;
      }
      const entries = new Map(await throttle.read(names));
      for (const name of names) {
        const entry = kept.get(name);
        if (entry !== undefined) entries.set(name, pickLater(entry, entries.get(name)));
      }
      const { write, result } = decide(entries);
      if (kept.size >= MAX_ENTRIES) kept.clear();
      for (const [name, entry] of write) kept.set(name, entry);
      return result;
    },
    async trim(maxEntries, now) {
      try {
        await throttle.trim(maxEntries, now);
      } catch (error) {
        if (!isFull(error)) throw error;
      }
    },
  };
}

/** Returns the object with some methods replaced. The others keep their `this`, which a spread of a class instance would lose. */
const override = <T extends object>(object: T, methods: Partial<T>): T =>
  new Proxy(object, {
    get(target, name) {
      if (name in methods) return Reflect.get(methods, name) as unknown;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
