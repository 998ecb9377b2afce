import { type Actor, type Authorized, type Role, actorId } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import type {
  Invitation,
  LoggedIn,
  Member,
  NewInvitation,
  NewMember,
  NewSession,
  PasswordChange,
  PeopleStore,
} from "#domain/settings/member.ts";
import { secretAlreadyShown } from "../../shared/errors.ts";
import { insertAudit, recordAudit } from "./audit.ts";
import type { Dialect, Driver } from "../driver.ts";
import { insert, Mapping, plainFields } from "../mapping.ts";
import { createIdempotently } from "../idempotency.ts";
import { get, run, type Unit } from "../unit.ts";
import {
  hasMembers,
  insertMember,
  IS_MEMBER,
  MEMBERS,
  readMember,
  requireAnotherOwner,
  requireFreeEmail,
  requireMember,
} from "./member-rows.ts";
import { insertLoggedInMember, SessionStore } from "./sessions.ts";

type OwnerScope = Authorized<Business, "own">;
type AdminScope = Authorized<Business, "administer">;
type NewOwner = Omit<NewMember, "businessId" | "role">;
type InvitedMember = Omit<NewOwner, "email">;
type FirstSession = Omit<NewSession, "businessId" | "memberId">;

const INVITATIONS = new Mapping<Invitation>(plainFields("id", "businessId", "email", "role", "createdBy", "createdAt", "expiresAt"));

/** Members, invitations and first-run set-up. Sessions are in the base class. */
export class SqlPeopleStore extends SessionStore implements PeopleStore {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    super(driver);
    this.#driver = driver;
  }

  members(businessId: string): Promise<Member[]> {
    return this.#driver.read(() => MEMBERS.list("member WHERE business_id = @businessId ORDER BY created_at, id", { businessId }));
  }

  member(businessId: string, memberId: string): Promise<Member | null> {
    return this.#driver.read(() => readMember(businessId, memberId));
  }

  findLogin(email: string): Promise<{ readonly member: Member; readonly password: string } | null> {
    return this.#driver.read(function* () {
      const row = yield* get<Member & { readonly password: string }>(
        `SELECT ${MEMBERS.columns}, password FROM member WHERE email = @email`,
        { email },
      );
      if (row === undefined) return null;
      const { password, ...member } = row;
      return { member, password };
    });
  }

  add({ actor }: OwnerScope, draft: NewMember): Promise<Member> {
    const { dialect, write } = this.#driver;
    return write(function* () {
      const member = yield* insertMember(dialect, draft);
      yield* recordAudit(actor, "member.create", member.id, draft.createdAt);
      return member;
    });
  }

  setRole({ actor, target: { id: businessId } }: OwnerScope, id: string, role: Role, now: number): Promise<Member> {
    const { dialect, write } = this.#driver;
    return write(function* () {
      yield* dialect.lockBusiness(businessId);
      const member = yield* requireMember(businessId, id);
      if (member.role === role) return member;
      yield* requireAnotherOwner(member);
      yield* run(`UPDATE member SET role = @role, updated_at = @now WHERE ${IS_MEMBER}`, { role, now, businessId, id });
      yield* run("DELETE FROM session WHERE business_id = @businessId AND member_id = @id", { businessId, id });
      yield* recordAudit(actor, `member.role.${role}`, id, now);
      return yield* requireMember(businessId, id);
    });
  }

  remove({ actor, target: { id: businessId } }: AdminScope, id: string, now: number): Promise<void> {
    const { dialect, write } = this.#driver;
    return write(function* () {
      yield* dialect.lockBusiness(businessId);
      yield* requireAnotherOwner(yield* requireMember(businessId, id));
      yield* run("DELETE FROM session WHERE business_id = @businessId AND member_id = @id", { businessId, id });
      yield* run(`DELETE FROM member WHERE ${IS_MEMBER}`, { businessId, id });
      yield* recordAudit(actor, "member.remove", id, now);
    });
  }

  setPassword({ businessId, id }: Pick<Member, "businessId" | "id">, password: string, change: PasswordChange): Promise<void> {
    const { by, keepSession, now } = change;
    return this.#driver.write(function* () {
      yield* run(`UPDATE member SET password = @password, updated_at = @now WHERE ${IS_MEMBER}`, { password, now, businessId, id });
      const sql = "DELETE FROM session WHERE business_id = @businessId AND member_id = @id AND id <> @keep";
      yield* run(sql, { businessId, id, keep: keepSession ?? "" });
      yield* insertAudit({ businessId, actor: actorId(by), action: "member.password", subject: id, at: now });
    });
  }

  createSetupToken(businessId: string, hash: string, expiresAt: number): Promise<boolean> {
    const { dialect, write } = this.#driver;
    return write(function* () {
      yield* dialect.lockBusiness(businessId);
      if (yield* hasMembers(businessId)) return false;
      yield* insert("claim", { businessId, hash, expiresAt });
      return true;
    });
  }

  createFirstOwner(hash: string, draft: NewOwner, session: FirstSession): Promise<LoggedIn | null> {
    const { dialect, write } = this.#driver;
    return write(function* () {
      const found = yield* get<{ business_id: string }>("SELECT business_id FROM claim WHERE hash = @hash", { hash });
      if (found === undefined) return null;
      const businessId = found.business_id;
      yield* dialect.lockBusiness(businessId);
      // Read it again under the lock, since another call may have used it in the meantime.
      const sql = "SELECT expires_at FROM claim WHERE business_id = @businessId AND hash = @hash";
      const token = yield* get<{ expires_at: number }>(sql, { businessId, hash });
      if (token === undefined || token.expires_at <= draft.createdAt || (yield* hasMembers(businessId))) return null;
      yield* run("DELETE FROM claim WHERE business_id = @businessId", { businessId });
      const loggedIn = yield* insertLoggedInMember(dialect, { ...draft, businessId, role: "owner" }, session);
      const { id } = loggedIn.member;
      yield* insertAudit({ businessId, actor: id, action: "business.claim", subject: id, at: draft.createdAt });
      return loggedIn;
    });
  }

  invitations(businessId: string): Promise<Invitation[]> {
    return this.#driver.read(() => INVITATIONS.list("invitation WHERE business_id = @businessId ORDER BY created_at, id", { businessId }));
  }

  async invite({ actor }: AdminScope, invitation: NewInvitation, idempotency?: IdempotencyRecord<Invitation>): Promise<Invitation> {
    const create = () => insertInvitation(this.#driver.dialect, actor, invitation);
    const outcome = await createIdempotently(this.#driver, { idempotency, now: invitation.createdAt, create });
    if (outcome.replayed) throw secretAlreadyShown("invitation");
    return outcome.value;
  }

  findInvitation(hash: string): Promise<Invitation | null> {
    return this.#driver.read(() => INVITATIONS.find("invitation WHERE hash = @hash", { hash }));
  }

  accept(hash: string, draft: InvitedMember, session: FirstSession): Promise<LoggedIn | null> {
    const { dialect, write } = this.#driver;
    return write(function* () {
      const invitation = yield* INVITATIONS.findForChange(dialect, "invitation WHERE hash = @hash", { hash });
      if (invitation === null || invitation.expiresAt <= draft.createdAt) return null;
      const { businessId, id, email, role } = invitation;
      yield* run("DELETE FROM invitation WHERE business_id = @businessId AND id = @id", { businessId, id });
      const loggedIn = yield* insertLoggedInMember(dialect, { ...draft, businessId, email, role }, session);
      yield* insertAudit({ businessId, actor: loggedIn.member.id, action: "invitation.accept", subject: id, at: draft.createdAt });
      return loggedIn;
    });
  }

  revokeInvitation({ actor, target }: AdminScope, invitationId: string, now: number): Promise<boolean> {
    return this.#driver.write(function* () {
      const params = { businessId: target.id, invitationId };
      const isDeleted = (yield* run("DELETE FROM invitation WHERE business_id = @businessId AND id = @invitationId", params)) > 0;
      if (isDeleted) yield* recordAudit(actor, "invitation.withdraw", invitationId, now);
      return isDeleted;
    });
  }
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
