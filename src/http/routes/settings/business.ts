import { Type } from "typebox";
import { requirePermission } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import { isoTime } from "#domain/core/system.ts";
import { authorizeBoard, authorizeBusiness } from "#service/access.ts";
import { readAudit } from "#service/settings/audit.ts";
import { listBoards, listDeletedBoards } from "#service/content/boards.ts";
import { readModelStatus } from "#service/settings/model-status.ts";
import { exportParts } from "#service/content/transfer/export.ts";
import { importBoard, streamLines } from "#service/content/transfer/import.ts";
import { createDisconnectSignal } from "../../response/connection/disconnect.ts";
import { formatEtag } from "../../response/etag.ts";
import { pipeTextUpload } from "../../request/form/text-upload.ts";
import { StreamedBody } from "../../response/streamed-body.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";
import { BOARD_RESPONSES, createBoardInputs, presentBoard } from "../../wire/board.ts";
import type { InputLimits } from "../../wire/schema.ts";
import { AUDIT_RESPONSE, MODEL_STATUS, SETTINGS_PAGE_QUERY, presentAuditEntry } from "../../wire/settings/audit.ts";

type Inputs = ReturnType<typeof createBoardInputs>;

const TAG = "Settings: business";
const NO_FIELDS = Type.Object({});
const DEFAULT_PAGE_SIZE = 50;
/** Well above a tile with the largest content, stored twice and escaped. */
const MAX_LINE_LENGTH = 16_000_000;
/** The memory that an import takes beside its lines: what arrives, and the tiles that are stored together. */
const HELD_IMPORT_BYTES = 8 * 1_048_576;
/** Two in a line, up to three in its UTF-8, and two in what is parsed from it. */
const BYTES_PER_CHARACTER = 7;

const auditRoute = defineRoute({
  method: "GET",
  path: "/api/settings/audit",
  operationId: "listAuditEntries",
  tag: TAG,
  summary: "List audit log entries",
  description: "Returns every change of settings, newest first. Admins and owners only.",
  isMembersOnly: true,
  query: SETTINGS_PAGE_QUERY,
  response: AUDIT_RESPONSE,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "administer"),
  async handle({ deps, authorized, query }) {
    const listing = `audit ${authorized.target.id}`;
    const after = query.cursor === undefined ? null : Number(deps.cursors.read(listing, query.cursor)[0]);
    const { entries, next } = await readAudit(deps, authorized, query.limit ?? DEFAULT_PAGE_SIZE, after);
    return { entries: entries.map(presentAuditEntry), nextCursor: next === null ? null : deps.cursors.write(listing, [next]) };
  },
});

const modelsRoute = defineRoute({
  method: "GET",
  path: "/api/settings/model",
  operationId: "getModels",
  isTagged: true,
  tag: TAG,
  summary: "Get the configured models",
  description: "The operator configures models in the environment. This call does not contact them. Admins and owners only.",
  isMembersOnly: true,
  response: MODEL_STATUS,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "administer"),
  handle: async ({ deps }) => readModelStatus(deps),
});

const listBoardsRoute = defineRoute({
  method: "GET",
  path: "/api/settings/boards",
  operationId: "listAllBoards",
  tag: TAG,
  summary: "List boards, including deleted ones",
  description: "Deleted boards that can still be restored come last, with deletedAt. Admins and owners only.",
  isMembersOnly: true,
  response: BOARD_RESPONSES.withDeleted,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "administer"),
  async handle({ deps, actor, authorized, reply }) {
    const [live, deleted] = await Promise.all([
      listBoards(deps, actor, createDisconnectSignal(reply)),
      listDeletedBoards(deps, authorized),
    ]);
    return {
      boards: [
        ...live.map((board) => ({ ...presentBoard(board), deletedAt: null })),
        ...deleted.map((board) => ({ ...presentBoard(board), deletedAt: isoTime(board.deletedAt) })),
      ],
    };
  },
});

const exportRoute = defineRoute({
  method: "GET",
  path: "/api/settings/boards/:boardId/export",
  operationId: "exportBoard",
  tag: TAG,
  summary: "Export a board",
  description: "Returns a file of JSON lines with all zones and tiles, in the format of `tessera export`. Admins and owners only.",
  isMembersOnly: true,
  response: BOARD_RESPONSES.exported,
  guard(deps, actor, { boardId = "" }) {
    requirePermission(actor, "administer");
    return authorizeBoard(deps, actor, boardId, "read");
  },
  async handle({ deps, authorized, reply }) {
    const name = `${authorized.target.slug}-${isoTime(deps.clock.now()).slice(0, 10)}.jsonl`;
    reply.header("Content-Type", "application/x-ndjson; charset=utf-8").header("Content-Disposition", `attachment; filename="${name}"`);
    return new StreamedBody("", exportParts(deps, authorized));
  },
});

const importRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/settings/boards/import",
    operationId: "importBoard",
    tag: TAG,
    summary: "Import a board",
    description:
      "Creates a board from an exported file, sent as a multipart form. If the file can't be read completely, nothing is created. Admins and owners only.",
    isMembersOnly: true,
    form: NO_FIELDS,
    query: inputs.importQuery,
    isVersioned: true,
    isStrict: true,
    response: BOARD_RESPONSES.imported,
    guard: (deps, actor) => authorizeBusiness(deps, actor, "administer"),
    async handle({ deps, actor, authorized, query, ignored, holdBody, request, reply }) {
      const authorize = (board: Board) => authorizeBoard(deps, actor, board.id, "manage");
      const hold = (characters: number): void => holdBody(HELD_IMPORT_BYTES + BYTES_PER_CHARACTER * characters);
      hold(0);
      const split = (chunks: AsyncIterable<string>) => streamLines(chunks, { maxLength: MAX_LINE_LENGTH, hold });
      const imported = await pipeTextUpload(
        request.raw,
        {
          maxBytes: deps.limits.fileBytes,
          tooLargeAdvice: "On the server, `tessera import NAME FILE` takes larger ones.",
          checkFields: (fields) => ignored.addUnknown(NO_FIELDS, fields),
        },
        (chunks) => importBoard(deps, authorized, { name: query.name ?? null, lines: split(chunks), authorize }),
      );
      reply.header("ETag", formatEtag(imported.board.version));
      return { board: presentBoard(imported.board), zones: imported.zones, tiles: imported.tiles };
    },
  });

export function businessRoutes(limits: InputLimits): AnyRoute[] {
  const inputs = createBoardInputs(limits);
  return [auditRoute, modelsRoute, listBoardsRoute, exportRoute, importRoute(inputs)];
}
