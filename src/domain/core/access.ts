import type { Board, Business } from "./board.ts";
import { AppError, forbiddenBoard, forbiddenPermission, forbiddenRole, logInRequired, notFound } from "./errors/error.ts";

/** The permission of a key. `read` < `ask` < `write`; `inbound` is separate and only creates tiles. */
export type Permission = "read" | "ask" | "write" | "inbound";

/** The role of a member in a business. Each role includes the following ones. */
export type Role = "owner" | "admin" | "member";

/**
 * The access that an operation requires: a permission, or more. `manage` is for boards: unscoped write keys, admins and owners have it.
 * `administer` is for API keys and members: admins and owners have it. `own` is for the webhook and owners: only owners have it.
 * `subscribe` is for other webhooks: owners and keys that were made for it have it.
 */
export type RequiredAccess = Permission | "manage" | "administer" | "own" | "subscribe";

/** The caller: an API key, a logged-in member, the sender to an inbound address, or the operator at the command line. */
export type Actor =
  | {
      readonly kind: "key";
      readonly businessId: string;
      readonly keyId: string;
      readonly keyName: string;
      /** The one board the key has access to, or null for every board of the business. */
      readonly boardId: string | null;
      readonly permission: Permission;
      readonly expiresAt: number | null;
      /** Model tokens per calendar month (UTC), or null for no limit. */
      readonly budget: number | null;
      /** Whether the key may manage webhooks of its own. */
      readonly webhooks?: boolean;
    }
  | {
      readonly kind: "member";
      readonly businessId: string;
      readonly memberId: string;
      readonly email: string;
      readonly role: Role;
      readonly sessionId: string;
    }
  | {
      readonly kind: "address";
      readonly businessId: string;
      readonly addressId: string;
      /** The board of the address, in which its senders may create tiles. */
      readonly boardId: string;
    }
  | { readonly kind: "operator"; readonly businessId: string };

/** Returns the caller's id in the audit log, rate limits and usage. */
export function actorId(actor: Actor): string {
  switch (actor.kind) {
    case "key":
      return actor.keyId;
    case "member":
      return actor.memberId;
    case "address":
      return actor.addressId;
    default:
      return "operator";
  }
}

declare const proof: unique symbol;

/**
 * Proof that `actor` has access `N` to `target`. Only this file can create one, and the writing methods of the store require one, so
 * code that forgets the check does not compile.
 */
export type Authorized<T, N extends RequiredAccess> = {
  readonly actor: Actor;
  readonly target: T;
  /** Invariant in `T`, so that an authorization for a board is not accepted for a business of similar shape. */
  readonly [proof]: (required: N, target: T) => T;
};

/** Everything that each access includes, so that an authorization to write is accepted where reading is required. */
type Implied<N extends RequiredAccess> = N extends "own"
  ? RequiredAccess
  : N extends "administer"
    ? Exclude<RequiredAccess, "own" | "subscribe">
    : N extends "manage"
      ? Permission | "manage"
      : N extends "write"
        ? Permission
        : N extends "ask" | "subscribe"
          ? N | "read"
          : N;

const RANK = { read: 1, ask: 2, write: 3 } as const;

const isContent = (required: RequiredAccess): required is Permission => required === "inbound" || required in RANK;

const isForOwners = (required: RequiredAccess): boolean => required === "own" || required === "subscribe";

/** Whether the actor's permission or role is sufficient for `required`, independent of the target. */
export function mayUse(actor: Actor, required: RequiredAccess): boolean {
  if (actor.kind === "operator") return true;
  if (actor.kind === "address") return required === "inbound";
  if (actor.kind === "member") return isForOwners(required) ? actor.role === "owner" : isContent(required) || actor.role !== "member";
  if (required === "administer" || required === "own") return false;
  if (required === "subscribe") return actor.webhooks === true && mayUse(actor, "read");
  if (required === "manage") return actor.permission === "write" && actor.boardId === null;
  if (required === "inbound") return actor.permission === "inbound" || actor.permission === "write";
  if (actor.permission === "inbound") return false;
  return RANK[actor.permission] >= RANK[required];
}

function authorized<T, N extends RequiredAccess>(actor: Actor, target: T): Authorized<T, Implied<N>> {
  return { actor, target } as Authorized<T, Implied<N>>;
}

/** Throws 403 when the actor's permission is not sufficient for `required`, independent of the target. */
export function requirePermission(actor: Actor, required: RequiredAccess): void {
  if (mayUse(actor, required)) return;
  if (actor.kind === "member") throw forbiddenRole(isForOwners(required) ? "owner" : "admin");
  throw required === "administer" || required === "own" ? logInRequired() : forbiddenPermission(describePermission(required));
}

function describePermission(required: Permission | "manage" | "subscribe"): string {
  if (required === "manage") return "It needs a key with the permission write that is not limited to a board.";
  if (required === "subscribe") return "It needs a key that was made with webhooks, and that may read.";
  return `It needs the permission ${required}.`;
}

/** Throws 403 when the actor is scoped to another board than `boardId`, whether it exists or not. */
export function requireScope(actor: Actor, boardId: string): void {
  const scope = actor.kind === "key" || actor.kind === "address" ? actor.boardId : null;
  if (scope !== null && scope !== boardId) throw forbiddenBoard();
}

/**
 * Authorizes access to a board. Checks scope (403), existence (404) and permission (403), in the documented order of the API. `board` is
 * the store's result for `boardId` in the actor's business, or null.
 */
export function checkBoardAccess<N extends RequiredAccess>(
  actor: Actor,
  boardId: string,
  board: Board | null,
  required: N,
): Authorized<Board, Implied<N>> {
  requireScope(actor, boardId);
  if (board === null || board.businessId !== actor.businessId || board.id !== boardId) throw notFound("Board");
  requirePermission(actor, required);
  return authorized<Board, N>(actor, board);
}

/** Authorizes access to the business itself. Throws 404 when it does not exist and 403 without permission. */
export function checkBusinessAccess<N extends RequiredAccess>(
  actor: Actor,
  business: Business | null,
  required: N,
): Authorized<Business, Implied<N>> {
  if (business === null || business.id !== actor.businessId) {
    throw new AppError("not_found", "Business not found.");
  }
  requirePermission(actor, required);
  return authorized<Business, N>(actor, business);
}
