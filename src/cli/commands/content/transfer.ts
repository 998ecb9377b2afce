import { open, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Board } from "#domain/core/board.ts";
import { createPartial } from "#runtime/files/partial.ts";
import { openReadStream } from "#runtime/files/stream.ts";
import { authorizeBoard, authorizeBusiness } from "#service/access.ts";
import { exportBoard } from "#service/content/transfer/export.ts";
import { importBoard, streamLines } from "#service/content/transfer/import.ts";
import { type Command, UsageError, print } from "../../command.ts";
import { requireAbsent, requireReadable, withFileErrors } from "../../file-errors.ts";
import { withData } from "../../with-data.ts";
import { requireName } from "./names.ts";

/** Several times the longest line of an export, and half of what a string can hold. */
const MAX_LINE_LENGTH = 256_000_000;

export const TRANSFER_COMMANDS: readonly Command[] = [
  {
    name: "export",
    parameters: [
      { name: "BOARD", meaning: 'The id of the board, from "board list".' },
      { name: "FILE", meaning: "The file to write, which must not exist, or - for standard output.", isFile: true },
    ],
    summary: "Writes a board with its zones and tiles to a file (JSON lines).",
    examples: ["export brd_… board.jsonl", "{program} export brd_… - > board.jsonl"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps, actor }) => {
        const [boardId = "", file = ""] = invocation.parameters;
        if (file === "-") {
          if (invocation.isJson) throw new UsageError("--json and - both write to standard output. Leave out one of them.");
          return pipeline(exportBoard(deps, await authorizeBoard(deps, actor, boardId, "read")), process.stdout, { end: false });
        }
        requireAbsent(file);
        const scope = await authorizeBoard(deps, actor, boardId, "read");
        const lines = await withFileErrors("written", file, () => writeLines(file, exportBoard(deps, scope)));
        print(invocation, { export: { board: boardId, file, lines } }, `Wrote ${lines} lines to ${file}.`);
      }),
  },
  {
    name: "import",
    parameters: [
      { name: "NAME", meaning: "The name of the new board." },
      { name: "FILE", meaning: "A file that was written by export, or - for standard input.", isFile: true },
    ],
    summary: "Creates a board from an exported file.",
    details: "FILE may be -, for standard input.",
    examples: [
      'import "Copy of my board" board.jsonl',
      'import "Copy of my board" board.jsonl --business biz_…',
      '{program} import "Copy of my board" - < board.jsonl',
    ],
    installation: "created",
    run(invocation) {
      const [name = "", file = ""] = invocation.parameters;
      // Checked first, since opening the data creates an installation if there is none.
      if (file !== "-") requireReadable(file, { isPipeAllowed: true });
      return withData(invocation, async ({ deps, actor }) => {
        const scope = await authorizeBusiness(deps, actor, "manage");
        const authorize = (board: Board) => authorizeBoard(deps, actor, board.id, "manage");
        const result = await withFileErrors("read", file, () =>
          importBoard(deps, scope, {
            name: requireName(name),
            lines: streamLines((file === "-" ? process.stdin.setEncoding("utf8") : openReadStream(file, "utf8")) as AsyncIterable<string>, {
              maxLength: MAX_LINE_LENGTH,
            }),
            authorize,
          }),
        );
        const { id, slug, isDefault } = result.board;
        print(
          invocation,
          { board: { id, name: result.board.name, slug, isDefault }, zones: result.zones, tiles: result.tiles },
          `${id}  ${result.board.name}: ${result.zones} zones, ${result.tiles} tiles`,
        );
      });
    },
  },
];

/** Writes the lines to `file`, which exists only when they are complete. Returns their number. */
async function writeLines(file: string, lines: AsyncIterable<string>): Promise<number> {
  const partial = createPartial(file);
  let written = 0;
  try {
    const output = await open(partial, "w");
    try {
      for await (const line of lines) {
        await output.appendFile(line);
        written++;
      }
      await output.sync();
    } finally {
      await output.close();
    }
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
  return written;
}
