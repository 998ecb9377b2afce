import type { BoardStatistics } from "#domain/answers/search.ts";
import { BLOCK_SIZE } from "../../shared/codec.ts";
import type { Dialect } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { get, run, type Unit } from "../unit.ts";

/** A board with the number that identifies it in the tables of the index. */
export type BoardNumber = { readonly businessId: string; readonly number: number };

const BOARD_NUMBERS = new Mapping<BoardNumber>(plainFields("businessId", "number"));

/** Returns the number of a board, or null if there is no such board. */
export const findBoardNumber = (businessId: string, boardId: string): Unit<BoardNumber | null> =>
  BOARD_NUMBERS.find("board WHERE business_id = @businessId AND id = @boardId", { businessId, boardId });

/*
 * Conditions on rows of `chunk`, `posting`, `posting_block` and `passage_block`. Numbers of boards are unique in a SQLite file, and within
 * a business on PostgreSQL.
 */

const PARAMS = { business_id: "@businessId", board_number: "@number" } as const;
const NAMED_BOARD = {
  business_id: "@businessId",
  board_number: "(SELECT number FROM board WHERE business_id = @businessId AND id = @boardId)",
} as const;
const BOARD_COLUMNS = { business_id: "b.business_id", board_number: "b.number" } as const;

/** The columns that identify a board, for an INSERT. */
export const boardColumns = ({ indexKey }: Dialect): string => indexKey.join(", ");
/** The values of `boardColumns` for the board `@number` of `@businessId`. */
export const boardParams = ({ indexKey }: Dialect): string => indexKey.map((column) => PARAMS[column]).join(", ");

/** The values of `boardColumns` for the board `b`, a row of the table `board`. */
export const boardRowColumns = ({ indexKey }: Dialect): string => indexKey.map((column) => BOARD_COLUMNS[column]).join(", ");

function compareKey({ indexKey }: Dialect, alias: string | undefined, values: Readonly<Record<string, string>>): string {
  const prefix = alias === undefined ? "" : `${alias}.`;
  return indexKey.map((column) => `${prefix}${column} = ${values[column]}`).join(" AND ");
}

/** Returns the condition that the row belongs to the board `@number` of `@businessId`. */
export const isOfBoard = (dialect: Dialect, alias?: string): string => compareKey(dialect, alias, PARAMS);
/** Returns the condition that the row belongs to the board `@boardId` of `@businessId`, whose number is looked up once. */
export const isOfNamedBoard = (dialect: Dialect, alias: string): string => compareKey(dialect, alias, NAMED_BOARD);
/** Returns the condition that the row belongs to the block `@block` of the board. */
export const isOfBlock = (dialect: Dialect): string => `${isOfBoard(dialect)} AND block = @block`;
/** Returns the condition that the row belongs to the board `b`, a row of the table `board`. */
export const isOfBoardRow = (dialect: Dialect, alias: string): string => compareKey(dialect, alias, BOARD_COLUMNS);

/** Returns the condition that a chunk is of one of the tiles `@tileIds` of `@businessId`. */
export const isOfTiles = ({ indexKey, isAnyOf }: Dialect): string =>
  `${indexKey.includes("business_id") ? "business_id = @businessId AND " : ""}${isAnyOf("tile_id", "tileIds")}`;
/** Returns the condition that the chunk `c` is of the tile `t`. */
export const isOfTile = ({ indexKey }: Dialect): string =>
  `${indexKey.includes("business_id") ? "c.business_id = t.business_id AND " : ""}c.tile_id = t.id`;

/*
 * The counters of a board's index. They are apart from the row of the board, so that indexing and writing tiles do not wait for each other.
 */

const COUNTERS = new Mapping<BoardStatistics>(plainFields("documents", "totalLength", "nextDocument"));
const IS_COUNTER = "business_id = @businessId AND board_number = @number";
/** Joins the counters as `i` to the board `b`. */
export const JOIN_COUNTERS = "JOIN board_index i ON i.business_id = b.business_id AND i.board_number = b.number";

/** Creates the counters of a new board. */
export const createCounters = (businessId: string, boardId: string): Unit<number> =>
  run(
    "INSERT INTO board_index (business_id, board_number) SELECT business_id, number FROM board WHERE business_id = @businessId AND id = @boardId",
    { businessId, boardId },
  );

export const findCounters = (businessId: string, boardId: string): Unit<BoardStatistics | null> =>
  COUNTERS.find(`board b ${JOIN_COUNTERS} WHERE b.business_id = @businessId AND b.id = @boardId`, { businessId, boardId });

/** Serialises the units that write the index of a board, and returns the number of its next document. */
export function* lockIndex(dialect: Dialect, { businessId, number }: BoardNumber): Unit<number> {
  const params = { businessId, number };
  return (yield* COUNTERS.findForChange(dialect, `board_index WHERE ${IS_COUNTER}`, params))?.nextDocument ?? 0;
}

/** Reserves `count` numbers of documents, and returns the first. Locks the index of the board. */
export function* reserveDocuments(board: BoardNumber, count: number): Unit<number> {
  const sql = `UPDATE board_index SET next_document = next_document + @count WHERE ${IS_COUNTER} RETURNING ${COUNTERS.columns}`;
  const counters = yield* get<BoardStatistics>(sql, { ...board, count });
  if (counters === undefined) throw new Error(`The search index of board ${board.number} has no counters.`);
  return counters.nextDocument - count;
}

/** Locks the index of the board and lets the next document begin a block. Returns its number. */
export function* startNewBlock(dialect: Dialect, board: BoardNumber): Unit<number> {
  const next = Math.ceil((yield* lockIndex(dialect, board)) / BLOCK_SIZE) * BLOCK_SIZE;
  yield* run(`UPDATE board_index SET next_document = @next WHERE ${IS_COUNTER}`, { ...board, next });
  return next;
}

/** Adds to the counters of the live chunks, or subtracts from them. The index of the board must be locked. */
export const addToCounters = (board: BoardNumber, count: number, length: number): Unit<number> =>
  run(`UPDATE board_index SET documents = documents + @count, total_length = total_length + @length WHERE ${IS_COUNTER}`, {
    ...board,
    count,
    length,
  });

/** Resets the counters of the live chunks. The index of the board must be locked. */
export const clearCounters = (board: BoardNumber): Unit<number> =>
  run(`UPDATE board_index SET documents = 0, total_length = 0 WHERE ${IS_COUNTER}`, board);
