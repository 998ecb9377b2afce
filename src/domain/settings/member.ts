import { randomBytes } from "node:crypto";
import type { Authorized, Role } from "../core/access.ts";
import { hashKey } from "./api-key.ts";
import type { Business } from "../core/board.ts";
import { invalid } from "../core/error.ts";
import type { IdempotencyRecord } from "../core/idempotency.ts";

export const ROLES = ["owner", "admin", "member"] as const satisfies readonly Role[];

export type Member = {
  readonly id: string;
  readonly businessId: string;
  /** As `readEmail` gives it; one member of one business has it. */
  readonly email: string;
  readonly role: Role;
  readonly lastSeenAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type NewMember = Pick<Member, "id" | "businessId" | "email" | "role"> & {
  /** What `passwords.hash` made. */
  readonly password: string;
  readonly createdAt: number;
};

/** One browser where a member is logged in. Its token is known to that browser alone; the store has its SHA-256. */
export type Session = {
  readonly id: string;
  readonly businessId: string;
  readonly memberId: string;
  /** What the browser calls itself, cut short. */
  readonly agent: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** When it ends however much it is used. */
  readonly expiresAt: number;
};

/** The sessions of one member that are kept; a log-in beyond them ends the one that was not used for longest. */
export const MAX_SESSIONS_PER_MEMBER = 100;

export type NewSession = Session & { readonly hash: string };

/** A link that makes one person with one e-mail address a member, once. */
export type Invitation = {
  readonly id: string;
  readonly businessId: string;
  readonly email: string;
  readonly role: Role;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type NewInvitation = Invitation & { readonly hash: string };

export type LoggedIn = { readonly member: Member; readonly session: Session };

/** Members, and what lets them in. E-mail addresses are unique among all businesses of an install. */
export interface PeopleStore {
  members(businessId: string): Promise<Member[]>;
  member(businessId: string, memberId: string): Promise<Member | null>;
  /** Who logs in with this address, and the hash of the password. */
  findLogin(email: string): Promise<{ readonly member: Member; readonly password: string } | null>;
  /** Adds a member, by the operator. 409 where the address is taken. */
  add(scope: Authorized<Business, "own">, member: NewMember): Promise<Member>;
  /** Changes a role and ends the member's sessions, since they were given to another role; 409 for the last owner. */
  setRole(scope: Authorized<Business, "own">, memberId: string, role: Role, now: number): Promise<Member>;
  /** Removes a member with all sessions; 409 for the last owner. */
  remove(scope: Authorized<Business, "administer">, memberId: string, now: number): Promise<void>;
  /** Sets a password and ends all sessions of the member but `keep`. */
  setPassword(member: Member, password: string, keep: string | null, now: number): Promise<void>;

  /** Keeps the hash of a token that makes the first owner; false where the business has members already. */
  createSetupToken(businessId: string, hash: string, expiresAt: number): Promise<boolean>;
  /** Makes the first owner and ends every such token; null where it is none, has expired, or another was first. */
  createFirstOwner(
    hash: string,
    member: Omit<NewMember, "businessId" | "role">,
    session: Omit<NewSession, "businessId" | "memberId">,
  ): Promise<LoggedIn | null>;

  /** Starts a session; ended and expired ones of the member go. */
  startSession(session: NewSession): Promise<void>;
  /** The session of a token's hash and its member, expired or not; null when it was ended. */
  findSession(hash: string): Promise<LoggedIn | null>;
  /** Notes that it was used. */
  touchSession(session: Session, now: number): Promise<void>;
  sessions(businessId: string, memberId: string): Promise<Session[]>;
  /** False when the member has no such session. */
  endSession(businessId: string, memberId: string, sessionId: string): Promise<boolean>;

  invitations(businessId: string): Promise<Invitation[]>;
  /** Replaces an earlier invitation of the same address; 409 where it is a member's, and for a repetition under `once`, as with keys. */
  invite(
    scope: Authorized<Business, "administer">,
    invitation: NewInvitation,
    idempotency?: IdempotencyRecord<Invitation>,
  ): Promise<Invitation>;
  /** Null when it was used, withdrawn or replaced. */
  findInvitation(hash: string): Promise<Invitation | null>;
  /** Makes the member and uses the invitation up, together; null when it is not there any more. 409 where the address is taken. */
  accept(
    hash: string,
    member: Omit<NewMember, "businessId" | "role" | "email">,
    session: Omit<NewSession, "businessId" | "memberId">,
  ): Promise<LoggedIn | null>;
  /** False when there is no such invitation. */
  revokeInvitation(scope: Authorized<Business, "administer">, invitationId: string, now: number): Promise<boolean>;
}

/** Hashes passwords and checks them, slowly on purpose. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** With null for who does not exist it takes as long, and answers false. */
  verify(password: string, hashed: string | null): Promise<boolean>;
}

const EMAIL = /^[^\s@"(),:;<>[\\\]]{1,64}@[^\s@"(),:;<>[\\\]]{1,189}$/u;

/** The one spelling of an e-mail address, however it was typed: trimmed, composed (Unicode NFC), in lower case. Any text has one. */
export const spellEmail = (text: string): string => text.trim().normalize("NFC").toLowerCase();

/** An e-mail address as members are found by, in the spelling of `spellEmail`. 400 where it can't be one. */
export function readEmail(text: string): string {
  const email = spellEmail(text);
  if (!EMAIL.test(email) || email.includes("..")) throw invalid("email must be an e-mail address, such as name@example.com.");
  return email;
}

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 256;

/** 400 where a password is too short, too long, or the e-mail address itself; `field` is what it came as. */
export function requirePassword(password: string, email: string, field = "password"): void {
  const { length } = [...password];
  if (length < MIN_PASSWORD_LENGTH) throw invalid(`${field} must be at least ${MIN_PASSWORD_LENGTH} characters.`);
  if (length > MAX_PASSWORD_LENGTH) throw invalid(`${field} must be at most ${MAX_PASSWORD_LENGTH} characters.`);
  if (password.trim().toLowerCase() === email || new Set(password).size < 4)
    throw invalid(`${field} is too easy to guess. Choose another one.`);
}

const TOKEN_BYTES = 32;
const TOKEN = /^ts[scj]_[\w-]{43}$/;

/** What a token is for: a session, the claim of an install, or to join by invitation. */
export type TokenKind = "s" | "c" | "j";

/** A token of 256 random bits, and the only form in which it is stored. */
export function newToken(kind: TokenKind): { readonly token: string; readonly hash: string } {
  const token = `ts${kind}_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  return { token, hash: hashKey(token) };
}

/** The stored form of what came as a token of this kind; null when it can't be one. */
export const hashToken = (kind: TokenKind, token: string): string | null =>
  TOKEN.test(token) && token[2] === kind ? hashKey(token) : null;
