import type { Role } from "#domain/core/access.ts";
import { AppError, forbiddenRole, notFound } from "#domain/core/error.ts";
import { type Invitation, type Member, hashToken, newToken, readEmail, requirePassword } from "#domain/settings/member.ts";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import type { BusinessAdmin, BusinessOwner } from "../access.ts";
import { type LogInResult, type PeopleDeps, draftSession } from "./sessions.ts";

const INVITATION_MS = 7 * 86_400_000;

export const listMembers = ({ store }: PeopleDeps, { target }: BusinessAdmin): Promise<Member[]> => store.people.members(target.id);

/** Adds a member with a password, by the operator. */
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

export const changeRole = ({ store, clock }: PeopleDeps, scope: BusinessOwner, memberId: string, role: Role): Promise<Member> =>
  store.people.setRole(scope, memberId, role, clock.now());

/** Removes a member with all sessions; owners are removed by owners alone, and the last one by nobody. */
export async function removeMember({ store, clock }: PeopleDeps, scope: BusinessAdmin, memberId: string): Promise<void> {
  const member = await store.people.member(scope.target.id, memberId);
  if (member === null) throw notFound("Member");
  requireReach(scope, member.role);
  await store.people.remove(scope, memberId, clock.now());
}

export const listInvitations = async ({ store, clock }: PeopleDeps, { target }: BusinessAdmin): Promise<Invitation[]> =>
  (await store.people.invitations(target.id)).filter(({ expiresAt }) => expiresAt > clock.now());

/** Invites one address for a week; the token is told this once. */
export async function invite(
  { store, clock }: PeopleDeps,
  scope: BusinessAdmin,
  input: { readonly email: string; readonly role: Role },
  idempotency?: IdempotencyRecord<Invitation>,
): Promise<{ readonly invitation: Invitation; readonly token: string }> {
  requireReach(scope, input.role);
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

/** What an invitation says to whoever has its link, and of which business it is. */
export async function getInvitation(
  { store, clock }: PeopleDeps,
  token: string,
): Promise<{ readonly invitation: Invitation; readonly businessName: string }> {
  const hash = hashToken("j", token);
  const invitation = hash === null ? null : await store.people.findInvitation(hash);
  if (invitation === null || invitation.expiresAt <= clock.now()) throw notValid();
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
  const entered = await deps.store.people.accept(hash, { id: newId("mem", now), password, createdAt: now }, session);
  if (entered === null) throw notValid();
  return { ...entered, token };
}

/** Nobody makes or removes an owner but an owner, or the operator. */
function requireReach({ actor }: BusinessAdmin, role: Role): void {
  if (role === "owner" && actor.kind === "member" && actor.role !== "owner") throw forbiddenRole("owner");
}

const notValid = (): AppError =>
  new AppError("not_found", "This invitation was used already, was withdrawn, or has expired. Ask for a new one.");
