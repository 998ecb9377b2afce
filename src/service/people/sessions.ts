import type { Actor } from "#domain/core/access.ts";
import { AppError, logInRequired, notFound, invalidField } from "#domain/core/errors/error.ts";
import {
  type LoggedIn,
  type Member,
  type NewSession,
  type Session,
  hashToken,
  newToken,
  readEmail,
  requirePassword,
} from "#domain/settings/member.ts";
import { newId } from "#domain/core/system.ts";
import type { Deps, StoreDeps } from "../deps.ts";

export type PeopleDeps = StoreDeps & Pick<Deps, "passwords">;

/** A session ends after this time without a call, and after `SESSION_MS` in any case. */
const IDLE_MS = 7 * 86_400_000;
export const SESSION_MS = 30 * 86_400_000;
/** Precision of the stored last use, so that most calls do not write. */
const TOUCH_MS = 5 * 60_000;
const MAX_AGENT_LENGTH = 200;

/** The member, the session and its token, which can't be read again. */
export type LogInResult = LoggedIn & { readonly token: string };

/** Creates a token and a session that is not assigned to a member yet. */
export function draftSession(
  { clock }: PeopleDeps,
  agent: string,
): { token: string; session: Omit<NewSession, "businessId" | "memberId"> } {
  const now = clock.now();
  const { token, hash } = newToken("s");
  const session = {
    id: newId("ses", now),
    hash,
    agent: agent.slice(0, MAX_AGENT_LENGTH),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + SESSION_MS,
  };
  return { token, session };
}

/** Logs a member in. Throws the same 401 after the same time for a wrong e-mail address and for a wrong password. */
export async function logIn(
  deps: PeopleDeps,
  input: { readonly email: string; readonly password: string; readonly agent: string },
): Promise<LogInResult> {
  const login = await deps.store.people.findLogin(emailOrEmpty(input.email));
  if (!(await deps.passwords.verify(input.password, login?.password ?? null)) || login === null)
    throw new AppError("credentials_wrong", "The e-mail address or the password is wrong.");
  const { member } = login;
  const { token, session } = draftSession(deps, input.agent);
  const started = { ...session, businessId: member.businessId, memberId: member.id };
  await deps.store.people.startSession(started);
  const { hash: _hash, ...rest } = started;
  return { member, session: rest, token };
}

/** Returns an empty string for an invalid address, so that log-in fails after the same time as for an unknown one. */
function emailOrEmpty(text: string): string {
  try {
    return readEmail(text);
  } catch {
    return "";
  }
}

/** Authenticates a session token. Returns null when the session is unknown, ended or expired. */
export async function authenticateMember({ store, clock }: PeopleDeps, token: string): Promise<(Actor & { kind: "member" }) | null> {
  const hash = hashToken("s", token);
  const found = hash === null ? null : await store.people.findSession(hash);
  if (found === null) return null;
  const { member, session } = found;
  const now = clock.now();
  if (session.expiresAt <= now || session.lastSeenAt + IDLE_MS <= now) return null;
  if (now - session.lastSeenAt >= TOUCH_MS) await store.people.touchSession(session, now);
  const { businessId, id: memberId, email, role } = member;
  return { kind: "member", businessId, memberId, email, role, sessionId: session.id };
}

export type MemberActor = Actor & { readonly kind: "member" };

/** Throws 403 for actors that are not logged-in members. Account settings have no other form of access. */
export function requireMemberActor(actor: Actor): MemberActor {
  if (actor.kind === "member") return actor;
  throw logInRequired();
}

export async function readMember({ store }: PeopleDeps, { businessId, memberId }: MemberActor): Promise<Member> {
  const member = await store.people.member(businessId, memberId);
  if (member === null) throw notFound("Member");
  return member;
}

/** Lists the member's active sessions, most recently used first. */
export async function listSessions({ store, clock }: PeopleDeps, { businessId, memberId }: MemberActor): Promise<Session[]> {
  const now = clock.now();
  const sessions = await store.people.sessions(businessId, memberId);
  return sessions.filter(({ expiresAt, lastSeenAt }) => expiresAt > now && lastSeenAt + IDLE_MS > now);
}

export async function endSession({ store }: PeopleDeps, { businessId, memberId }: MemberActor, sessionId: string): Promise<void> {
  if (!(await store.people.endSession(businessId, memberId, sessionId))) throw notFound("Session");
}

/** Throws 400 if this is not the member's current password. */
export async function verifyPassword(deps: PeopleDeps, actor: MemberActor, password: string): Promise<void> {
  const login = await deps.store.people.findLogin(actor.email);
  if (!(await deps.passwords.verify(password, login?.password ?? null))) throw invalidField("current_password", "is wrong.");
}

/** Changes a member's own password, after the current one was verified, and ends their other sessions. */
export async function changePassword(deps: PeopleDeps, actor: MemberActor, password: string): Promise<void> {
  requirePassword(password, actor.email, "new_password");
  const { businessId, memberId: id } = actor;
  const hashed = await deps.passwords.hash(password);
  await deps.store.people.setPassword({ businessId, id }, hashed, { by: actor, keepSession: actor.sessionId, now: deps.clock.now() });
}
