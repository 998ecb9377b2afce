import { BLOCK_SIZE } from "../../shared/codec.ts";
import type { Dialect } from "../driver.ts";
import { all, exists, get, run, type Unit } from "../unit.ts";
import { type BoardNumber, type Document, isOfBlock, setLive } from "./postings.ts";

/** The value of `posting_block.live` of a block whose postings wait to be erased. No search reads it, and no chunk is added to it. */
const DROPPED = -1;

/**
 * Removes the chunks of tiles of one board from the index. They are marked dead and subtracted from the statistics, so they do not affect
 * the ranking. A full block that is three quarters dead is dropped, and its remaining tiles are indexed again.
 */
export function* removeFromIndex(dialect: Dialect, businessId: string, tileIds: readonly string[]): Unit<void> {
  const { index } = dialect;
  const params = { businessId, tileIds };
  const indexed = yield* get<{ number: number }>(`SELECT board_number AS number FROM chunk WHERE ${index.isOfTiles} LIMIT 1`, params);
  if (indexed === undefined) return;
  const board: BoardNumber = { businessId, number: indexed.number };
  yield* index.lock(board);
  const chunks = yield* all<Document>(`DELETE FROM chunk WHERE ${index.isOfTiles} RETURNING document, length`, params);
  const blocks = yield* setLive(dialect, board, chunks, false);
  for (const block of blocks) yield* dropSparseBlock(dialect, board, block);
}

function* dropSparseBlock(dialect: Dialect, board: BoardNumber, block: number): Unit<void> {
  const { index } = dialect;
  const params = { ...board, block };
  const counters = yield* get<{ next_document: number }>(`SELECT next_document FROM ${index.counters} WHERE ${index.isCounter}`, board);
  const isFull = counters !== undefined && counters.next_document >= (block + 1) * BLOCK_SIZE;
  if (!isFull) return;
  const row = yield* get<{ live: number }>(`SELECT live FROM posting_block WHERE ${isOfBlock(dialect)}`, params);
  if (row?.live === DROPPED || (row !== undefined && row.live * 4 > BLOCK_SIZE)) return;
  const tiles = yield* all<{ tile_id: string }>(
    `SELECT DISTINCT tile_id FROM chunk WHERE ${index.isOfBoard()} AND document >= @first AND document < @end ORDER BY tile_id`,
    { ...board, first: block * BLOCK_SIZE, end: (block + 1) * BLOCK_SIZE },
  );
  const { businessId } = board;
  const ids = tiles.map(({ tile_id }) => tile_id);
  const sql = `UPDATE tile SET is_indexed = FALSE WHERE business_id = @businessId AND ${dialect.isAnyOf("id", "ids")}`;
  yield* run(sql, { businessId, ids });
  yield* removeFromIndex(dialect, businessId, ids);
  yield* dropBlock(dialect, board, block);
}

/** Hides a block from all searches. Its postings, of which there may be hundreds of thousands, are erased later. */
function* dropBlock(dialect: Dialect, board: BoardNumber, block: number): Unit<void> {
  const { index } = dialect;
  const params = { ...board, block };
  yield* run(`DELETE FROM passage_block WHERE ${isOfBlock(dialect)}`, params);
  yield* run(
    `INSERT INTO posting_block (${index.boardColumns}, block, live, dead) VALUES (${index.boardParams}, @block, ${DROPPED}, @dead)
     ON CONFLICT (${index.boardColumns}, block) DO UPDATE SET live = excluded.live, dead = excluded.dead`,
    { ...params, dead: Buffer.alloc(BLOCK_SIZE / 8, 0xff) },
  );
}

/** Drops all blocks of a board, so that it is empty. Chunks that are added later get new blocks. */
export function* dropBoardIndex(dialect: Dialect, board: BoardNumber): Unit<void> {
  const { index } = dialect;
  yield* index.lock(board);
  yield* run(`UPDATE posting_block SET live = ${DROPPED} WHERE ${index.isOfBoard()}`, board);
  yield* run(
    `UPDATE ${index.counters} SET documents = 0, total_length = 0,
       next_document = (next_document + ${BLOCK_SIZE - 1}) / ${BLOCK_SIZE} * ${BLOCK_SIZE} WHERE ${index.isCounter}`,
    board,
  );
}

/** Whether the postings of a block wait to be erased. */
export const hasDroppedBlock = (): Unit<boolean> => exists(`SELECT 1 FROM posting_block WHERE live = ${DROPPED}`);

/** Erases at most `maxRows` postings of a dropped block. Returns false when there is none, or other nodes erase them. */
export function* eraseDroppedPostings(dialect: Dialect, maxRows: number): Unit<boolean> {
  const { index } = dialect;
  const columns = index.boardColumns;
  const block = yield* get<Record<string, string | number>>(
    `SELECT ${columns}, block FROM posting_block AS k WHERE live = ${DROPPED} LIMIT 1${dialect.locking("FOR UPDATE OF k SKIP LOCKED")}`,
  );
  if (block === undefined) return false;
  const params = { businessId: String(block["business_id"] ?? ""), number: Number(block["board_number"]), block: Number(block["block"]) };
  const erased = yield* run(
    `DELETE FROM posting WHERE ${isOfBlock(dialect)} AND term IN (SELECT term FROM posting WHERE ${isOfBlock(dialect)} ORDER BY term LIMIT @maxRows)`,
    { ...params, maxRows },
  );
  if (erased < maxRows) {
    yield* run(`DELETE FROM passage_block WHERE ${isOfBlock(dialect)}`, params);
    yield* run(`DELETE FROM posting_block WHERE ${isOfBlock(dialect)}`, params);
  }
  return true;
}
