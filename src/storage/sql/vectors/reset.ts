import { type Dialect, lockRows } from "../driver.ts";
import { TEXT_BYTES } from "../tiles/rows/tile-columns.ts";
import { limitStep } from "../tiles/tile-steps.ts";
import { findBoardNumber, isOfBoard, lockIndex } from "../search/board-index.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { run, type Unit } from "../unit.ts";

/** Tiles that one unit of work marks, and their bytes: SQLite writes a whole tile to mark it. */
const STEP = { tiles: 200, bytes: 4 * 1_048_576 } as const;
/** Blocks that one unit erases, of at most 128 KiB each for vectors of 512 bits. */
const MAX_BLOCKS = 50;

type BoardParams = { readonly businessId: string; readonly boardId: string };
const RESETS = new Mapping<BoardParams & { readonly beforeSequence: number }>(plainFields("businessId", "boardId", "beforeSequence"));
const TILES = new Mapping<{ readonly id: string; readonly sequence: number; readonly bytes: number }>(
  { ...plainFields("id", "sequence"), bytes: { expression: TEXT_BYTES } },
  "t",
);

const IS_RESET = "business_id = @businessId AND board_id = @boardId";

/** The condition that the board `@boardId` of `@businessId` has no vectors of an earlier model. */
export const HAS_OWN_VECTORS = "NOT EXISTS (SELECT 1 FROM vector_reset WHERE business_id = @businessId AND board_id = @boardId)";

/** Begins to discard the vectors of every board. From the commit on, none of them is read. */
export function* beginReset(): Unit<void> {
  yield* run(
    `INSERT INTO vector_reset (business_id, board_id, before_sequence) SELECT business_id, id, next_sequence FROM board WHERE TRUE
     ON CONFLICT (business_id, board_id) DO UPDATE SET before_sequence = excluded.before_sequence`,
  );
}

/** Continues with one board: marks some tiles as not embedded or, when none is left, erases some vectors. Returns false when all is done. */
export function* continueReset(dialect: Dialect): Unit<boolean> {
  const reset = yield* RESETS.find(
    `vector_reset AS r ORDER BY business_id, board_id LIMIT 1${dialect.locking("FOR UPDATE OF r SKIP LOCKED")}`,
  );
  if (reset === null) return false;
  const { beforeSequence, ...params } = reset;
  const last = yield* markTiles(dialect, params, beforeSequence);
  if (last !== undefined) yield* run(`UPDATE vector_reset SET before_sequence = @last WHERE ${IS_RESET}`, { ...params, last });
  else if (!(yield* eraseBlocks(dialect, params))) yield* run(`DELETE FROM vector_reset WHERE ${IS_RESET}`, params);
  return true;
}

/** Marks the last tiles before a sequence number. Returns the number of the first of them; undefined if there is none. */
function* markTiles(dialect: Dialect, params: BoardParams, before: number): Unit<number | undefined> {
  const rows = yield* TILES.list(
    `tile t WHERE t.business_id = @businessId AND t.board_id = @boardId
       AND t.deleted_at IS NULL AND t.sequence < @before ORDER BY t.sequence DESC LIMIT ${STEP.tiles}`,
    { ...params, before },
  );
  const tiles = limitStep(rows, STEP);
  if (tiles.length === 0) return undefined;
  const { businessId } = params;
  const ids = tiles.map(({ id }) => id);
  yield* lockRows(dialect, "tile", businessId, ids);
  yield* run(
    `UPDATE tile SET is_embedded = FALSE WHERE business_id = @businessId AND ${dialect.isAnyOf("id", "ids")} AND is_embedded = TRUE`,
    { businessId, ids },
  );
  return tiles.at(-1)?.sequence;
}

/**
 * Erases some blocks of vectors. Returns false when none was left. Those of sentences are overwritten later, and not read before, since
 * the vector of their passage is missing.
 */
function* eraseBlocks(dialect: Dialect, { businessId, boardId }: BoardParams): Unit<boolean> {
  const board = yield* findBoardNumber(businessId, boardId);
  if (board === null) return false;
  yield* lockIndex(dialect, board);
  const some = `SELECT block FROM passage_block WHERE ${isOfBoard(dialect)} ORDER BY block LIMIT ${MAX_BLOCKS}`;
  return (yield* run(`DELETE FROM passage_block WHERE ${isOfBoard(dialect)} AND block IN (${some})`, board)) > 0;
}
