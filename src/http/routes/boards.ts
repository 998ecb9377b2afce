import { AppError, invalidField } from "#domain/core/errors/error.ts";
import { authorizeBoard, authorizeBusiness, authorizeDeletedBoard } from "#service/access.ts";
import { readMonthUsage } from "#service/usage.ts";
import { createBoard, deleteBoard, listBoards, pageBoards, restoreBoard, updateBoard } from "#service/content/boards.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { createDisconnectSignal } from "../response/connection/disconnect.ts";
import { formatEtag, readIfMatch } from "../response/etag.ts";
import { sendCreatedVersion } from "../response/raw-json.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import { BOARD_RESPONSES, createBoardInputs, presentBoard, presentBoardDetails } from "../wire/board.ts";
import { type InputLimits, OK, PAGE_QUERY } from "../wire/schema.ts";
import { ME, presentMe } from "../wire/settings/api-key.ts";

type Inputs = ReturnType<typeof createBoardInputs>;

/** The page size if only a cursor is given. */
const DEFAULT_PAGE_SIZE = 500;

const listBoardsRoute = defineRoute({
  method: "GET",
  path: "/api/board/boards",
  operationId: "listBoards",
  tag: "Boards",
  summary: "List boards",
  description: "The default board comes first. A key that is limited to a board sees only that board.",
  query: PAGE_QUERY,
  response: BOARD_RESPONSES.boards,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "read"),
  async handle({ deps, actor, query, reply }) {
    const disconnected = createDisconnectSignal(reply);
    if (query.limit === undefined && query.cursor === undefined)
      return { boards: (await listBoards(deps, actor, disconnected)).map(presentBoard) };
    const listing = `boards ${actor.businessId}`;
    const [id, createdAt] = query.cursor === undefined ? [] : deps.cursors.read(listing, query.cursor);
    const after = id === undefined ? null : { id: String(id), createdAt: Number(createdAt) };
    const limit = query.limit ?? DEFAULT_PAGE_SIZE;
    const found = await pageBoards(deps, actor, after, limit + 1, disconnected);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const isEnd = last === undefined || found.length <= limit;
    return { boards: page.map(presentBoard), nextCursor: isEnd ? null : deps.cursors.write(listing, [last.id, last.createdAt]) };
  },
});

const createBoardRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/board/boards",
    operationId: "createBoard",
    tag: "Boards",
    summary: "Create a board",
    description: "Requires permission to write, and a key that is not limited to a board.",
    body: inputs.create,
    headers: ["Idempotency-Key"],
    isVersioned: true,
    example: 1,
    response: BOARD_RESPONSES.board,
    guard: (deps, actor) => authorizeBusiness(deps, actor, "manage"),
    async handle({ deps, actor, authorized, body, request, reply }) {
      const present = (board: Parameters<typeof presentBoard>[0]) => ({ board: presentBoardDetails(board) });
      const idempotency = readIdempotencyKey(request, actor, deps.clock.now(), present);
      return sendCreatedVersion(reply, await createBoard(deps, authorized, body, idempotency), present);
    },
  });

const readBoardRoute = defineRoute({
  method: "GET",
  path: "/api/board/boards/:boardId",
  operationId: "getBoard",
  tag: "Boards",
  summary: "Get a board",
  description: "The ETag of the response can be sent as If-Match.",
  isVersioned: true,
  response: BOARD_RESPONSES.board,
  guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "read"),
  async handle({ authorized: { target: board }, reply }) {
    reply.header("ETag", formatEtag(board.version));
    return { board: presentBoardDetails(board) };
  },
});

const updateBoardRoute = (inputs: Inputs) =>
  defineRoute({
    method: "PATCH",
    path: "/api/board/boards/:boardId",
    operationId: "updateBoard",
    tag: "Boards",
    summary: "Update a board",
    description:
      "Renames the board or makes it the default. The slug does not change. Requires permission to write, and a key that is not limited to a board.",
    body: inputs.update,
    headers: ["If-Match"],
    isVersioned: true,
    response: BOARD_RESPONSES.board,
    guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "manage"),
    async handle({ deps, authorized, body, request, reply }) {
      if (body.is_default === false) throw invalidField("is_default", "can only be set to true. Make another board the default instead.");
      const patch = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.is_default === true ? { isDefault: true as const } : {}),
      };
      const board = await updateBoard(deps, authorized, patch, readIfMatch(request));
      reply.header("ETag", formatEtag(board.version));
      return { board: presentBoardDetails(board) };
    },
  });

const deleteBoardRoute = defineRoute({
  method: "DELETE",
  path: "/api/board/boards/:boardId",
  operationId: "deleteBoard",
  tag: "Boards",
  summary: "Delete a board",
  description: "The board can be restored for 30 days. The default board can't be deleted.",
  headers: ["If-Match"],
  response: OK,
  guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "manage"),
  async handle({ deps, authorized, request }) {
    await deleteBoard(deps, authorized, readIfMatch(request));
    return { ok: true };
  },
});

const restoreBoardRoute = defineRoute({
  method: "POST",
  path: "/api/board/boards/:boardId/restore",
  operationId: "restoreBoard",
  tag: "Boards",
  summary: "Restore a deleted board",
  description: "Restores a board that was deleted in the last 30 days, with its zones and tiles.",
  example: 1,
  isVersioned: true,
  response: BOARD_RESPONSES.board,
  guard: (deps, actor, { boardId = "" }) => authorizeDeletedBoard(deps, actor, boardId),
  async handle({ deps, authorized, reply }) {
    const current = await deps.store.boards.find(authorized.target.businessId, authorized.target.id);
    const board = current ?? (await restoreBoard(deps, authorized));
    reply.header("ETag", formatEtag(board.version));
    return { board: presentBoardDetails(board) };
  },
});

const currentKeyRoute = defineRoute({
  method: "GET",
  path: "/api/me",
  operationId: "getCurrentKey",
  tag: "API key",
  summary: "Get the current API key",
  isKeysOnly: true,
  isTagged: true,
  description: "Use this call to test a connection. It returns the business, scope, permission, expiry, token budget and usage of the key.",
  response: ME,
  guard: (_deps, actor) => actor,
  async handle({ deps, authorized: actor }) {
    if (actor.kind !== "key") throw new AppError("key_invalid", "Invalid API key.");
    const [business, usage] = await Promise.all([
      deps.store.boards.business(actor.businessId),
      readMonthUsage(deps, actor.businessId, actor.keyId),
    ]);
    return presentMe(actor, business, usage, deps.limits);
  },
});

export function boardRoutes(limits: InputLimits): AnyRoute[] {
  const inputs = createBoardInputs(limits);
  return [
    listBoardsRoute,
    createBoardRoute(inputs),
    readBoardRoute,
    updateBoardRoute(inputs),
    deleteBoardRoute,
    restoreBoardRoute,
    currentKeyRoute,
  ];
}
