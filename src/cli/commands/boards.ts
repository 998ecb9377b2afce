import { existsSync, openSync, closeSync } from "node:fs";
import { appendFile, rename, rm } from "node:fs/promises";
import type { Board } from "#domain/core/board.ts";
import { openReadStream } from "#runtime/file-stream.ts";
import { authorizeBoard, authorizeBusiness } from "#service/access.ts";
import { createBoard, createBusiness, listBoards } from "#service/content/boards.ts";
import { exportBoard } from "#service/content/transfer/export.ts";
import { importBoard, splitLines } from "#service/content/transfer/import.ts";
import { type Command, print, withData } from "../command.ts";

export const BOARD_COMMANDS: readonly Command[] = [
  {
    name: "business list",
    summary: "Lists the businesses of this install.",
    run: (invocation) =>
      withData(invocation, async ({ deps }) => {
        const businesses = (await deps.store.boards.businesses()).map(({ id, name }) => ({ id, name }));
        print(
          invocation,
          { businesses },
          businesses.map(({ id, name }) => `${id}  ${name}`),
        );
      }),
  },
  {
    name: "business create",
    parameters: ["NAME"],
    summary: "Creates a business with its default board.",
    run: (invocation) =>
      withData(invocation, async ({ deps }) => {
        const { id, name } = await createBusiness(deps, requireName(invocation.parameters[0]));
        print(invocation, { business: { id, name } }, `${id}  ${name}`);
      }),
  },
  {
    name: "board list",
    summary: "Lists the boards of the business.",
    run: (invocation) =>
      withData(invocation, async ({ deps, actor }) => {
        const boards = (await listBoards(deps, actor)).map(({ id, name, slug, isDefault }) => ({ id, name, slug, isDefault }));
        print(
          invocation,
          { boards },
          boards.map(({ id, name, isDefault }) => `${id}  ${name}${isDefault ? "  (default)" : ""}`),
        );
      }),
  },
  {
    name: "board create",
    parameters: ["NAME"],
    summary: "Creates a board.",
    run: (invocation) =>
      withData(invocation, async ({ deps, actor }) => {
        const scope = await authorizeBusiness(deps, actor, "manage");
        const outcome = await createBoard(deps, scope, { name: requireName(invocation.parameters[0]) });
        if (outcome.replayed) return;
        const { id, name, slug, isDefault } = outcome.value;
        print(invocation, { board: { id, name, slug, isDefault } }, `${id}  ${name}`);
      }),
  },
  {
    name: "export",
    parameters: ["BOARD", "FILE"],
    summary: "Writes a board with all its zones and tiles to a file (JSON lines).",
    run: (invocation) =>
      withData(invocation, async ({ deps, actor }) => {
        const [boardId = "", file = ""] = invocation.parameters;
        if (existsSync(file)) throw new Error(`${file} exists already. Choose another name, or remove it first.`);
        const scope = await authorizeBoard(deps, actor, boardId, "read");
        const partial = `${file}.partial`;
        closeSync(openSync(partial, "w", 0o600));
        let lines = 0;
        try {
          for await (const line of exportBoard(deps, scope)) {
            await appendFile(partial, line);
            lines++;
          }
          await rename(partial, file);
        } finally {
          await rm(partial, { force: true });
        }
        print(invocation, { export: { board: boardId, file, lines } }, `Wrote ${lines} lines to ${file}.`);
      }),
  },
  {
    name: "import",
    parameters: ["BOARD", "FILE"],
    summary: "Creates a board named BOARD from an exported file.",
    run: (invocation) =>
      withData(invocation, async ({ deps, actor }) => {
        const [name = "", file = ""] = invocation.parameters;
        if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
        const scope = await authorizeBusiness(deps, actor, "manage");
        const authorize = (board: Board) => authorizeBoard(deps, actor, board.id, "manage");
        const result = await importBoard(deps, scope, {
          name: requireName(name),
          lines: splitLines(openReadStream(file, "utf8") as AsyncIterable<string>),
          authorize,
        });
        const { id, slug, isDefault } = result.board;
        print(
          invocation,
          { board: { id, name: result.board.name, slug, isDefault }, zones: result.zones, tiles: result.tiles },
          `${id}  ${result.board.name}: ${result.zones} zones, ${result.tiles} tiles`,
        );
      }),
  },
];

function requireName(name: string | undefined): string {
  const trimmed = name?.trim() ?? "";
  if (trimmed === "") throw new Error("The name must not be blank.");
  return trimmed;
}
