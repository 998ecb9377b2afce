import { notFound } from "#domain/core/errors/error.ts";
import type { Member, NewMember } from "#domain/settings/member.ts";
import { emailTaken, ownerRequired } from "../checks/errors.ts";
import type { Dialect } from "../driver.ts";
import { insert, Mapping, plainFields } from "../mapping.ts";
import { exists, type Unit } from "../unit.ts";

export const MEMBER_FIELDS = plainFields("id", "businessId", "email", "role", "lastSeenAt", "createdAt", "updatedAt");
export const MEMBERS = new Mapping<Member>(MEMBER_FIELDS);
export const IS_MEMBER = "business_id = @businessId AND id = @id";

export const readMember = (businessId: string, id: string): Unit<Member | null> =>
  MEMBERS.find(`member WHERE ${IS_MEMBER}`, { businessId, id });

/** Throws 404 if the business has no such member. */
export function* requireMember(businessId: string, id: string): Unit<Member> {
  const member = yield* readMember(businessId, id);
  if (member === null) throw notFound("Member");
  return member;
}

/** Throws 409 if the member is the last owner. The business must be locked. */
export function* requireAnotherOwner({ businessId, id, role }: Member): Unit<void> {
  if (role !== "owner") return;
  const sql = "SELECT 1 FROM member WHERE business_id = @businessId AND role = 'owner' AND id <> @id LIMIT 1";
  if (!(yield* exists(sql, { businessId, id }))) throw ownerRequired();
}

export const hasMembers = (businessId: string): Unit<boolean> =>
  exists("SELECT 1 FROM member WHERE business_id = @businessId LIMIT 1", { businessId });

/** Throws 409 if the address is taken in any business. It needs a lock, since a unique index that begins with the business can't ensure this. */
export function* requireFreeEmail(dialect: Dialect, email: string): Unit<void> {
  yield* dialect.lock("email", email);
  if (yield* exists("SELECT 1 FROM member WHERE email = @email", { email })) throw emailTaken();
}

export function* insertMember(dialect: Dialect, { businessId, id, email, role, password, createdAt }: NewMember): Unit<Member> {
  yield* requireFreeEmail(dialect, email);
  yield* insert("member", { businessId, id, email, role, password, createdAt, updatedAt: createdAt });
  return yield* requireMember(businessId, id);
}
