import type { Board, Business } from "./board.ts";
import { AppError, forbiddenBoard, forbiddenPermission, forbiddenRole, notFound } from "./error.ts";

/** What a key may do. `read` < `ask` < `write`; `inbound` stands beside them and only creates. */
export type Permission = "read" | "ask" | "write" | "inbound";

/** What a member is in a business. Each includes the ones after it. */
export type Role = "owner" | "admin" | "member";

/**
 * What an operation needs. `manage` is the business's boards: unscoped keys that write, admins and owners. `administer` is its keys
 * and people: admins and owners. `own` is its webhook and its owners: owners alone.
 */
export type Need = Permission | "manage" | "administer" | "own";

/** Who calls: a key of one business, a member who is logged in, or the operator at the command line. */
export type Actor =
  | {
      readonly kind: "key";
      readonly businessId: string;
      readonly keyId: string;
      readonly keyName: string;
      /** The one board the key reaches, or null for every board of the business. */
      readonly boardId: string | null;
      readonly permission: Permission;
      readonly expiresAt: number | null;
      /** Tokens of models in a calendar month (UTC), or null for no bound. */
      readonly budget: number | null;
    }
  | {
      readonly kind: "member";
      readonly businessId: string;
      readonly memberId: string;
      readonly email: string;
      readonly role: Role;
      readonly sessionId: string;
    }
  | { readonly kind: "operator"; readonly businessId: string };

/** The id by which the audit log, allowances and usage know who calls. */
export const actorId = (actor: Actor): string =>
  actor.kind === "key" ? actor.keyId : actor.kind === "member" ? actor.memberId : "operator";

declare const proof: unique symbol;

/**
 * Proof that `actor` may do `N` on `target`. Only this file can make one, and the store's
 * writes accept nothing else, so a forgotten check does not compile.
 */
export type Authorized<T, N extends Need> = {
  readonly actor: Actor;
  readonly target: T;
  /** Takes and gives the target, so that a grant on a board does not pass for one on a business that it resembles. */
  readonly [proof]: (need: N, target: T) => T;
};

/** What a grant of each need also proves, so that a writer can be passed where reading is asked. */
type Implied<N extends Need> = N extends "own"
  ? Need
  : N extends "administer"
    ? Exclude<Need, "own">
    : N extends "manage"
      ? Permission | "manage"
      : N extends "write"
        ? Permission
        : N extends "ask"
          ? "ask" | "read"
          : N;

const RANK = { read: 1, ask: 2, write: 3 } as const;

const isContent = (need: Need): need is Permission => need === "inbound" || need in RANK;

function allows(actor: Actor, need: Need): boolean {
  if (actor.kind === "operator") return true;
  if (actor.kind === "member") return need === "own" ? actor.role === "owner" : isContent(need) || actor.role !== "member";
  if (need === "administer" || need === "own") return false;
  if (need === "manage") return actor.permission === "write" && actor.boardId === null;
  if (need === "inbound") return actor.permission === "inbound" || actor.permission === "write";
  if (actor.permission === "inbound") return false;
  return RANK[actor.permission] >= RANK[need];
}

function grant<T, N extends Need>(actor: Actor, target: T): Authorized<T, Implied<N>> {
  return { actor, target } as Authorized<T, Implied<N>>;
}

/** 403 when the actor's permission falls short of `need`, whatever the target. */
export function requirePermission(actor: Actor, need: Need): void {
  if (allows(actor, need)) return;
  throw actor.kind === "member" ? forbiddenRole(need === "own" ? "owner" : "admin") : forbiddenPermission();
}

/** 403 when the actor is held to another board than `boardId`, existing or not. */
export function requireScope(actor: Actor, boardId: string): void {
  if (actor.kind === "key" && actor.boardId !== null && actor.boardId !== boardId) throw forbiddenBoard();
}

/**
 * The one way to a grant on a board. Checks, in the order the interface promises: scope (403),
 * existence (404), permission (403). `board` is what the store found under `boardId` in the
 * actor's business, or null.
 */
export function checkBoardAccess<N extends Need>(
  actor: Actor,
  boardId: string,
  board: Board | null,
  need: N,
): Authorized<Board, Implied<N>> {
  requireScope(actor, boardId);
  if (board === null || board.businessId !== actor.businessId || board.id !== boardId) throw notFound("Board");
  requirePermission(actor, need);
  return grant<Board, N>(actor, board);
}

/** The one way to a grant on the business itself. */
export function checkBusinessAccess<N extends Need>(actor: Actor, business: Business | null, need: N): Authorized<Business, Implied<N>> {
  if (business === null || business.id !== actor.businessId) {
    throw new AppError("not_found", "Business not found.");
  }
  requirePermission(actor, need);
  return grant<Business, N>(actor, business);
}
