import type { Authorized } from "./access.ts";
import type { Board, Business, Revisions } from "./board.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "./idempotency.ts";

export type NewBoard = { readonly id: string; readonly name: string; readonly slug: string };
/** A board that is hidden until it is restored or erased. */
export type DeletedBoard = Board & { readonly deletedAt: number };
export type BoardPatch = { readonly name?: string; readonly isDefault?: true };

/** The last board of a page. */
export type BoardCursor = Pick<Board, "id" | "createdAt">;

export interface BoardStore {
  businesses(): Promise<Business[]>;
  business(businessId: string): Promise<Business | null>;
  /**
   * Creates a business with its default board in one transaction. With `onlyIfNone`, returns the oldest existing business instead if
   * there is one.
   */
  createBusiness(business: Business, defaultBoard: NewBoard, options?: { readonly onlyIfNone: true }): Promise<Business>;
  /** Lists boards that are not deleted: default first, then by creation. */
  list(businessId: string): Promise<Board[]>;
  /** Lists at most `limit` boards in the same order, after the cursor; null starts with the first. Reads no others. */
  listPage(businessId: string, after: BoardCursor | null, limit: number): Promise<Board[]>;
  /** Returns a board of this business that is not deleted, or null. A promise only if it must be waited for. */
  find(businessId: string, boardId: string): Board | null | Promise<Board | null>;
  /** Returns a deleted board that can still be restored, or null. */
  findDeleted(businessId: string, boardId: string, deletedAfter: number): Promise<Board | null>;
  /** Lists deleted boards that can still be restored, most recently deleted first. */
  listDeleted(businessId: string, deletedAfter: number): Promise<DeletedBoard[]>;
  /** Creates a board. A slug already used in the business gets a free suffix: `-2`, `-3` … */
  create(
    scope: Authorized<Business, "manage">,
    board: NewBoard,
    now: number,
    idempotency?: IdempotencyRecord<Board>,
  ): Promise<IdempotentOutcome<Board>>;
  update(scope: Authorized<Board, "manage">, patch: BoardPatch, now: number, ifVersion?: number): Promise<Board>;
  /** Deletes the board with its content. Throws 409 for the default board. */
  remove(scope: Authorized<Board, "manage">, now: number, ifVersion?: number): Promise<void>;
  /** Discards an incomplete board: it can't be restored, its slug is free again, and the next purge erases its content. */
  discard(scope: Authorized<Board, "manage">, now: number): Promise<void>;
  restore(scope: Authorized<Board, "manage">, now: number): Promise<Board>;
  /** Returns the revisions as of the last commit of any process. After `find`, they may be available without another query. */
  revisions(board: Pick<Board, "businessId" | "id">): Revisions | Promise<Revisions>;
}
