import type { IndexRebuildStore, RebuiltBoard } from "#domain/answers/index-rebuild.ts";
import { notFound } from "#domain/core/errors/error.ts";
import { toBlock } from "../../shared/codec.ts";
import { type BoardKey, type Dialect, type Driver, lockRows } from "../driver.ts";
import { Mapping, plain, plainFields } from "../mapping.ts";
import { all, get, run, type Unit } from "../unit.ts";
import { type BoardNumber, findBoardNumber, isOfBoard, lockIndex, startNewBlock } from "./board-index.ts";
import { erasePostings, removeFromIndex } from "./remove-tiles.ts";

/** Tiles that one unit of work marks, and postings of the previous index that it erases. */
const BATCH_TILES = 50;
const BATCH_POSTINGS = 2_000;

/** Tiles before `beforeSequence` are still to be marked, and documents before `firstDocument` to be erased. */
type Rebuild = { readonly beforeSequence: number; readonly firstDocument: number };
const REBUILDS = new Mapping<Rebuild>(plainFields("beforeSequence", "firstDocument"));
const REBUILT_BOARDS = new Mapping<RebuiltBoard>({
  businessId: plain,
  id: { column: "board_id" },
  isEmptied: { expression: "first_document = 0", convert: Boolean },
});

const IS_REBUILD = "business_id = @businessId AND board_id = @boardId";
const toParams = ({ businessId, id: boardId }: BoardKey) => ({ businessId, boardId });

/** Creates the store without `onRepair`, since only SQLite repairs its index. */
export const createIndexRebuildStore = ({ dialect, read, write }: Driver): Omit<IndexRebuildStore, "onRepair"> => ({
  begin: (board) => write(() => beginRebuild(dialect, board)),
  step: (board) => write(() => continueRebuild(dialect, board)),

  unfinished: () => read(() => REBUILT_BOARDS.list("index_rebuild ORDER BY business_id, board_id")),

  countWaiting: (board) =>
    read(function* () {
      const sql = "SELECT count(*) AS n FROM tile WHERE business_id = @businessId AND board_id = @boardId AND is_indexed = FALSE";
      return (yield* get<{ n: number }>(sql, toParams(board)))?.n ?? 0;
    }),
});

function* beginRebuild(dialect: Dialect, board: BoardKey): Unit<number> {
  const params = toParams(board);
  const number = yield* findBoardNumber(params.businessId, params.boardId);
  if (number === null) throw notFound("Board");
  const begun = yield* run(
    `INSERT INTO index_rebuild (business_id, board_id, before_sequence, first_document)
     SELECT business_id, id, next_sequence, 0 FROM board WHERE business_id = @businessId AND id = @boardId
     ON CONFLICT (business_id, board_id) DO NOTHING`,
    params,
  );
  // New chunks get blocks of their own, so that those of the previous index can be erased whole.
  if (begun > 0) {
    const firstDocument = yield* startNewBlock(dialect, number);
    yield* run(`UPDATE index_rebuild SET first_document = @firstDocument WHERE ${IS_REBUILD}`, { ...params, firstDocument });
  }
  const remaining = yield* get<{ n: number }>(
    `SELECT count(*) AS n FROM index_rebuild r JOIN tile t ON t.business_id = r.business_id AND t.board_id = r.board_id
     WHERE r.business_id = @businessId AND r.board_id = @boardId AND t.deleted_at IS NULL
       AND t.sequence < r.before_sequence`,
    params,
  );
  return remaining?.n ?? 0;
}

function* continueRebuild(dialect: Dialect, board: BoardKey): Unit<number | null> {
  const params = toParams(board);
  const rebuild = yield* REBUILDS.findForChange(dialect, `index_rebuild WHERE ${IS_REBUILD}`, params);
  if (rebuild === null) return null;
  const tiles = yield* all<{ id: string; sequence: number }>(
    `SELECT id, sequence FROM tile WHERE business_id = @businessId AND board_id = @boardId AND deleted_at IS NULL
       AND sequence < @before ORDER BY sequence DESC LIMIT ${BATCH_TILES}`,
    { ...params, before: rebuild.beforeSequence },
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
  const number = yield* findBoardNumber(params.businessId, params.boardId);
  if (number !== null && (yield* eraseBefore(dialect, number, rebuild.firstDocument))) return 0;
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

/** Erases a part of what the previous index left behind, such as chunks without a tile. Returns false when nothing is left. */
function* eraseBefore(dialect: Dialect, board: BoardNumber, firstDocument: number): Unit<boolean> {
  const firstBlock = toBlock(firstDocument);
  const isOld = `${isOfBoard(dialect)} AND block < @firstBlock`;
  const stray = yield* all<{ id: string }>(
    `SELECT DISTINCT tile_id AS id FROM chunk WHERE ${isOfBoard(dialect)} AND document < @firstDocument LIMIT ${BATCH_TILES}`,
    { ...board, firstDocument },
  );
  const ids = stray.map(({ id }) => id);
  // Units lock tiles before the index.
  if (ids.length > 0) yield* markTiles(dialect, board.businessId, ids);
  yield* lockIndex(dialect, board);
  const oldest = yield* get<{ block: number }>(`SELECT block FROM posting WHERE ${isOld} ORDER BY block LIMIT 1`, { ...board, firstBlock });
  if (oldest !== undefined) yield* erasePostings(dialect, { ...board, ...oldest }, BATCH_POSTINGS);
  if (oldest !== undefined || ids.length > 0) return true;
  for (const table of ["posting_block", "passage_block"]) yield* run(`DELETE FROM ${table} WHERE ${isOld}`, { ...board, firstBlock });
  return false;
}
