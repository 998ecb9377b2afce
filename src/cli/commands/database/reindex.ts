import type { Log } from "#domain/core/log.ts";
import { readConfig } from "#config";
import type { Board } from "#domain/core/board.ts";
import { notFound } from "#domain/core/errors/error.ts";
import { type Command, print } from "../../command.ts";
import { type Opened, withData } from "../../with-data.ts";

/** Minimum time between two progress lines of a board. */
const PROGRESS_INTERVAL_MS = 1_000;

export const REINDEX: Command = {
  name: "reindex",
  parameters: [{ name: "BOARD", meaning: 'The id of a board, from "board list". Without it, every board is rebuilt.', isOptional: true }],
  summary: "Builds the search index anew, also while a server runs.",
  details:
    "Searches work meanwhile. An interrupted command is continued by the server, or by the next one. A server computes the sentence vectors afterwards.",
  examples: ["reindex", "reindex brd_… --json"],
  installation: "required",
  run: (invocation) =>
    withData(invocation, async (opened) => {
      // Loaded here, since every other command would load all of it too.
      const { reindexBoard, startIndexing } = await import("#composition/background.ts");
      const indexer = startIndexing(readConfig(process.env), { deps: { ...opened.deps, log: STDERR_LOG } }, () => false);
      try {
        const boards: { id: string; name: string; tiles: number }[] = [];
        for (const board of await listBoards(opened, invocation.parameters[0], invocation.options.business !== undefined)) {
          const tiles = await reindexBoard(opened, board, indexer, createPrinter(board));
          boards.push({ id: board.id, name: board.name, tiles });
        }
        const lines = boards.map(({ id, name, tiles }) => `${id}  ${name}: ${tiles} tiles indexed anew`);
        print(invocation, { reindex: { boards } }, lines);
      } finally {
        await indexer.stop();
      }
    }),
};

/** Returns the board with this id; without one, the boards of the business, or of all businesses if none was given. */
async function listBoards({ deps, business }: Opened, boardId: string | undefined, isBusinessGiven: boolean): Promise<Board[]> {
  const { boards } = deps.store;
  const businesses = isBusinessGiven ? [business] : await boards.businesses();
  const all = (await Promise.all(businesses.map(({ id }) => boards.list(id)))).flat();
  if (boardId === undefined) return all;
  const board = all.find(({ id }) => id === boardId);
  if (board === undefined) throw notFound("Board");
  return [board];
}

function createPrinter({ name }: Board): (marked: number, total: number) => void {
  let last = 0;
  return (marked, total) => {
    if (marked < total && Date.now() - last < PROGRESS_INTERVAL_MS) return;
    last = Date.now();
    process.stderr.write(`${name}: ${marked} of ${total} tiles\n`);
  };
}

const writeLine = (_fields: object, message: string): void => void process.stderr.write(`${message}\n`);
const STDERR_LOG: Log = { info: () => undefined, warn: writeLine, error: writeLine };
