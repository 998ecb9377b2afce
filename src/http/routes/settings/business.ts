import { Readable } from "node:stream";
import { requirePermission } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import { isoTime } from "#domain/core/system.ts";
import { grantBoard, grantBusiness } from "#service/access.ts";
import { readAudit } from "#service/settings/audit.ts";
import { listBoards, listDeletedBoards } from "#service/content/boards.ts";
import { readModelStatus } from "#service/settings/model-status.ts";
import { exportBoard, importBoard, linesOf } from "#service/content/transfer.ts";
import { pipeUpload } from "../../request/text-upload.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";
import { presentBoard } from "../../wire/content.ts";
import { SETTINGS_OUTPUTS, type SettingsInputs } from "../../wire/settings-schemas.ts";
import { presentEntry } from "../../wire/settings-presenters.ts";

const TAG = "Settings: business";
const PAGE = 50;
/** A tile of the largest content, twice and escaped, is well below. */
const MAX_LINE_LENGTH = 16_000_000;

export function settingsBusinessRoutes(inputs: SettingsInputs): AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/settings/audit",
      tag: TAG,
      summary: "Read the audit log",
      description: "For admins and owners. Every change of settings, the newest first.",
      isMembersOnly: true,
      query: inputs.page,
      response: SETTINGS_OUTPUTS.audit,
      guard: (deps, actor) => grantBusiness(deps, actor, "administer"),
      async handle({ deps, authorized, query }) {
        const listing = `audit ${authorized.target.id}`;
        const after = query.cursor === undefined ? null : Number(deps.cursors.read(listing, query.cursor)[0]);
        const { entries, next } = await readAudit(deps, authorized, query.limit ?? PAGE, after);
        return { entries: entries.map(presentEntry), nextCursor: next === null ? null : deps.cursors.write(listing, [next]) };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/settings/model",
      tag: TAG,
      summary: "Which models are set",
      description: "For admins and owners. The operator sets them in the environment; nothing is called for this answer.",
      isMembersOnly: true,
      response: SETTINGS_OUTPUTS.model,
      guard: (deps, actor) => grantBusiness(deps, actor, "administer"),
      handle: async ({ deps }) => readModelStatus(deps),
    }),
    defineRoute({
      method: "GET",
      path: "/api/settings/boards",
      tag: TAG,
      summary: "List boards, deleted ones too",
      description: "For admins and owners. Those that can still be restored come last, with deletedAt.",
      isMembersOnly: true,
      response: SETTINGS_OUTPUTS.boards,
      guard: (deps, actor) => grantBusiness(deps, actor, "administer"),
      async handle({ deps, actor, authorized }) {
        const [live, deleted] = await Promise.all([listBoards(deps, actor), listDeletedBoards(deps, authorized)]);
        return {
          boards: [
            ...live.map((board) => ({ ...presentBoard(board), deletedAt: null })),
            ...deleted.map((board) => ({ ...presentBoard(board), deletedAt: isoTime(board.deletedAt) })),
          ],
        };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/settings/boards/:boardId/export",
      tag: TAG,
      summary: "Export a board",
      description: "For admins and owners. A file of JSON lines with all its zones and tiles, as `tessera export` writes it.",
      isMembersOnly: true,
      response: SETTINGS_OUTPUTS.exported,
      guard(deps, actor, { boardId = "" }) {
        requirePermission(actor, "administer");
        return grantBoard(deps, actor, boardId, "read");
      },
      async handle({ deps, authorized, reply }) {
        const name = `${authorized.target.slug}-${isoTime(deps.clock.now()).slice(0, 10)}.jsonl`;
        return reply
          .header("Content-Type", "application/x-ndjson; charset=utf-8")
          .header("Content-Disposition", `attachment; filename="${name}"`)
          .send(Readable.from(exportBoard(deps, authorized)));
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/boards/import",
      tag: TAG,
      summary: "Import a board",
      description:
        "For admins and owners. A multipart form with the exported file makes a new board; its name may be given in the query. One that can't be read to its end is refused, and what was begun of it is deleted.",
      isMembersOnly: true,
      form: inputs.nothing,
      query: inputs.boardImport,
      response: SETTINGS_OUTPUTS.imported,
      guard: (deps, actor) => grantBusiness(deps, actor, "administer"),
      async handle({ deps, actor, authorized, query, request }) {
        const grant = (board: Board) => grantBoard(deps, actor, board.id, "manage");
        const made = await pipeUpload(request.raw, deps.limits.fileBytes, (pieces) =>
          importBoard(deps, authorized, { name: query.name ?? null, lines: linesOf(pieces, MAX_LINE_LENGTH), grant }),
        );
        return { board: presentBoard(made.board), zones: made.zones, tiles: made.tiles };
      },
    }),
  ];
}
