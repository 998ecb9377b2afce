import type { Actor } from "#domain/core/access.ts";
import { MAX_SESSIONS_PER_MEMBER } from "#domain/settings/member.ts";
import type { Invitation, Member, NewInvitation, NewMember, NewSession, PeopleStore, Session } from "#domain/settings/member.ts";
import { notFound } from "#domain/core/error.ts";
import {
  INVITATION_COLUMNS,
  type InvitationRow,
  MEMBER_COLUMNS,
  type MemberRow,
  SESSION_COLUMNS,
  type SessionRow,
  addressTaken,
  invitationOf,
  lastOwner,
  memberOf,
  sessionOf,
} from "../../shared/rows/people-rows.ts";
import { secretWasShown } from "../../shared/changes.ts";
import type { Connection } from "../engine/database.ts";
import { insertAudit, recordAudit } from "../shared/audit.ts";
import { createOnce } from "../shared/once.ts";

export function createPeopleStore(db: Connection): PeopleStore {
  const readMember = (businessId: string, memberId: string): Member | null => {
    const row = db.get<MemberRow>(`SELECT ${MEMBER_COLUMNS} FROM member WHERE business_id = ? AND id = ?`, businessId, memberId);
    return row === undefined ? null : memberOf(row);
  };

  const insertMember = (member: NewMember): Member => {
    if (db.get("SELECT 1 AS found FROM member WHERE email = ?", member.email) !== undefined) throw addressTaken();
    db.run(
      "INSERT INTO member (business_id, id, email, role, password, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      member.businessId,
      member.id,
      member.email,
      member.role,
      member.password,
      member.createdAt,
      member.createdAt,
    );
    return readMember(member.businessId, member.id) as Member;
  };

  const insertSession = (session: NewSession): Session => {
    const { businessId, memberId, createdAt } = session;
    db.run("DELETE FROM session WHERE business_id = ? AND member_id = ? AND expires_at <= ?", businessId, memberId, createdAt);
    db.run(
      `DELETE FROM session WHERE business_id = ? AND member_id = ? AND id NOT IN (SELECT id FROM session
       WHERE business_id = ? AND member_id = ? ORDER BY last_seen_at DESC, id DESC LIMIT ?)`,
      businessId,
      memberId,
      businessId,
      memberId,
      MAX_SESSIONS_PER_MEMBER - 1,
    );
    db.run(
      "INSERT INTO session (business_id, id, member_id, hash, agent, created_at, last_seen_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      businessId,
      session.id,
      memberId,
      session.hash,
      session.agent,
      createdAt,
      session.lastSeenAt,
      session.expiresAt,
    );
    db.run("UPDATE member SET last_seen_at = ? WHERE business_id = ? AND id = ?", createdAt, businessId, memberId);
    const { hash: _hash, ...rest } = session;
    return rest;
  };

  const requireMember = (businessId: string, memberId: string): Member => {
    const member = readMember(businessId, memberId);
    if (member === null) throw notFound("Member");
    return member;
  };

  const requireAnotherOwner = ({ businessId, id }: Member): void => {
    const other = db.get("SELECT 1 AS found FROM member WHERE business_id = ? AND role = 'owner' AND id <> ? LIMIT 1", businessId, id);
    if (other === undefined) throw lastOwner();
  };

  const hasMembers = (businessId: string): boolean =>
    db.get("SELECT 1 AS found FROM member WHERE business_id = ? LIMIT 1", businessId) !== undefined;

  const insertInvitation = (actor: Actor, invitation: NewInvitation): Invitation => {
    const { businessId, email } = invitation;
    if (db.get("SELECT 1 AS found FROM member WHERE email = ?", email) !== undefined) throw addressTaken();
    db.run("DELETE FROM invitation WHERE business_id = ? AND email = ?", businessId, email);
    db.run(
      "INSERT INTO invitation (business_id, id, email, role, hash, created_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      businessId,
      invitation.id,
      email,
      invitation.role,
      invitation.hash,
      invitation.createdBy,
      invitation.createdAt,
      invitation.expiresAt,
    );
    recordAudit(db, actor, "invitation.create", invitation.id, invitation.createdAt);
    const { hash: _hash, ...rest } = invitation;
    return rest;
  };

  return {
    members: async (businessId) =>
      db.all<MemberRow>(`SELECT ${MEMBER_COLUMNS} FROM member WHERE business_id = ? ORDER BY created_at, id`, businessId).map(memberOf),

    member: async (businessId, memberId) => readMember(businessId, memberId),

    async findLogin(email) {
      const row = db.get<MemberRow & { password: string }>(`SELECT ${MEMBER_COLUMNS}, password FROM member WHERE email = ?`, email);
      return row === undefined ? null : { member: memberOf(row), password: row.password };
    },

    add: ({ actor }, draft) =>
      db.write(() => {
        const member = insertMember(draft);
        recordAudit(db, actor, "member.create", member.id, draft.createdAt);
        return member;
      }),

    setRole: ({ actor, target }, memberId, role, now) =>
      db.write(() => {
        const member = requireMember(target.id, memberId);
        if (member.role === role) return member;
        if (member.role === "owner") requireAnotherOwner(member);
        db.run("UPDATE member SET role = ?, updated_at = ? WHERE business_id = ? AND id = ?", role, now, target.id, memberId);
        db.run("DELETE FROM session WHERE business_id = ? AND member_id = ?", target.id, memberId);
        recordAudit(db, actor, `member.role.${role}`, memberId, now);
        return requireMember(target.id, memberId);
      }),

    remove: ({ actor, target }, memberId, now) =>
      db.write(() => {
        const member = requireMember(target.id, memberId);
        if (member.role === "owner") requireAnotherOwner(member);
        db.run("DELETE FROM session WHERE business_id = ? AND member_id = ?", target.id, memberId);
        db.run("DELETE FROM member WHERE business_id = ? AND id = ?", target.id, memberId);
        recordAudit(db, actor, "member.remove", memberId, now);
      }),

    setPassword: ({ businessId, id }, password, keep, now) =>
      db.write(() => {
        db.run("UPDATE member SET password = ?, updated_at = ? WHERE business_id = ? AND id = ?", password, now, businessId, id);
        db.run("DELETE FROM session WHERE business_id = ? AND member_id = ? AND id <> ?", businessId, id, keep ?? "");
        insertAudit(db, { businessId, actor: id, action: "member.password", subject: id, at: now });
      }),

    offerClaim: (businessId, hash, expiresAt) =>
      db.write(() => {
        if (hasMembers(businessId)) return false;
        db.run("INSERT INTO claim (business_id, hash, expires_at) VALUES (?, ?, ?)", businessId, hash, expiresAt);
        return true;
      }),

    claim: (hash, draft, session) =>
      db.write(() => {
        const offer = db.get<{ business_id: string; expires_at: number }>("SELECT business_id, expires_at FROM claim WHERE hash = ?", hash);
        if (offer === undefined || offer.expires_at <= draft.createdAt || hasMembers(offer.business_id)) return null;
        const businessId = offer.business_id;
        db.run("DELETE FROM claim WHERE business_id = ?", businessId);
        const member = insertMember({ ...draft, businessId, role: "owner" });
        insertAudit(db, { businessId, actor: member.id, action: "business.claim", subject: member.id, at: draft.createdAt });
        return { session: insertSession({ ...session, businessId, memberId: member.id }), member: requireMember(businessId, member.id) };
      }),

    startSession: async (session) => {
      await db.write(() => insertSession(session));
    },

    async findSession(hash) {
      const row = db.get<SessionRow>(`SELECT ${SESSION_COLUMNS} FROM session WHERE hash = ?`, hash);
      if (row === undefined) return null;
      const member = readMember(row.business_id, row.member_id);
      return member === null ? null : { member, session: sessionOf(row) };
    },

    touchSession: async ({ businessId, id, memberId }, now) => {
      await db.write(() => {
        db.run("UPDATE session SET last_seen_at = max(last_seen_at, ?) WHERE business_id = ? AND id = ?", now, businessId, id);
        db.run(
          "UPDATE member SET last_seen_at = max(coalesce(last_seen_at, 0), ?) WHERE business_id = ? AND id = ?",
          now,
          businessId,
          memberId,
        );
      });
    },

    sessions: async (businessId, memberId) =>
      db
        .all<SessionRow>(
          `SELECT ${SESSION_COLUMNS} FROM session WHERE business_id = ? AND member_id = ? ORDER BY last_seen_at DESC, id`,
          businessId,
          memberId,
        )
        .map(sessionOf),

    endSession: (businessId, memberId, sessionId) =>
      db.write(() => db.run("DELETE FROM session WHERE business_id = ? AND member_id = ? AND id = ?", businessId, memberId, sessionId) > 0),

    invitations: async (businessId) =>
      db
        .all<InvitationRow>(`SELECT ${INVITATION_COLUMNS} FROM invitation WHERE business_id = ? ORDER BY created_at, id`, businessId)
        .map(invitationOf),

    invite: (scope, invitation, once) =>
      db.write(() => {
        const outcome = createOnce(db, once, invitation.createdAt, () => insertInvitation(scope.actor, invitation));
        if (outcome.replayed) throw secretWasShown("invitation");
        return outcome.value;
      }),

    async findInvitation(hash) {
      const row = db.get<InvitationRow>(`SELECT ${INVITATION_COLUMNS} FROM invitation WHERE hash = ?`, hash);
      return row === undefined ? null : invitationOf(row);
    },

    accept: (hash, draft, session) =>
      db.write(() => {
        const row = db.get<InvitationRow>(`SELECT ${INVITATION_COLUMNS} FROM invitation WHERE hash = ?`, hash);
        if (row === undefined || row.expires_at <= draft.createdAt) return null;
        const { businessId, email, role } = invitationOf(row);
        db.run("DELETE FROM invitation WHERE business_id = ? AND id = ?", businessId, row.id);
        const member = insertMember({ ...draft, businessId, email, role });
        insertAudit(db, { businessId, actor: member.id, action: "invitation.accept", subject: row.id, at: draft.createdAt });
        return { session: insertSession({ ...session, businessId, memberId: member.id }), member: requireMember(businessId, member.id) };
      }),

    withdraw: ({ actor, target }, invitationId, now) =>
      db.write(() => {
        const gone = db.run("DELETE FROM invitation WHERE business_id = ? AND id = ?", target.id, invitationId) > 0;
        if (gone) recordAudit(db, actor, "invitation.withdraw", invitationId, now);
        return gone;
      }),
  };
}
