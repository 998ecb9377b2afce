import { type LoggedIn, MAX_SESSIONS_PER_MEMBER, type NewSession, type Session } from "#domain/settings/member.ts";
import { MEMBER_COLUMNS, type MemberRow, memberOf, SESSION_COLUMNS, type SessionRow, sessionOf } from "../../shared/rows/people-rows.ts";
import type { Driver } from "../driver.ts";
import { all, get, run, type Unit } from "../unit.ts";

/** Starts a session; the member's oldest ones end where there are too many. */
export function* insertSession({ hash, ...session }: NewSession): Unit<Session> {
  const { businessId, id, memberId, agent, createdAt, lastSeenAt, expiresAt } = session;
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
  yield* run(
    `INSERT INTO session (business_id, id, member_id, hash, agent, created_at, last_seen_at, expires_at)
     VALUES (@businessId, @id, @memberId, @hash, @agent, @createdAt, @lastSeenAt, @expiresAt)`,
    { businessId, id, memberId, hash, agent, createdAt, lastSeenAt, expiresAt },
  );
  yield* run("UPDATE member SET last_seen_at = @createdAt WHERE business_id = @businessId AND id = @memberId", {
    createdAt,
    businessId,
    memberId,
  });
  return session;
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
      const row = yield* get<SessionRow>(`SELECT ${SESSION_COLUMNS} FROM session WHERE hash = @hash`, { hash });
      if (row === undefined) return null;
      const member = yield* get<MemberRow>(`SELECT ${MEMBER_COLUMNS} FROM member WHERE business_id = @businessId AND id = @memberId`, {
        businessId: row.business_id,
        memberId: row.member_id,
      });
      return member === undefined ? null : { member: memberOf(member), session: sessionOf(row) };
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
    return this.#driver.read(function* () {
      const rows = yield* all<SessionRow>(
        `SELECT ${SESSION_COLUMNS} FROM session WHERE business_id = @businessId AND member_id = @memberId ORDER BY last_seen_at DESC, id`,
        { businessId, memberId },
      );
      return rows.map(sessionOf);
    });
  }

  endSession(businessId: string, memberId: string, sessionId: string): Promise<boolean> {
    return this.#driver.write(function* () {
      const sql = "DELETE FROM session WHERE business_id = @businessId AND member_id = @memberId AND id = @sessionId";
      return (yield* run(sql, { businessId, memberId, sessionId })) > 0;
    });
  }
}
