import {
  type LoggedIn,
  MAX_SESSIONS_PER_MEMBER,
  type NewMember,
  type NewSession,
  type PeopleStore,
  type Session,
} from "#domain/settings/member.ts";
import type { Dialect, Driver } from "../driver.ts";
import { insert, Mapping, plainFields } from "../mapping.ts";
import { all, run, type Unit } from "../unit.ts";
import { insertMember, IS_MEMBER, readMember, requireMember } from "./member-rows.ts";

const SESSIONS = new Mapping<Session>(plainFields("id", "businessId", "memberId", "agent", "createdAt", "lastSeenAt", "expiresAt"));

const IS_SESSION = "business_id = @businessId AND id = @id";
const IS_OF_MEMBER = "business_id = @businessId AND member_id = @memberId";

/** Starts a session. Deletes the member's expired sessions, and the least recently used ones beyond the limit. */
function* insertSession({ hash, ...session }: NewSession): Unit<Session> {
  const { businessId, memberId, createdAt } = session;
  yield* run(`DELETE FROM session WHERE ${IS_OF_MEMBER} AND expires_at <= @createdAt`, { businessId, memberId, createdAt });
  yield* run(
    `DELETE FROM session WHERE ${IS_OF_MEMBER} AND id NOT IN (
       SELECT id FROM session WHERE ${IS_OF_MEMBER} ORDER BY last_seen_at DESC, id DESC LIMIT @limit)`,
    { businessId, memberId, limit: MAX_SESSIONS_PER_MEMBER - 1 },
  );
  yield* insert("session", { ...session, hash });
  yield* run(`UPDATE member SET last_seen_at = @createdAt WHERE ${IS_MEMBER}`, { createdAt, businessId, id: memberId });
  return session;
}

/** Inserts a member and starts the first session. */
export function* insertLoggedInMember(
  dialect: Dialect,
  draft: NewMember,
  session: Omit<NewSession, "businessId" | "memberId">,
): Unit<LoggedIn> {
  const { businessId, id } = yield* insertMember(dialect, draft);
  const started = yield* insertSession({ ...session, businessId, memberId: id });
  return { session: started, member: yield* requireMember(businessId, id) };
}

type SessionMethods = "startSession" | "findSession" | "touchSession" | "sessions" | "findEndedSessions" | "endSession";

/** The sessions of members. */
export function createSessions({ dialect, read, write }: Driver): Pick<PeopleStore, SessionMethods> {
  return {
    async startSession(session) {
      await write(() => insertSession(session));
    },

    findSession: (hash) =>
      read(function* () {
        const session = yield* SESSIONS.find("session WHERE hash = @hash", { hash });
        if (session === null) return null;
        const member = yield* readMember(session.businessId, session.memberId);
        return member === null ? null : { member, session };
      }),

    touchSession: ({ businessId, id, memberId }, now) =>
      write(function* () {
        const isEarlier = "(last_seen_at IS NULL OR last_seen_at < @now)";
        const params = { now, businessId };
        yield* run(`UPDATE session SET last_seen_at = @now WHERE ${IS_SESSION} AND ${isEarlier}`, { ...params, id });
        yield* run(`UPDATE member SET last_seen_at = @now WHERE ${IS_MEMBER} AND ${isEarlier}`, { ...params, id: memberId });
      }),

    sessions: (businessId, memberId) =>
      read(() => SESSIONS.list(`session WHERE ${IS_OF_MEMBER} ORDER BY last_seen_at DESC, id`, { businessId, memberId })),

    findEndedSessions: (sessions, now) =>
      read(function* () {
        const rows = yield* all<{ id: string }>(
          `SELECT given.id FROM ${dialect.rowsOfJson("sessions", { business: "text", id: "text" })} AS given
           WHERE NOT EXISTS (SELECT 1 FROM session s WHERE s.business_id = given.business AND s.id = given.id AND s.expires_at > @now)`,
          { sessions: JSON.stringify(sessions.map(({ businessId, id }) => ({ business: businessId, id }))), now },
        );
        return rows.map(({ id }) => id);
      }),

    endSession: async (businessId, memberId, sessionId) =>
      (await write(() => run(`DELETE FROM session WHERE ${IS_OF_MEMBER} AND id = @sessionId`, { businessId, memberId, sessionId }))) > 0,
  };
}
