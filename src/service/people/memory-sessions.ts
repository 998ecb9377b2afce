import { AppError, isUnavailable } from "#domain/core/error.ts";
import type { LogInThrottleStore, ThrottleEntry } from "#domain/settings/log-in-throttle.ts";
import type { LoggedIn, NewSession, PeopleStore } from "#domain/settings/member.ts";
import type { Store } from "#domain/store.ts";

/** Maximum number of sessions and of throttle entries in memory. Each session needs a right password. */
const MAX_SESSIONS = 1_000;
const MAX_ENTRIES = 10_000;

export type MemorySessions = Pick<Store, "people" | "logInThrottle"> & {
  /** Stores the sessions that were kept in memory. Call it when the disk has room again. */
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
  return {
    people: override(people, peopleMethods(people, sessions)),
    logInThrottle: override(logInThrottle, throttleMethods(logInThrottle)),
    async storeSessions() {
      for (const [hash, session] of sessions) {
        await people.startSession(session);
        sessions.delete(hash);
      }
    },
  };
}

const isFull = (error: unknown): boolean => error instanceof AppError && error.code === "storage_full";

function peopleMethods(people: PeopleStore, sessions: Map<string, NewSession>): Partial<PeopleStore> {
  const dropSessions = (memberId: string): void => {
    for (const [hash, session] of sessions) if (session.memberId === memberId) sessions.delete(hash);
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
      dropSessions(member.id);
    },
    async setRole(scope, memberId, role, now) {
      const member = await people.setRole(scope, memberId, role, now);
      dropSessions(memberId);
      return member;
    },
  };
}

function throttleMethods(throttle: LogInThrottleStore): Partial<LogInThrottleStore> {
  const kept = new Map<string, ThrottleEntry>();
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
        if (entry !== undefined) entries.set(name, entry);
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
