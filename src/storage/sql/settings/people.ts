import { type Actor, actorId } from "#domain/core/access.ts";
import type { Invitation, Member, NewInvitation, PeopleStore } from "#domain/settings/member.ts";
import { secretAlreadyShown } from "../checks/errors.ts";
import { insertAudit, recordAudit } from "./audit.ts";
import { type Dialect, type Driver, lockBusiness } from "../driver.ts";
import { insert, Mapping, plain, plainFields } from "../mapping.ts";
import { createIdempotently } from "../checks/idempotency.ts";
import { run, type Unit } from "../unit.ts";
import {
  hasMembers,
  insertMember,
  IS_MEMBER,
  MEMBER_FIELDS,
  MEMBERS,
  readMember,
  requireAnotherOwner,
  requireFreeEmail,
  requireMember,
} from "./member-rows.ts";
import { createSessions, insertLoggedInMember } from "./sessions.ts";

const INVITATIONS = new Mapping<Invitation>(plainFields("id", "businessId", "email", "role", "createdBy", "createdAt", "expiresAt"));

const SETUP_TOKENS = new Mapping<{ readonly businessId: string; readonly expiresAt: number }>(plainFields("businessId", "expiresAt"));
const LOGINS = new Mapping<Member & { readonly password: string }>({ ...MEMBER_FIELDS, password: plain });

const OF_MEMBER = "session WHERE business_id = @businessId AND member_id = @id";

export function createPeopleStore(driver: Driver): PeopleStore {
  return { ...createMembers(driver), ...createInvitations(driver), ...createFirstOwners(driver), ...createSessions(driver) };
}

type MemberMethods = "members" | "member" | "findLogin" | "add" | "setRole" | "remove" | "setPassword";

function createMembers({ dialect, read, write }: Driver): Pick<PeopleStore, MemberMethods> {
  return {
    members: (businessId) => read(() => MEMBERS.list("member WHERE business_id = @businessId ORDER BY created_at, id", { businessId })),
    member: (businessId, memberId) => read(() => readMember(businessId, memberId)),

    findLogin: (email) =>
      read(function* () {
        const found = yield* LOGINS.find("member WHERE email = @email", { email });
        if (found === null) return null;
        const { password, ...member } = found;
        return { member, password };
      }),

    add: ({ actor }, draft) =>
      write(function* () {
        const member = yield* insertMember(dialect, draft);
        yield* recordAudit(actor, "member.create", member.id, draft.createdAt);
        return member;
      }),

    setRole: ({ actor, target: { id: businessId } }, id, role, now) =>
      write(function* () {
        yield* lockBusiness(dialect, businessId);
        const member = yield* requireMember(businessId, id);
        if (member.role === role) return member;
        yield* requireAnotherOwner(member);
        yield* run(`UPDATE member SET role = @role, updated_at = @now WHERE ${IS_MEMBER}`, { role, now, businessId, id });
        yield* run(`DELETE FROM ${OF_MEMBER}`, { businessId, id });
        yield* recordAudit(actor, `member.role.${role}`, id, now);
        return yield* requireMember(businessId, id);
      }),

    remove: ({ actor, target: { id: businessId } }, id, now) =>
      write(function* () {
        yield* lockBusiness(dialect, businessId);
        yield* requireAnotherOwner(yield* requireMember(businessId, id));
        yield* run(`DELETE FROM ${OF_MEMBER}`, { businessId, id });
        yield* run(`DELETE FROM member WHERE ${IS_MEMBER}`, { businessId, id });
        yield* recordAudit(actor, "member.remove", id, now);
      }),

    setPassword: ({ businessId, id }, password, { by, keepSession, now }) =>
      write(function* () {
        yield* run(`UPDATE member SET password = @password, updated_at = @now WHERE ${IS_MEMBER}`, { password, now, businessId, id });
        yield* run(`DELETE FROM ${OF_MEMBER} AND id <> @keep`, { businessId, id, keep: keepSession ?? "" });
        yield* insertAudit({ businessId, actor: actorId(by), action: "member.password", subject: id, at: now });
      }),
  };
}

/** First-run set-up. */
function createFirstOwners({ dialect, write }: Driver): Pick<PeopleStore, "createSetupToken" | "createFirstOwner"> {
  return {
    createSetupToken: (businessId, hash, expiresAt) =>
      write(function* () {
        yield* lockBusiness(dialect, businessId);
        if (yield* hasMembers(businessId)) return false;
        yield* insert("claim", { businessId, hash, expiresAt });
        return true;
      }),

    createFirstOwner: (hash, draft, session) =>
      write(function* () {
        const found = yield* SETUP_TOKENS.find("claim WHERE hash = @hash", { hash });
        if (found === null) return null;
        const { businessId } = found;
        yield* lockBusiness(dialect, businessId);
        // Read it again under the lock, since another call may have used it in the meantime.
        const token = yield* SETUP_TOKENS.find("claim WHERE business_id = @businessId AND hash = @hash", { businessId, hash });
        if (token === null || token.expiresAt <= draft.createdAt || (yield* hasMembers(businessId))) return null;
        yield* run("DELETE FROM claim WHERE business_id = @businessId", { businessId });
        const loggedIn = yield* insertLoggedInMember(dialect, { ...draft, businessId, role: "owner" }, session);
        const { id } = loggedIn.member;
        yield* insertAudit({ businessId, actor: id, action: "business.claim", subject: id, at: draft.createdAt });
        return loggedIn;
      }),
  };
}

type InvitationMethods = "invitations" | "invite" | "findInvitation" | "accept" | "revokeInvitation";

function createInvitations(driver: Driver): Pick<PeopleStore, InvitationMethods> {
  const { dialect, read, write } = driver;
  return {
    invitations: (businessId) =>
      read(() => INVITATIONS.list("invitation WHERE business_id = @businessId ORDER BY created_at, id", { businessId })),

    async invite({ actor }, invitation, idempotency) {
      const create = () => insertInvitation(dialect, actor, invitation);
      const outcome = await createIdempotently(driver, { idempotency, now: invitation.createdAt, create });
      if (outcome.replayed) throw secretAlreadyShown("invitation");
      return outcome.value;
    },

    findInvitation: (hash) => read(() => INVITATIONS.find("invitation WHERE hash = @hash", { hash })),

    accept: (hash, draft, session) =>
      write(function* () {
        const invitation = yield* INVITATIONS.findForChange(dialect, "invitation WHERE hash = @hash", { hash });
        if (invitation === null || invitation.expiresAt <= draft.createdAt) return null;
        const { businessId, id, email, role } = invitation;
        yield* run("DELETE FROM invitation WHERE business_id = @businessId AND id = @id", { businessId, id });
        const loggedIn = yield* insertLoggedInMember(dialect, { ...draft, businessId, email, role }, session);
        yield* insertAudit({ businessId, actor: loggedIn.member.id, action: "invitation.accept", subject: id, at: draft.createdAt });
        return loggedIn;
      }),

    revokeInvitation: ({ actor, target }, invitationId, now) =>
      write(function* () {
        const params = { businessId: target.id, invitationId };
        const isDeleted = (yield* run("DELETE FROM invitation WHERE business_id = @businessId AND id = @invitationId", params)) > 0;
        if (isDeleted) yield* recordAudit(actor, "invitation.withdraw", invitationId, now);
        return isDeleted;
      }),
  };
}

/** Inserts an invitation and replaces one for the same address. */
function* insertInvitation(dialect: Dialect, actor: Actor, { hash, ...invitation }: NewInvitation): Unit<Invitation> {
  const { businessId, id, email, createdAt } = invitation;
  yield* requireFreeEmail(dialect, email);
  yield* run("DELETE FROM invitation WHERE business_id = @businessId AND email = @email", { businessId, email });
  yield* insert("invitation", { ...invitation, hash });
  yield* recordAudit(actor, "invitation.create", id, createdAt);
  return invitation;
}
