import type { Actor } from "#domain/core/access.ts";
import type { Board, Business } from "#domain/core/board.ts";
import type { BoardCursor, DeletedBoard } from "#domain/core/board-store.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import { toSlug } from "#domain/core/slug.ts";
import { newId } from "#domain/core/system.ts";
import type { BoardManager, BusinessManager } from "../access.ts";
import { RESTORE_WINDOW_MS, type StoreDeps, type WorkDeps } from "../deps.ts";
import { runInTurn, yieldToOthers } from "../work-queue.ts";

/** Boards read at once. */
const STEP_BOARDS = 500;

/**
 * Lists the boards that the actor can access: the one board of a scoped key, or every board of the business. Throws 429 when too much work
 * of the caller is waiting. An abort ends the wait.
 */
export async function listBoards(deps: WorkDeps, actor: Actor, signal?: AbortSignal): Promise<Board[]> {
  // A business may have thousands of boards.
  return runInTurn(
    deps,
    actor,
    async () => {
      const boards: Board[] = [];
      for (let step: readonly Board[] | null = null; step === null || step.length === STEP_BOARDS;) {
        step = await readBoards(deps, actor, boards.at(-1) ?? null, STEP_BOARDS);
        boards.push(...step);
        await yieldToOthers();
      }
      return boards;
    },
    signal,
  );
}

/** Lists at most `limit` of these boards after the cursor, in the same way; null starts with the first. */
export const pageBoards = (deps: WorkDeps, actor: Actor, after: BoardCursor | null, limit: number, signal: AbortSignal): Promise<Board[]> =>
  runInTurn(deps, actor, () => readBoards(deps, actor, after, limit), signal);

async function readBoards({ store }: StoreDeps, actor: Actor, after: BoardCursor | null, limit: number): Promise<Board[]> {
  const scopedBoardId = actor.kind === "key" ? actor.boardId : null;
  if (scopedBoardId === null) return store.boards.listPage(actor.businessId, after, limit);
  const board = after === null ? await store.boards.find(actor.businessId, scopedBoardId) : null;
  return board === null ? [] : [board];
}

/** Lists the deleted boards that can still be restored, most recently deleted first. */
export const listDeletedBoards = ({ store, clock }: StoreDeps, { target }: BusinessManager): Promise<DeletedBoard[]> =>
  store.boards.listDeleted(target.id, clock.now() - RESTORE_WINDOW_MS);

export function createBoard(
  { store, clock }: StoreDeps,
  scope: BusinessManager,
  input: { readonly name: string },
  idempotency?: IdempotencyRecord<Board>,
): Promise<IdempotentOutcome<Board>> {
  const now = clock.now();
  return store.boards.create(scope, { id: newId("brd", now), name: input.name, slug: toSlug(input.name) }, now, idempotency);
}

export function updateBoard(
  { store, clock }: StoreDeps,
  scope: BoardManager,
  patch: { readonly name?: string; readonly isDefault?: true },
  ifVersion?: number,
): Promise<Board> {
  return store.boards.update(scope, patch, clock.now(), ifVersion);
}

export const deleteBoard = ({ store, clock }: StoreDeps, scope: BoardManager, ifVersion?: number): Promise<void> =>
  store.boards.remove(scope, clock.now(), ifVersion);

export const restoreBoard = ({ store, clock }: StoreDeps, scope: BoardManager): Promise<Board> => store.boards.restore(scope, clock.now());

/**
 * Creates a business with a default board named `Main board`. With `onlyIfNone`, returns the oldest existing business instead if there
 * is one.
 */
export async function createBusiness(
  { store, clock }: StoreDeps,
  name: string,
  options?: { readonly onlyIfNone: true },
): Promise<Business> {
  const now = clock.now();
  const board = { id: newId("brd", now), name: "Main board", slug: "main-board" };
  return store.boards.createBusiness({ id: newId("biz", now), name, createdAt: now }, board, options);
}
