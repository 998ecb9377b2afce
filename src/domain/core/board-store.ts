import type { Authorized } from "./access.ts";
import type { Board, Business, Revisions } from "./board.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "./idempotency.ts";

export type NewBoard = { readonly id: string; readonly name: string; readonly slug: string };
/** A board that is hidden until it is restored or erased. */
export type DeletedBoard = Board & { readonly deletedAt: number };
export type BoardPatch = { readonly name?: string; readonly isDefault?: true };

export interface BoardStore {
  businesses(): Promise<Business[]>;
  business(businessId: string): Promise<Business | null>;
  /** Makes a business with its default board, in one transaction; `onlyAsFirst` answers the first one where there is one. */
  createBusiness(business: Business, defaultBoard: NewBoard, options?: { readonly onlyAsFirst: true }): Promise<Business>;
  /** Boards that are not deleted: default first, then by creation. */
  list(businessId: string): Promise<Board[]>;
  /** A board that is not deleted, of this business. */
  find(businessId: string, boardId: string): Promise<Board | null>;
  /** A deleted board that can still be restored. */
  findDeleted(businessId: string, boardId: string, deletedAfter: number): Promise<Board | null>;
  /** All of them, the one deleted last first. */
  listDeleted(businessId: string, deletedAfter: number): Promise<DeletedBoard[]>;
  /** A slug already taken in the business gets the next free `-2`, `-3` … */
  create(
    scope: Authorized<Business, "manage">,
    board: NewBoard,
    now: number,
    idempotency?: IdempotencyRecord<Board>,
  ): Promise<IdempotentOutcome<Board>>;
  update(scope: Authorized<Board, "manage">, patch: BoardPatch, now: number, ifVersion?: number): Promise<Board>;
  /** Hides the board with all it holds; 409 for the default board. */
  remove(scope: Authorized<Board, "manage">, now: number, ifVersion?: number): Promise<void>;
  /** Gives up a board that was never whole: nobody can restore it, its slug is free again, and the next purge erases what it holds. */
  discard(scope: Authorized<Board, "manage">, now: number): Promise<void>;
  restore(scope: Authorized<Board, "manage">, now: number): Promise<Board>;
  /** As of the last commit by any process. A board that was just found may bring its revisions with it, once. */
  revisions(board: Pick<Board, "businessId" | "id">): Revisions | Promise<Revisions>;
}
