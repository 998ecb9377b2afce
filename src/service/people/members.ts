import type { Role } from "#domain/core/access.ts";
import { AppError, forbiddenRole, notFound } from "#domain/core/errors/error.ts";
import { type Invitation, type Member, hashToken, newToken, readEmail, requirePassword } from "#domain/settings/member.ts";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import type { BusinessAdmin, BusinessOwner } from "../access.ts";
import { type LogInResult, type PeopleDeps, draftSession } from "./sessions.ts";

const INVITATION_MS = 7 * 86_400_000;

export const listMembers = ({ store }: PeopleDeps, { target }: BusinessAdmin): Promise<Member[]> => store.people.members(target.id);

/** Adds a member with a password, as the operator. */
export async function addMember(
  deps: PeopleDeps,
  scope: BusinessOwner,
  input: { readonly email: string; readonly role: Role; readonly password: string },
): Promise<Member> {
  const email = readEmail(input.email);
  requirePassword(input.password, email);
  const now = deps.clock.now();
  const password = await deps.passwords.hash(input.password);
  return deps.store.people.add(scope, {
    id: newId("mem", now),
    businessId: scope.target.id,
    email,
    role: input.role,
    password,
    createdAt: now,
  });
}

/** Finds the member with this e-mail address in any business. Throws 404 if there is none. */
export async function findMember({ store }: PeopleDeps, email: string): Promise<Member> {
  const login = await store.people.findLogin(readEmail(email));
  if (login === null) throw notFound("Member");
  return login.member;
}

/** Sets a password as the operator, and ends all sessions of the member. */
export async function resetPassword(deps: PeopleDeps, { businessId, id, email }: Member, password: string): Promise<void> {
  requirePassword(password, email);
  const by = { kind: "operator", businessId } as const;
  await deps.store.people.setPassword({ businessId, id }, await deps.passwords.hash(password), {
    by,
    keepSession: null,
    now: deps.clock.now(),
  });
}

export const changeRole = ({ store, clock }: PeopleDeps, scope: BusinessOwner, memberId: string, role: Role): Promise<Member> =>
  store.people.setRole(scope, memberId, role, clock.now());

/** Removes a member and all their sessions. Only owners can remove owners, and the last owner can't be removed. */
export async function removeMember({ store, clock }: PeopleDeps, scope: BusinessAdmin, memberId: string): Promise<void> {
  const member = await store.people.member(scope.target.id, memberId);
  if (member === null) throw notFound("Member");
  requireOwnerFor(scope, member.role);
  await store.people.remove(scope, memberId, clock.now());
}

export const listInvitations = async ({ store, clock }: PeopleDeps, { target }: BusinessAdmin): Promise<Invitation[]> =>
  (await store.people.invitations(target.id)).filter(({ expiresAt }) => expiresAt > clock.now());

/** Invites an e-mail address for 7 days. The returned token can't be read again. */
export async function invite(
  { store, clock }: PeopleDeps,
  scope: BusinessAdmin,
  input: { readonly email: string; readonly role: Role },
  idempotency?: IdempotencyRecord<Invitation>,
): Promise<{ readonly invitation: Invitation; readonly token: string }> {
  requireOwnerFor(scope, input.role);
  const now = clock.now();
  const { token, hash } = newToken("j");
  const { actor, target } = scope;
  const draft = {
    id: newId("inv", now),
    businessId: target.id,
    email: readEmail(input.email),
    role: input.role,
    hash,
    createdBy: actor.kind === "member" ? actor.memberId : actor.kind,
    createdAt: now,
    expiresAt: now + INVITATION_MS,
  };
  return { invitation: await store.people.invite(scope, draft, idempotency), token };
}

export async function revokeInvitation({ store, clock }: PeopleDeps, scope: BusinessAdmin, invitationId: string): Promise<void> {
  if (!(await store.people.revokeInvitation(scope, invitationId, clock.now()))) throw notFound("Invitation");
}

/** Returns the invitation of a link's token with the name of its business. Throws 404 when it is not valid. */
export async function getInvitation(
  { store, clock }: PeopleDeps,
  token: string,
): Promise<{ readonly invitation: Invitation; readonly businessName: string }> {
  const hash = hashToken("j", token);
  const invitation = hash === null ? null : await store.people.findInvitation(hash);
  if (invitation === null || invitation.expiresAt <= clock.now()) throw invalidInvitation();
  const business = await store.boards.business(invitation.businessId);
  return { invitation, businessName: business?.name ?? "" };
}

/** Makes the invited person a member, under the invited address, and logs them in. */
export async function acceptInvitation(
  deps: PeopleDeps,
  input: { readonly token: string; readonly password: string; readonly agent: string },
): Promise<LogInResult> {
  const { invitation } = await getInvitation(deps, input.token);
  requirePassword(input.password, invitation.email);
  const password = await deps.passwords.hash(input.password);
  const now = deps.clock.now();
  const { token, session } = draftSession(deps, input.agent);
  const hash = hashToken("j", input.token) as string;
  const loggedIn = await deps.store.people.accept(hash, { id: newId("mem", now), password, createdAt: now }, session);
  if (loggedIn === null) throw invalidInvitation();
  return { ...loggedIn, token };
}

/** Throws 403 unless the actor may create or remove members of this role: only owners and the operator may do so for owners. */
function requireOwnerFor({ actor }: BusinessAdmin, role: Role): void {
  if (role === "owner" && actor.kind === "member" && actor.role !== "owner") throw forbiddenRole("owner");
}

const invalidInvitation = (): AppError =>
  new AppError("link_invalid", "This invitation was already used, was revoked, or has expired. Ask for a new one.");
