import { randomBytes } from "node:crypto";
import type { Actor, Authorized, Role } from "../core/access.ts";
import { hashKey } from "./api-key.ts";
import type { Business } from "../core/board.ts";
import { invalidField } from "../core/errors/error.ts";
import type { IdempotencyRecord } from "../core/idempotency.ts";

export const ROLES = ["owner", "admin", "member"] as const satisfies readonly Role[];

export type Member = {
  readonly id: string;
  readonly businessId: string;
  /** Normalised by `readEmail`, and unique in the install. */
  readonly email: string;
  readonly role: Role;
  readonly lastSeenAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type NewMember = Pick<Member, "id" | "businessId" | "email" | "role"> & {
  /** The result of `passwords.hash`. */
  readonly password: string;
  readonly createdAt: number;
};

/** A log-in of a member in one browser. Only the browser has its token; the database stores the SHA-256. */
export type Session = {
  readonly id: string;
  readonly businessId: string;
  readonly memberId: string;
  /** The User-Agent of the browser, truncated. */
  readonly agent: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** When it ends at the latest. */
  readonly expiresAt: number;
};

/** Maximum sessions per member. Another log-in ends the least recently used one. */
export const MAX_SESSIONS_PER_MEMBER = 100;

export type NewSession = Session & { readonly hash: string };

/** A one-time link that makes the person with this e-mail address a member. */
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

/** Who changes a password, and the id of the session that goes on, if any. */
export type PasswordChange = { readonly by: Actor; readonly keepSession: string | null; readonly now: number };

/** Members, sessions, invitations and set-up tokens. E-mail addresses are unique in the install. */
export interface PeopleStore {
  members(businessId: string): Promise<Member[]>;
  member(businessId: string, memberId: string): Promise<Member | null>;
  /** Finds the member with this address and the password hash. */
  findLogin(email: string): Promise<{ readonly member: Member; readonly password: string } | null>;
  /** Adds a member. Throws 409 when the address is taken. */
  add(scope: Authorized<Business, "own">, member: NewMember): Promise<Member>;
  /** Changes the role of a member and ends their sessions. Throws 409 for the last owner. */
  setRole(scope: Authorized<Business, "own">, memberId: string, role: Role, now: number): Promise<Member>;
  /** Removes a member and their sessions. Throws 409 for the last owner. */
  remove(scope: Authorized<Business, "administer">, memberId: string, now: number): Promise<void>;
  /** Sets a password and ends the sessions of the member. */
  setPassword(member: Pick<Member, "businessId" | "id">, password: string, change: PasswordChange): Promise<void>;

  /** Stores the hash of a token for first-run set-up. Returns false when the business has members. */
  createSetupToken(businessId: string, hash: string, expiresAt: number): Promise<boolean>;
  /** Creates the first owner and deletes all set-up tokens. Returns null when the token is unknown, expired or already used. */
  createFirstOwner(
    hash: string,
    member: Omit<NewMember, "businessId" | "role">,
    session: Omit<NewSession, "businessId" | "memberId">,
  ): Promise<LoggedIn | null>;

  /** Starts a session and deletes expired ones of the member. */
  startSession(session: NewSession): Promise<void>;
  /** Finds the session of a token's hash with its member, even if expired. Returns null when it was ended. */
  findSession(hash: string): Promise<LoggedIn | null>;
  /** Records the last use of a session. */
  touchSession(session: Session, now: number): Promise<void>;
  sessions(businessId: string, memberId: string): Promise<Session[]>;
  /** Returns the ids of those of these sessions that were ended or have expired. */
  findEndedSessions(sessions: readonly { readonly businessId: string; readonly id: string }[], now: number): Promise<string[]>;
  /** Returns false when the member has no such session. */
  endSession(businessId: string, memberId: string, sessionId: string): Promise<boolean>;

  invitations(businessId: string): Promise<Invitation[]>;
  /** Creates an invitation and replaces one for the same address. Throws 409 for a member's address and for a repeated idempotency key. */
  invite(
    scope: Authorized<Business, "administer">,
    invitation: NewInvitation,
    idempotency?: IdempotencyRecord<Invitation>,
  ): Promise<Invitation>;
  /** Returns null when it was used, revoked or replaced. */
  findInvitation(hash: string): Promise<Invitation | null>;
  /** Creates the member and deletes the invitation. Returns null when it no longer exists. Throws 409 when the address is taken. */
  accept(
    hash: string,
    member: Omit<NewMember, "businessId" | "role" | "email">,
    session: Omit<NewSession, "businessId" | "memberId">,
  ): Promise<LoggedIn | null>;
  /** Returns false when there is no such invitation. */
  revokeInvitation(scope: Authorized<Business, "administer">, invitationId: string, now: number): Promise<boolean>;
}

/** Hashes and verifies passwords, with a deliberately slow function. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Returns whether the password matches. A null hash, for an unknown member, takes the same time and returns false. */
  verify(password: string, hashed: string | null): Promise<boolean>;
}

const EMAIL = /^[^\s@"(),:;<>[\\\]]{1,64}@[^\s@"(),:;<>[\\\]]{1,189}$/u;

/** Normalises an e-mail address: trimmed, Unicode NFC, lower case. Accepts any text. */
export const normaliseEmail = (text: string): string => text.trim().normalize("NFC").toLowerCase();

/** Validates and normalises an e-mail address. Throws 400 when it is invalid. */
export function readEmail(text: string): string {
  const email = normaliseEmail(text);
  if (!EMAIL.test(email) || email.includes("..")) throw invalidField("email", "must be an e-mail address, such as name@example.com.");
  return email;
}

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 256;

/** Throws 400 when a password is too short, too long or easy to guess. `field` is its name in the request. */
export function requirePassword(password: string, email: string, field = "password"): void {
  const { length } = [...password];
  if (length < MIN_PASSWORD_LENGTH) throw invalidField(field, `must be at least ${MIN_PASSWORD_LENGTH} characters.`);
  if (length > MAX_PASSWORD_LENGTH) throw invalidField(field, `must be at most ${MAX_PASSWORD_LENGTH} characters.`);
  if (password.trim().toLowerCase() === email || new Set(password).size < 4)
    throw invalidField(field, "is too easy to guess. Choose another one.");
}

const TOKEN_BYTES = 32;
const TOKEN = /^ts[scji]_[\w-]{43}$/;

/** The purpose of a token: session (`s`), first-run set-up (`c`), invitation (`j`) or inbound address (`i`). */
export type TokenKind = "s" | "c" | "j" | "i";

/** Creates a token of 256 random bits, and the hash under which it is stored. */
export function newToken(kind: TokenKind): { readonly token: string; readonly hash: string } {
  const token = `ts${kind}_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  return { token, hash: hashKey(token) };
}

/** Returns the hash of a token of this kind, or null when its format is invalid. */
export const hashToken = (kind: TokenKind, token: string): string | null =>
  TOKEN.test(token) && token[2] === kind ? hashKey(token) : null;
