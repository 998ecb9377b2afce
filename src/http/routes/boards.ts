import type { Board } from "#domain/core/board.ts";
import { AppError, invalid } from "#domain/core/error.ts";
import { grantBoard, grantBusiness, grantDeletedBoard } from "#service/access.ts";
import { readMonthUsage } from "#service/usage.ts";
import { createBoard, deleteBoard, listBoards, restoreBoard, updateBoard } from "#service/content/boards.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { formatEtag, readIfMatch, sendCreated } from "../response/answers.ts";
import type { KeysetPosition } from "../listing/cursor.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import { presentBoard } from "../wire/content.ts";
import type { Inputs } from "../wire/inputs.ts";
import { OUTPUTS } from "../wire/outputs.ts";

/** Where a listing goes on; also after the board last shown was deleted meanwhile. */
function startAfter(boards: readonly Board[], [id, createdAt]: KeysetPosition): number {
  const last = boards.findIndex((board) => board.id === id);
  if (last >= 0) return last + 1;
  const next = boards.findIndex((board) => !board.isDefault && board.createdAt >= Number(createdAt));
  return next >= 0 ? next : boards.length;
}

export function boardRoutes(inputs: Inputs): AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/board/boards",
      tag: "Boards",
      summary: "List boards",
      description: "A board-scoped key sees only its one board. The default board comes first.",
      query: inputs.page,
      response: OUTPUTS.boards,
      guard: (deps, actor) => grantBusiness(deps, actor, "read"),
      async handle({ deps, actor, query }) {
        const boards = await listBoards(deps, actor);
        if (query.limit === undefined && query.cursor === undefined) return { boards: boards.map(presentBoard) };
        const listing = `boards ${actor.businessId}`;
        const start = query.cursor === undefined ? 0 : startAfter(boards, deps.cursors.read(listing, query.cursor));
        const page = boards.slice(start, start + (query.limit ?? 500));
        const last = page.at(-1);
        const isEnd = last === undefined || start + page.length >= boards.length;
        return { boards: page.map(presentBoard), nextCursor: isEnd ? null : deps.cursors.write(listing, [last.id, last.createdAt]) };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/board/boards",
      tag: "Boards",
      summary: "Create a board",
      description: "For an unscoped key that may write.",
      body: inputs.boardCreate,
      response: OUTPUTS.board,
      guard: (deps, actor) => grantBusiness(deps, actor, "manage"),
      async handle({ deps, actor, authorized, body, request, reply }) {
        const present = (board: Parameters<typeof presentBoard>[0]) => JSON.stringify({ board: presentBoard(board) });
        const once = readIdempotencyKey(request, actor, deps.clock.now(), present);
        return sendCreated(reply, await createBoard(deps, authorized, body, once), present);
      },
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/board/boards/:boardId",
      tag: "Boards",
      summary: "Rename a board, or make it the default",
      description: "For an unscoped key that may write. The slug stays.",
      body: inputs.boardUpdate,
      response: OUTPUTS.board,
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "manage"),
      async handle({ deps, authorized, body, request, reply }) {
        if (body.is_default === false) throw invalid("is_default can only be set to true. Make another board the default instead.");
        const patch = {
          ...(body.name === undefined ? {} : { name: body.name }),
          ...(body.is_default === true ? { isDefault: true as const } : {}),
        };
        const board = await updateBoard(deps, authorized, patch, readIfMatch(request));
        reply.header("ETag", formatEtag(board.version));
        return { board: presentBoard(board) };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/board/boards/:boardId",
      tag: "Boards",
      summary: "Delete a board",
      description: "It can be restored for 30 days. The default board can't be deleted.",
      response: OUTPUTS.ok,
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "manage"),
      async handle({ deps, authorized, request }) {
        await deleteBoard(deps, authorized, readIfMatch(request));
        return { ok: true };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/board/boards/:boardId/restore",
      tag: "Boards",
      summary: "Restore a deleted board",
      response: OUTPUTS.board,
      guard: (deps, actor, { boardId = "" }) => grantDeletedBoard(deps, actor, boardId),
      async handle({ deps, authorized }) {
        const current = await deps.store.boards.find(authorized.target.businessId, authorized.target.id);
        return { board: presentBoard(current ?? (await restoreBoard(deps, authorized))) };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/me",
      tag: "Key",
      summary: "What this key is",
      isKeysOnly: true,
      description:
        "The connection test: business, scope, permission and expiry of the key, its budget of tokens a month and what it used of it.",
      response: OUTPUTS.me,
      guard: (_deps, actor) => actor,
      async handle({ deps, authorized: actor }) {
        if (actor.kind !== "key") throw new AppError("key_missing_or_invalid", "Invalid API key.");
        const [business, usage] = await Promise.all([
          deps.store.boards.business(actor.businessId),
          readMonthUsage(deps, actor.businessId, actor.keyId),
        ]);
        return {
          business: { id: actor.businessId, name: business?.name ?? "" },
          key: { id: actor.keyId, name: actor.keyName },
          scope: { boardId: actor.boardId },
          permission: actor.permission,
          expiresAt: actor.expiresAt === null ? null : new Date(actor.expiresAt).toISOString(),
          budget: actor.budget,
          usage,
          limits: { fileBytes: deps.limits.fileBytes },
        };
      },
    }),
  ];
}
