import { BLOCK_SIZE, createDeadBitmap } from "../../shared/codec.ts";
import type { Dialect } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { all, exists, get, run, type Unit } from "../unit.ts";
import {
  boardColumns,
  type BoardNumber,
  boardParams,
  clearCounters,
  isOfBlock,
  isOfBoard,
  isOfBoardRow,
  isOfTiles,
  lockIndex,
  startNewBlock,
} from "./board-index.ts";
import { DOCUMENTS, findPostingBlock, type Document, setLive } from "./postings.ts";

/** The value of `posting_block.live` of a block whose postings wait to be erased. No search reads it, and no chunk is added to it. */
const DROPPED = -1;

/**
 * Removes the chunks of tiles of one board from the index. They are marked dead and subtracted from the statistics, so they do not affect
 * the ranking. A full block that is three quarters dead is dropped, and its remaining tiles are indexed again.
 */
export function* removeFromIndex(dialect: Dialect, businessId: string, tileIds: readonly string[]): Unit<void> {
  const params = { businessId, tileIds };
  const indexed = yield* get<{ number: number }>(`SELECT board_number AS number FROM chunk WHERE ${isOfTiles(dialect)} LIMIT 1`, params);
  if (indexed === undefined) return;
  const board: BoardNumber = { businessId, number: indexed.number };
  const nextDocument = yield* lockIndex(dialect, board);
  const chunks = yield* all<Document>(`DELETE FROM chunk WHERE ${isOfTiles(dialect)} RETURNING ${DOCUMENTS.columns}`, params);
  const blocks = yield* setLive(dialect, board, chunks, false);
  for (const block of blocks) if (nextDocument >= (block + 1) * BLOCK_SIZE) yield* dropSparseBlock(dialect, board, block);
}

/** Drops a full block that is three quarters dead, unless another unit has locked one of its tiles. The next removal tries again. */
function* dropSparseBlock(dialect: Dialect, board: BoardNumber, block: number): Unit<void> {
  const found = yield* findPostingBlock(dialect, board, block);
  if (found !== null && (found.live === DROPPED || found.live * 4 > BLOCK_SIZE)) return;
  const tiles = yield* all<{ id: string }>(
    `SELECT DISTINCT tile_id AS id FROM chunk WHERE ${isOfBoard(dialect)} AND document >= @first AND document < @end ORDER BY tile_id`,
    { ...board, first: block * BLOCK_SIZE, end: (block + 1) * BLOCK_SIZE },
  );
  const { businessId } = board;
  const ids = tiles.map(({ id }) => id);
  if (!(yield* tryLockTiles(dialect, businessId, ids))) return;
  const sql = `UPDATE tile SET is_indexed = FALSE WHERE business_id = @businessId AND ${dialect.isAnyOf("id", "ids")}`;
  yield* run(sql, { businessId, ids });
  yield* removeFromIndex(dialect, businessId, ids);
  yield* dropBlock(dialect, board, block);
}

/** Locks the tiles if no other unit has locked one. Units that wait for tiles lock them before the index, which is locked by now. */
function* tryLockTiles({ isAnyOf, locking }: Dialect, businessId: string, ids: readonly string[]): Unit<boolean> {
  const clause = locking("FOR UPDATE SKIP LOCKED");
  if (clause === "") return true;
  const sql = `SELECT 1 FROM tile WHERE business_id = @businessId AND ${isAnyOf("id", "ids")}`;
  const locked = yield* all(sql + clause, { businessId, ids });
  return locked.length === (yield* all(sql, { businessId, ids })).length;
}

/** Hides a block from all searches. Its postings, of which there may be hundreds of thousands, are erased later. */
function* dropBlock(dialect: Dialect, board: BoardNumber, block: number): Unit<void> {
  const params = { ...board, block };
  yield* run(`DELETE FROM passage_block WHERE ${isOfBlock(dialect)}`, params);
  yield* run(
    `INSERT INTO posting_block (${boardColumns(dialect)}, block, live, dead) VALUES (${boardParams(dialect)}, @block, ${DROPPED}, @dead)
     ON CONFLICT (${boardColumns(dialect)}, block) DO UPDATE SET live = excluded.live, dead = excluded.dead`,
    { ...params, dead: createDeadBitmap().fill(0xff) },
  );
}

/** Drops all blocks of a board, so that it is empty. Chunks that are added later get new blocks. */
export function* dropBoardIndex(dialect: Dialect, board: BoardNumber): Unit<void> {
  yield* startNewBlock(dialect, board);
  yield* clearCounters(board);
  yield* run(`UPDATE posting_block SET live = ${DROPPED} WHERE ${isOfBoard(dialect)}`, board);
}

/** Whether the postings of a block wait to be erased. */
export const hasDroppedBlock = (): Unit<boolean> => exists(`SELECT 1 FROM posting_block WHERE live = ${DROPPED}`);

type BoardBlock = BoardNumber & { readonly block: number };
const DROPPED_BLOCKS = new Mapping<BoardBlock>({ ...plainFields("businessId", "number"), block: { expression: "k.block" } }, "b");

/** Erases at most `maxRows` postings of a dropped block. Returns false when there is none, or other nodes erase them. */
export function* eraseDroppedPostings(dialect: Dialect, maxRows: number): Unit<boolean> {
  const block = yield* DROPPED_BLOCKS.find(
    `posting_block k CROSS JOIN board b WHERE k.live = ${DROPPED} AND ${isOfBoardRow(dialect, "k")} LIMIT 1${dialect.locking("FOR UPDATE OF k SKIP LOCKED")}`,
  );
  if (block === null) return false;
  const erased = yield* erasePostings(dialect, block, maxRows);
  if (erased < maxRows)
    for (const table of ["passage_block", "posting_block"]) yield* run(`DELETE FROM ${table} WHERE ${isOfBlock(dialect)}`, block);
  return true;
}

/** Erases at most `maxRows` postings of a block, and returns how many. */
export function* erasePostings(dialect: Dialect, block: BoardBlock, maxRows: number): Unit<number> {
  const first = `SELECT term FROM posting WHERE ${isOfBlock(dialect)} ORDER BY term LIMIT @maxRows`;
  const rows = yield* all<{ term: string }>(first, { ...block, maxRows });
  // A list, since PostgreSQL would read the block once for each term of a subquery.
  const terms = rows.map(({ term }) => term);
  return yield* run(`DELETE FROM posting WHERE ${isOfBlock(dialect)} AND ${dialect.isAnyOf("term", "terms")}`, { ...block, terms });
}
