import { type LoggedIn, MAX_SESSIONS_PER_MEMBER, type NewMember, type NewSession, type Session } from "#domain/settings/member.ts";
import type { Dialect, Driver } from "../driver.ts";
import { insert, Mapping, plainFields } from "../mapping.ts";
import { all, run, type Unit } from "../unit.ts";
import { insertMember, readMember, requireMember } from "./member-rows.ts";

const SESSIONS = new Mapping<Session>(plainFields("id", "businessId", "memberId", "agent", "createdAt", "lastSeenAt", "expiresAt"));

/** Starts a session. Deletes the member's expired sessions, and the least recently used ones beyond the limit. */
function* insertSession({ hash, ...session }: NewSession): Unit<Session> {
  const { businessId, memberId, createdAt } = session;
  yield* run("DELETE FROM session WHERE business_id = @businessId AND member_id = @memberId AND expires_at <= @createdAt", {
    businessId,
    memberId,
    createdAt,
  });
  yield* run(
    `DELETE FROM session WHERE business_id = @businessId AND member_id = @memberId AND id NOT IN (SELECT id FROM session
     WHERE business_id = @businessId AND member_id = @memberId ORDER BY last_seen_at DESC, id DESC LIMIT @limit)`,
    { businessId, memberId, limit: MAX_SESSIONS_PER_MEMBER - 1 },
  );
  yield* insert("session", { ...session, hash });
  yield* run("UPDATE member SET last_seen_at = @createdAt WHERE business_id = @businessId AND id = @memberId", {
    createdAt,
    businessId,
    memberId,
  });
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

/** The sessions of members. */
export class SessionStore {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  async startSession(session: NewSession): Promise<void> {
    await this.#driver.write(() => insertSession(session));
  }

  findSession(hash: string): Promise<LoggedIn | null> {
    return this.#driver.read(function* () {
      const session = yield* SESSIONS.find("session WHERE hash = @hash", { hash });
      if (session === null) return null;
      const member = yield* readMember(session.businessId, session.memberId);
      return member === null ? null : { member, session };
    });
  }

  touchSession({ businessId, id, memberId }: Session, now: number): Promise<void> {
    const { greatest } = this.#driver.dialect;
    return this.#driver.write(function* () {
      yield* run(`UPDATE session SET last_seen_at = ${greatest}(last_seen_at, @now) WHERE business_id = @businessId AND id = @id`, {
        now,
        businessId,
        id,
      });
      yield* run(
        `UPDATE member SET last_seen_at = ${greatest}(coalesce(last_seen_at, 0), @now) WHERE business_id = @businessId AND id = @memberId`,
        { now, businessId, memberId },
      );
    });
  }

  sessions(businessId: string, memberId: string): Promise<Session[]> {
    return this.#driver.read(() =>
      SESSIONS.list("session WHERE business_id = @businessId AND member_id = @memberId ORDER BY last_seen_at DESC, id", {
        businessId,
        memberId,
      }),
    );
  }

  findEndedSessions(sessions: readonly { readonly businessId: string; readonly id: string }[], now: number): Promise<string[]> {
    const { rowsOfJson } = this.#driver.dialect;
    return this.#driver.read(function* () {
      const rows = yield* all<{ id: string }>(
        `SELECT given.id FROM ${rowsOfJson("sessions", { business: "text", id: "text" })} AS given
         WHERE NOT EXISTS (SELECT 1 FROM session s WHERE s.business_id = given.business AND s.id = given.id AND s.expires_at > @now)`,
        { sessions: JSON.stringify(sessions.map(({ businessId, id }) => ({ business: businessId, id }))), now },
      );
      return rows.map(({ id }) => id);
    });
  }

  endSession(businessId: string, memberId: string, sessionId: string): Promise<boolean> {
    return this.#driver.write(function* () {
      const sql = "DELETE FROM session WHERE business_id = @businessId AND member_id = @memberId AND id = @sessionId";
      return (yield* run(sql, { businessId, memberId, sessionId })) > 0;
    });
  }
}
