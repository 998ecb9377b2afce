import type { Actor, Authorized, Role } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import { notFound } from "#domain/core/error.ts";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import type { Invitation, LoggedIn, Member, NewInvitation, NewMember, NewSession, PeopleStore } from "#domain/settings/member.ts";
import { addressTaken, lastOwner, secretWasShown } from "../../shared/changes.ts";
import { insertAudit, recordAudit } from "../audit.ts";
import type { Driver } from "../driver.ts";
import { insert, Mapping, plain } from "../mapping.ts";
import { createIdempotently } from "../idempotency.ts";
import { exists, get, run, type Unit } from "../unit.ts";
import { insertSession, MEMBERS, SessionStore } from "./sessions.ts";

type Owning = Authorized<Business, "own">;
type Administering = Authorized<Business, "administer">;
type FirstOwner = Omit<NewMember, "businessId" | "role">;
type Invited = Omit<FirstOwner, "email">;
type FirstSession = Omit<NewSession, "businessId" | "memberId">;

const INVITATIONS = new Mapping<Invitation>({
  id: plain,
  businessId: plain,
  email: plain,
  role: plain,
  createdBy: plain,
  createdAt: plain,
  expiresAt: plain,
});
const IS_MEMBER = "business_id = @businessId AND id = @id";

const readMember = (businessId: string, id: string): Unit<Member | null> => MEMBERS.find(`member WHERE ${IS_MEMBER}`, { businessId, id });

function* requireMember(businessId: string, id: string): Unit<Member> {
  const member = yield* readMember(businessId, id);
  if (member === null) throw notFound("Member");
  return member;
}

function* requireAnotherOwner({ businessId, id }: Member): Unit<void> {
  const hasOther = yield* exists("SELECT 1 FROM member WHERE business_id = @businessId AND role = 'owner' AND id <> @id LIMIT 1", {
    businessId,
    id,
  });
  if (!hasOther) throw lastOwner();
}

const hasMembers = (businessId: string): Unit<boolean> =>
  exists("SELECT 1 FROM member WHERE business_id = @businessId LIMIT 1", { businessId });

/** Members, invitations and the one-time link of the first owner; sessions are in the class it extends. */
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
        {
          email,
        },
      );
      if (row === undefined) return null;
      const { password, ...member } = row;
      return { member, password };
    });
  }

  add({ actor }: Owning, draft: NewMember): Promise<Member> {
    return this.#driver.write(() => this.#add(actor, draft));
  }

  *#add(actor: Actor, draft: NewMember): Unit<Member> {
    const member = yield* this.#insertMember(draft);
    yield* recordAudit(actor, "member.create", member.id, draft.createdAt);
    return member;
  }

  setRole({ actor, target }: Owning, memberId: string, role: Role, now: number): Promise<Member> {
    return this.#driver.write(() => this.#setRole(actor, target.id, memberId, role, now));
  }

  *#setRole(actor: Actor, businessId: string, id: string, role: Role, now: number): Unit<Member> {
    yield* this.#driver.dialect.lockBusiness(businessId);
    const member = yield* requireMember(businessId, id);
    if (member.role === role) return member;
    if (member.role === "owner") yield* requireAnotherOwner(member);
    yield* run(`UPDATE member SET role = @role, updated_at = @now WHERE ${IS_MEMBER}`, { role, now, businessId, id });
    yield* run("DELETE FROM session WHERE business_id = @businessId AND member_id = @id", { businessId, id });
    yield* recordAudit(actor, `member.role.${role}`, id, now);
    return yield* requireMember(businessId, id);
  }

  remove({ actor, target }: Administering, memberId: string, now: number): Promise<void> {
    return this.#driver.write(() => this.#remove(actor, target.id, memberId, now));
  }

  *#remove(actor: Actor, businessId: string, id: string, now: number): Unit<void> {
    yield* this.#driver.dialect.lockBusiness(businessId);
    const member = yield* requireMember(businessId, id);
    if (member.role === "owner") yield* requireAnotherOwner(member);
    yield* run("DELETE FROM session WHERE business_id = @businessId AND member_id = @id", { businessId, id });
    yield* run(`DELETE FROM member WHERE ${IS_MEMBER}`, { businessId, id });
    yield* recordAudit(actor, "member.remove", id, now);
  }

  setPassword({ businessId, id }: Member, password: string, keep: string | null, now: number): Promise<void> {
    return this.#driver.write(function* () {
      yield* run(`UPDATE member SET password = @password, updated_at = @now WHERE ${IS_MEMBER}`, { password, now, businessId, id });
      yield* run("DELETE FROM session WHERE business_id = @businessId AND member_id = @id AND id <> @keep", {
        businessId,
        id,
        keep: keep ?? "",
      });
      yield* insertAudit({ businessId, actor: id, action: "member.password", subject: id, at: now });
    });
  }

  createSetupToken(businessId: string, hash: string, expiresAt: number): Promise<boolean> {
    return this.#driver.write(() => this.#createSetupToken(businessId, hash, expiresAt));
  }

  *#createSetupToken(businessId: string, hash: string, expiresAt: number): Unit<boolean> {
    yield* this.#driver.dialect.lockBusiness(businessId);
    if (yield* hasMembers(businessId)) return false;
    yield* insert("claim", { businessId, hash, expiresAt });
    return true;
  }

  createFirstOwner(hash: string, draft: FirstOwner, session: FirstSession): Promise<LoggedIn | null> {
    return this.#driver.write(() => this.#createFirstOwner(hash, draft, session));
  }

  *#createFirstOwner(hash: string, draft: FirstOwner, session: FirstSession): Unit<LoggedIn | null> {
    const offer = yield* get<{ business_id: string }>("SELECT business_id FROM claim WHERE hash = @hash", { hash });
    if (offer === undefined) return null;
    const businessId = offer.business_id;
    yield* this.#driver.dialect.lockBusiness(businessId);
    // Read again under the lock: another may have been first.
    const params = { businessId, hash };
    const still = yield* get<{ expires_at: number }>(
      "SELECT expires_at FROM claim WHERE business_id = @businessId AND hash = @hash",
      params,
    );
    if (still === undefined || still.expires_at <= draft.createdAt || (yield* hasMembers(businessId))) return null;
    yield* run("DELETE FROM claim WHERE business_id = @businessId", { businessId });
    const joined = yield* this.#join({ ...draft, businessId, role: "owner" }, session);
    const { id } = joined.member;
    yield* insertAudit({ businessId, actor: id, action: "business.claim", subject: id, at: draft.createdAt });
    return joined;
  }

  invitations(businessId: string): Promise<Invitation[]> {
    return this.#driver.read(() => INVITATIONS.list("invitation WHERE business_id = @businessId ORDER BY created_at, id", { businessId }));
  }

  invite(scope: Administering, invitation: NewInvitation, idempotency?: IdempotencyRecord<Invitation>): Promise<Invitation> {
    return this.#driver.write(() => this.#invite(scope.actor, invitation, idempotency));
  }

  *#invite(actor: Actor, invitation: NewInvitation, idempotency?: IdempotencyRecord<Invitation>): Unit<Invitation> {
    const outcome = yield* createIdempotently(idempotency, invitation.createdAt, () => this.#insertInvitation(actor, invitation));
    if (outcome.replayed) throw secretWasShown("invitation");
    return outcome.value;
  }

  *#insertInvitation(actor: Actor, { hash, ...invitation }: NewInvitation): Unit<Invitation> {
    const { businessId, id, email, createdAt } = invitation;
    yield* this.#requireFree(email);
    yield* run("DELETE FROM invitation WHERE business_id = @businessId AND email = @email", { businessId, email });
    yield* insert("invitation", { ...invitation, hash });
    yield* recordAudit(actor, "invitation.create", id, createdAt);
    return invitation;
  }

  findInvitation(hash: string): Promise<Invitation | null> {
    return this.#driver.read(() => INVITATIONS.find("invitation WHERE hash = @hash", { hash }));
  }

  accept(hash: string, draft: Invited, session: FirstSession): Promise<LoggedIn | null> {
    return this.#driver.write(() => this.#accept(hash, draft, session));
  }

  *#accept(hash: string, draft: Invited, session: FirstSession): Unit<LoggedIn | null> {
    const invitation = yield* INVITATIONS.findForChange(this.#driver.dialect, "invitation WHERE hash = @hash", { hash });
    if (invitation === null || invitation.expiresAt <= draft.createdAt) return null;
    const { businessId, id, email, role } = invitation;
    yield* run("DELETE FROM invitation WHERE business_id = @businessId AND id = @id", { businessId, id });
    const joined = yield* this.#join({ ...draft, businessId, email, role }, session);
    yield* insertAudit({ businessId, actor: joined.member.id, action: "invitation.accept", subject: id, at: draft.createdAt });
    return joined;
  }

  revokeInvitation({ actor, target }: Administering, invitationId: string, now: number): Promise<boolean> {
    return this.#driver.write(function* () {
      const params = { businessId: target.id, invitationId };
      const isGone = (yield* run("DELETE FROM invitation WHERE business_id = @businessId AND id = @invitationId", params)) > 0;
      if (isGone) yield* recordAudit(actor, "invitation.withdraw", invitationId, now);
      return isGone;
    });
  }

  *#join(draft: NewMember, session: FirstSession): Unit<LoggedIn> {
    const { businessId, id } = yield* this.#insertMember(draft);
    const started = yield* insertSession({ ...session, businessId, memberId: id });
    return { session: started, member: yield* requireMember(businessId, id) };
  }

  *#insertMember({ businessId, id, email, role, password, createdAt }: NewMember): Unit<Member> {
    yield* this.#requireFree(email);
    yield* insert("member", { businessId, id, email, role, password, createdAt, updatedAt: createdAt });
    return yield* requireMember(businessId, id);
  }

  /** Addresses are unique over all businesses, which no key can guarantee that begins with the business. */
  *#requireFree(email: string): Unit<void> {
    yield* this.#driver.dialect.lock("email", email);
    if (yield* exists("SELECT 1 FROM member WHERE email = @email", { email })) throw addressTaken();
  }
}
