import { MAX_SESSIONS_PER_MEMBER } from "#domain/settings/member.ts";
import type { Actor } from "#domain/core/access.ts";
import { notFound } from "#domain/core/error.ts";
import type { Invitation, Member, NewInvitation, NewMember, NewSession, PeopleStore, Session } from "#domain/settings/member.ts";
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
import type { Database, Reader, Transaction } from "../engine/database.ts";
import { insertAudit, recordAudit } from "../shared/audit.ts";
import { createOnce } from "../shared/once.ts";

async function readMember(on: Reader, businessId: string, memberId: string): Promise<Member | null> {
  const row = await on.get<MemberRow>(`SELECT ${MEMBER_COLUMNS} FROM member WHERE business_id = $1 AND id = $2`, businessId, memberId);
  return row === undefined ? null : memberOf(row);
}

async function requireMember(on: Reader, businessId: string, memberId: string): Promise<Member> {
  const member = await readMember(on, businessId, memberId);
  if (member === null) throw notFound("Member");
  return member;
}

/** Whoever changes who is a member of a business waits for the others who do. */
async function lockBusiness(tx: Transaction, businessId: string): Promise<void> {
  await tx.get("SELECT 1 FROM business WHERE id = $1 FOR UPDATE", businessId);
}

/** Addresses are unique over all businesses, which no key can hold that begins with one: who takes an address waits for others who take it. */
async function requireFree(tx: Transaction, email: string): Promise<void> {
  await tx.get("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", email);
  if ((await tx.get("SELECT 1 AS found FROM member WHERE email = $1", email)) !== undefined) throw addressTaken();
}

async function insertMember(tx: Transaction, member: NewMember): Promise<Member> {
  await requireFree(tx, member.email);
  await tx.run(
    "INSERT INTO member (business_id, id, email, role, password, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)",
    member.businessId,
    member.id,
    member.email,
    member.role,
    member.password,
    member.createdAt,
  );
  return requireMember(tx, member.businessId, member.id);
}

async function insertSession(tx: Transaction, session: NewSession): Promise<Session> {
  const { businessId, memberId, createdAt } = session;
  await tx.run("DELETE FROM session WHERE business_id = $1 AND member_id = $2 AND expires_at <= $3", businessId, memberId, createdAt);
  await tx.run(
    `DELETE FROM session WHERE business_id = $1 AND member_id = $2 AND id NOT IN (SELECT id FROM session
     WHERE business_id = $1 AND member_id = $2 ORDER BY last_seen_at DESC, id DESC LIMIT $3)`,
    businessId,
    memberId,
    MAX_SESSIONS_PER_MEMBER - 1,
  );
  await tx.run(
    `INSERT INTO session (business_id, id, member_id, hash, agent, created_at, last_seen_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    businessId,
    session.id,
    memberId,
    session.hash,
    session.agent,
    createdAt,
    session.lastSeenAt,
    session.expiresAt,
  );
  await tx.run("UPDATE member SET last_seen_at = $1 WHERE business_id = $2 AND id = $3", createdAt, businessId, memberId);
  const { hash: _hash, ...rest } = session;
  return rest;
}

async function requireAnotherOwner(tx: Transaction, { businessId, id }: Member): Promise<void> {
  const other = await tx.get(
    "SELECT 1 AS found FROM member WHERE business_id = $1 AND role = 'owner' AND id <> $2 LIMIT 1",
    businessId,
    id,
  );
  if (other === undefined) throw lastOwner();
}

const hasMembers = async (on: Reader, businessId: string): Promise<boolean> =>
  (await on.get("SELECT 1 AS found FROM member WHERE business_id = $1 LIMIT 1", businessId)) !== undefined;

async function insertInvitation(tx: Transaction, actor: Actor, invitation: NewInvitation): Promise<Invitation> {
  const { businessId, email } = invitation;
  await requireFree(tx, email);
  await tx.run("DELETE FROM invitation WHERE business_id = $1 AND email = $2", businessId, email);
  await tx.run(
    `INSERT INTO invitation (business_id, id, email, role, hash, created_by, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    businessId,
    invitation.id,
    email,
    invitation.role,
    invitation.hash,
    invitation.createdBy,
    invitation.createdAt,
    invitation.expiresAt,
  );
  await recordAudit(tx, actor, "invitation.create", invitation.id, invitation.createdAt);
  const { hash: _hash, ...rest } = invitation;
  return rest;
}

export function createPeopleStore(db: Database): PeopleStore {
  return {
    members: async (businessId) =>
      (await db.all<MemberRow>(`SELECT ${MEMBER_COLUMNS} FROM member WHERE business_id = $1 ORDER BY created_at, id`, businessId)).map(
        memberOf,
      ),

    member: (businessId, memberId) => readMember(db, businessId, memberId),

    async findLogin(email) {
      const row = await db.get<MemberRow & { password: string }>(`SELECT ${MEMBER_COLUMNS}, password FROM member WHERE email = $1`, email);
      return row === undefined ? null : { member: memberOf(row), password: row.password };
    },

    add: ({ actor }, draft) =>
      db.write(async (tx) => {
        const member = await insertMember(tx, draft);
        await recordAudit(tx, actor, "member.create", member.id, draft.createdAt);
        return member;
      }),

    setRole: ({ actor, target }, memberId, role, now) =>
      db.write(async (tx) => {
        await lockBusiness(tx, target.id);
        const member = await requireMember(tx, target.id, memberId);
        if (member.role === role) return member;
        if (member.role === "owner") await requireAnotherOwner(tx, member);
        await tx.run("UPDATE member SET role = $1, updated_at = $2 WHERE business_id = $3 AND id = $4", role, now, target.id, memberId);
        await tx.run("DELETE FROM session WHERE business_id = $1 AND member_id = $2", target.id, memberId);
        await recordAudit(tx, actor, `member.role.${role}`, memberId, now);
        return requireMember(tx, target.id, memberId);
      }),

    remove: ({ actor, target }, memberId, now) =>
      db.write(async (tx) => {
        await lockBusiness(tx, target.id);
        const member = await requireMember(tx, target.id, memberId);
        if (member.role === "owner") await requireAnotherOwner(tx, member);
        await tx.run("DELETE FROM session WHERE business_id = $1 AND member_id = $2", target.id, memberId);
        await tx.run("DELETE FROM member WHERE business_id = $1 AND id = $2", target.id, memberId);
        await recordAudit(tx, actor, "member.remove", memberId, now);
      }),

    setPassword: ({ businessId, id }, password, keep, now) =>
      db.write(async (tx) => {
        await tx.run("UPDATE member SET password = $1, updated_at = $2 WHERE business_id = $3 AND id = $4", password, now, businessId, id);
        await tx.run("DELETE FROM session WHERE business_id = $1 AND member_id = $2 AND id <> $3", businessId, id, keep ?? "");
        await insertAudit(tx, { businessId, actor: id, action: "member.password", subject: id, at: now });
      }),

    offerClaim: (businessId, hash, expiresAt) =>
      db.write(async (tx) => {
        await lockBusiness(tx, businessId);
        if (await hasMembers(tx, businessId)) return false;
        await tx.run("INSERT INTO claim (business_id, hash, expires_at) VALUES ($1, $2, $3)", businessId, hash, expiresAt);
        return true;
      }),

    async claim(hash, draft, session) {
      const offer = await db.get<{ business_id: string }>("SELECT business_id FROM claim WHERE hash = $1", hash);
      if (offer === undefined) return null;
      const businessId = offer.business_id;
      return db.write(async (tx) => {
        await lockBusiness(tx, businessId);
        // Read again under the lock: another may have been first.
        const still = await tx.get<{ expires_at: number }>(
          "SELECT expires_at FROM claim WHERE business_id = $1 AND hash = $2",
          businessId,
          hash,
        );
        if (still === undefined || still.expires_at <= draft.createdAt || (await hasMembers(tx, businessId))) return null;
        await tx.run("DELETE FROM claim WHERE business_id = $1", businessId);
        const member = await insertMember(tx, { ...draft, businessId, role: "owner" });
        await insertAudit(tx, { businessId, actor: member.id, action: "business.claim", subject: member.id, at: draft.createdAt });
        const started = await insertSession(tx, { ...session, businessId, memberId: member.id });
        return { session: started, member: await requireMember(tx, businessId, member.id) };
      });
    },

    startSession: (session) =>
      db.write(async (tx) => {
        await insertSession(tx, session);
      }),

    async findSession(hash) {
      const row = await db.get<SessionRow>(`SELECT ${SESSION_COLUMNS} FROM session WHERE hash = $1`, hash);
      if (row === undefined) return null;
      const member = await readMember(db, row.business_id, row.member_id);
      return member === null ? null : { member, session: sessionOf(row) };
    },

    touchSession: ({ businessId, id, memberId }, now) =>
      db.write(async (tx) => {
        await tx.run(
          "UPDATE session SET last_seen_at = greatest(last_seen_at, $1) WHERE business_id = $2 AND id = $3",
          now,
          businessId,
          id,
        );
        await tx.run(
          "UPDATE member SET last_seen_at = greatest(coalesce(last_seen_at, 0), $1) WHERE business_id = $2 AND id = $3",
          now,
          businessId,
          memberId,
        );
      }),

    sessions: async (businessId, memberId) =>
      (
        await db.all<SessionRow>(
          `SELECT ${SESSION_COLUMNS} FROM session WHERE business_id = $1 AND member_id = $2 ORDER BY last_seen_at DESC, id`,
          businessId,
          memberId,
        )
      ).map(sessionOf),

    endSession: async (businessId, memberId, sessionId) =>
      (await db.write((tx) =>
        tx.run("DELETE FROM session WHERE business_id = $1 AND member_id = $2 AND id = $3", businessId, memberId, sessionId),
      )) > 0,

    invitations: async (businessId) =>
      (
        await db.all<InvitationRow>(
          `SELECT ${INVITATION_COLUMNS} FROM invitation WHERE business_id = $1 ORDER BY created_at, id`,
          businessId,
        )
      ).map(invitationOf),

    invite: (scope, invitation, once) =>
      db.write(async (tx) => {
        const outcome = await createOnce(tx, once, invitation.createdAt, () => insertInvitation(tx, scope.actor, invitation));
        if (outcome.replayed) throw secretWasShown("invitation");
        return outcome.value;
      }),

    async findInvitation(hash) {
      const row = await db.get<InvitationRow>(`SELECT ${INVITATION_COLUMNS} FROM invitation WHERE hash = $1`, hash);
      return row === undefined ? null : invitationOf(row);
    },

    accept: (hash, draft, session) =>
      db.write(async (tx) => {
        const row = await tx.get<InvitationRow>(`SELECT ${INVITATION_COLUMNS} FROM invitation WHERE hash = $1 FOR UPDATE`, hash);
        if (row === undefined || row.expires_at <= draft.createdAt) return null;
        const { businessId, email, role } = invitationOf(row);
        await tx.run("DELETE FROM invitation WHERE business_id = $1 AND id = $2", businessId, row.id);
        const member = await insertMember(tx, { ...draft, businessId, email, role });
        await insertAudit(tx, { businessId, actor: member.id, action: "invitation.accept", subject: row.id, at: draft.createdAt });
        const started = await insertSession(tx, { ...session, businessId, memberId: member.id });
        return { session: started, member: await requireMember(tx, businessId, member.id) };
      }),

    withdraw: ({ actor, target }, invitationId, now) =>
      db.write(async (tx) => {
        const gone = (await tx.run("DELETE FROM invitation WHERE business_id = $1 AND id = $2", target.id, invitationId)) > 0;
        if (gone) await recordAudit(tx, actor, "invitation.withdraw", invitationId, now);
        return gone;
      }),
  };
}
