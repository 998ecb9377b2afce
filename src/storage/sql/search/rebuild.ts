import type { IndexRebuildStore } from "#domain/answers/index-rebuild.ts";
import { notFound } from "#domain/core/error.ts";
import { BLOCK_SIZE, toBlock } from "../../shared/codec.ts";
import { type BoardKey, type Dialect, type Driver, lockRows, readForChange } from "../driver.ts";
import { all, get, type Params, run, type Unit } from "../unit.ts";
import { removeFromIndex } from "./index.ts";
import { type BoardNumber, readBoardNumber } from "./postings.ts";

/** Tiles that one unit of work marks, and postings of the previous index that it erases. */
const BATCH_TILES = 50;
const BATCH_POSTINGS = 2_000;

type Rebuild = { readonly before_sequence: number; readonly first_document: number };

const IS_REBUILD = "business_id = @businessId AND board_id = @boardId";
const toParams = ({ businessId, id: boardId }: BoardKey) => ({ businessId, boardId });

/** Creates the store without `onRepair`, since only SQLite repairs its index. */
export const createIndexRebuildStore = ({ dialect, read, write }: Driver): Omit<IndexRebuildStore, "onRepair"> => ({
  begin: (board) => write(() => beginRebuild(dialect, board)),
  step: (board) => write(() => continueRebuild(dialect, board)),

  unfinished: () =>
    read(function* () {
      const rows = yield* all<{ business_id: string; board_id: string; first_document: number }>(
        "SELECT business_id, board_id, first_document FROM index_rebuild ORDER BY business_id, board_id",
      );
      return rows.map(({ business_id: businessId, board_id: id, first_document: first }) => ({ businessId, id, isEmptied: first === 0 }));
    }),

  countWaiting: (board) =>
    read(function* () {
      const sql = "SELECT count(*) AS n FROM tile WHERE business_id = @businessId AND board_id = @boardId AND is_indexed = FALSE";
      return (yield* get<{ n: number }>(sql, toParams(board)))?.n ?? 0;
    }),
});

function* beginRebuild(dialect: Dialect, board: BoardKey): Unit<number> {
  const params = toParams(board);
  const number = yield* readBoardNumber(params.businessId, params.boardId);
  if (number === undefined) throw notFound("Board");
  const begun = yield* run(
    `INSERT INTO index_rebuild (business_id, board_id, before_sequence, first_document)
     SELECT business_id, id, next_sequence, 0 FROM board WHERE business_id = @businessId AND id = @boardId
     ON CONFLICT (business_id, board_id) DO NOTHING`,
    params,
  );
  // New chunks get blocks of their own, so that those of the previous index can be erased whole.
  if (begun > 0) yield* startNewBlock(dialect, number, params);
  const remaining = yield* get<{ n: number }>(
    `SELECT count(*) AS n FROM index_rebuild r JOIN tile t ON t.business_id = r.business_id AND t.board_id = r.board_id
     WHERE r.business_id = @businessId AND r.board_id = @boardId AND t.deleted_at IS NULL
       AND t.sequence < r.before_sequence`,
    params,
  );
  return remaining?.n ?? 0;
}

function* startNewBlock(dialect: Dialect, number: BoardNumber, params: ReturnType<typeof toParams>): Unit<void> {
  const { index } = dialect;
  yield* index.lock(number);
  const counters = yield* get<{ next_document: number }>(`SELECT next_document FROM ${index.counters} WHERE ${index.isCounter}`, number);
  const firstDocument = Math.ceil((counters?.next_document ?? 0) / BLOCK_SIZE) * BLOCK_SIZE;
  yield* run(`UPDATE ${index.counters} SET next_document = @firstDocument WHERE ${index.isCounter}`, { ...number, firstDocument });
  yield* run(`UPDATE index_rebuild SET first_document = @firstDocument WHERE ${IS_REBUILD}`, { ...params, firstDocument });
}

function* continueRebuild(dialect: Dialect, board: BoardKey): Unit<number | null> {
  const params = toParams(board);
  const rebuild = yield* readForChange<Rebuild>(
    dialect,
    `SELECT before_sequence, first_document FROM index_rebuild WHERE ${IS_REBUILD}`,
    params,
  );
  if (rebuild === undefined) return null;
  const { before_sequence: before, first_document: firstDocument } = rebuild;
  const tiles = yield* all<{ id: string; sequence: number }>(
    `SELECT id, sequence FROM tile WHERE business_id = @businessId AND board_id = @boardId AND deleted_at IS NULL
       AND sequence < @before ORDER BY sequence DESC LIMIT ${BATCH_TILES}`,
    { ...params, before },
  );
  const last = tiles.at(-1);
  if (last !== undefined) {
    yield* markTiles(
      dialect,
      params.businessId,
      tiles.map(({ id }) => id),
    );
    yield* run(`UPDATE index_rebuild SET before_sequence = @last WHERE ${IS_REBUILD}`, { ...params, last: last.sequence });
    return tiles.length;
  }
  const number = yield* readBoardNumber(params.businessId, params.boardId);
  if (number !== undefined && (yield* eraseBefore(dialect, number, firstDocument))) return 0;
  yield* run(`DELETE FROM index_rebuild WHERE ${IS_REBUILD}`, params);
  return null;
}

/** Removes the tiles from the index and marks those that belong there, in one unit, so that a search finds each of them once. */
function* markTiles(dialect: Dialect, businessId: string, ids: readonly string[]): Unit<void> {
  yield* lockRows(dialect, "tile", businessId, ids);
  yield* removeFromIndex(dialect, businessId, ids);
  yield* run(
    `UPDATE tile SET is_indexed = FALSE, is_embedded = FALSE
     WHERE business_id = @businessId AND ${dialect.isAnyOf("id", "ids")} AND status = 'ready' AND deleted_at IS NULL`,
    { businessId, ids },
  );
}

/** Erases the first postings of one block. Returns false when there is none. */
function* erasePostings({ index, isAnyOf }: Dialect, params: BoardNumber & Params, isOld: string): Unit<boolean> {
  const first = yield* get<{ block: number }>(`SELECT block FROM posting WHERE ${isOld} ORDER BY block LIMIT 1`, params);
  if (first === undefined) return false;
  const { businessId, number } = params;
  const block = { businessId, number, block: first.block };
  const isOfBlock = `${index.isOfBoard()} AND block = @block`;
  const rows = yield* all<{ term: string }>(`SELECT term FROM posting WHERE ${isOfBlock} ORDER BY term LIMIT ${BATCH_POSTINGS}`, block);
  yield* run(`DELETE FROM posting WHERE ${isOfBlock} AND ${isAnyOf("term", "terms")}`, { ...block, terms: rows.map(({ term }) => term) });
  return true;
}

/** Erases a part of what the previous index left behind, such as chunks without a tile. Returns false when nothing is left. */
function* eraseBefore(dialect: Dialect, board: BoardNumber, firstDocument: number): Unit<boolean> {
  const { index } = dialect;
  const params = { ...board, firstDocument, firstBlock: toBlock(firstDocument) };
  const isOld = `${index.isOfBoard()} AND block < @firstBlock`;
  yield* index.lock(board);
  const stray = yield* all<{ tile_id: string }>(
    `SELECT DISTINCT tile_id FROM chunk WHERE ${index.isOfBoard()} AND document < @firstDocument LIMIT ${BATCH_TILES}`,
    params,
  );
  const ids = stray.map(({ tile_id }) => tile_id);
  if (ids.length > 0) yield* markTiles(dialect, board.businessId, ids);
  if ((yield* erasePostings(dialect, params, isOld)) || ids.length > 0) return true;
  for (const table of ["posting_block", "passage_block"]) yield* run(`DELETE FROM ${table} WHERE ${isOld}`, params);
  return false;
}
