import { dropJobs } from "../queue/job-rows.ts";
import { findBoardNumber, isOfBoard, isOfBoardRow, JOIN_COUNTERS } from "../search/board-index.ts";
import { dropBoardIndex } from "../search/remove-tiles.ts";
import { ERASED_BYTES, LABELLED_COLUMNS, toLabelled } from "../tiles/rows/tile-columns.ts";
import type { TileRow } from "../tiles/rows/tile-fields.ts";
import { removeLabels } from "../tiles/rows/tile-labels.ts";
import { type BoardKey, type Dialect, type Driver, readForChange } from "../driver.ts";
import { all, run, type Params, type Unit } from "../unit.ts";
import { BATCH_ROWS, BOARD_ROWS, deleteBatch, deletedRows, leftoverRows, oldRows, type PurgeStep, takeBatch } from "./purge-steps.ts";

/** Returns the ids of all businesses. */
export const listBusinesses = async ({ read }: Pick<Driver, "read">): Promise<string[]> =>
  (await read(() => all<{ id: string }>("SELECT id FROM business ORDER BY id"))).map(({ id }) => id);

/** Runs `deleteRows`, which deletes a batch, until nothing is left. Returns the number of deleted rows. */
export async function deleteInBatches({ write }: Pick<Driver, "write">, deleteRows: () => Unit<number>): Promise<number> {
  for (let deleted = 0; ;) {
    const rows = await write(deleteRows);
    if (rows === 0) return deleted;
    deleted += rows;
  }
}

/** Maximum duration of an upload. Older parts without a tile are left over from a failed upload. */
const MAX_UPLOAD_MS = 24 * 3_600_000;

const DAY_MS = 24 * 3_600_000;
/**
 * How long the audit log, the usage of keys and the history of backups are kept: thirteen months, so that a month can be compared. Entries
 * about accounts that came or went are kept whatever their age.
 */
const RECORDS_KEPT_MS = 400 * DAY_MS;
const OLD_BACKUP_RUNS = "DELETE FROM backup_run WHERE started_at < @recordedBefore AND (is_removed = TRUE OR bytes IS NULL)";

/** How an engine purges. */
export type PurgeAdapter = {
  /** Whether each business is purged separately, since all indexes begin with it. */
  readonly isByBusiness: boolean;
  /** The tables of claims, which expire at `until`. */
  readonly claimTables: readonly string[];
};

/** Returns a condition on the column with the business of a row. */
type IsOwn = (column: string) => string;

/** Erases deleted and expired rows, in small units of work. */
export type Purge = {
  /**
   * Erases content deleted before `deletedBefore`, deliveries and generations that ended before then, and expired rows. Returns the
   * number of rows. Times are in milliseconds since 1970.
   */
  run(deletedBefore: number, now: number): Promise<number>;
  /** Erases the content of a discarded board, which counts as deleted in 1970. Returns the number of tiles. */
  eraseDiscarded(board: BoardKey): Promise<number>;
};

export function createPurge(driver: Driver, { isByBusiness, claimTables }: PurgeAdapter): Purge {
  const { dialect, read, write } = driver;

  async function purge(isOwn: IsOwn, params: Params): Promise<number> {
    const deleteRows = (step: PurgeStep): Promise<number> => {
      const sql = deleteBatch(step);
      return deleteInBatches(driver, () => (step.table === "tile" ? eraseTiles(dialect, sql, params) : run(sql, params)));
    };
    let deleted = 0;
    for (const step of deletedRows(isOwn)) deleted += await deleteRows(step);
    const boards = await read(() => listBoards(dialect, isOwn("b.business_id"), params));
    for (const board of boards) deleted += await purgeBoard(driver, { ...params, businessId: board.business_id, ...board });
    for (const step of [...leftoverRows(isOwn), ...oldRows(isOwn)]) deleted += await deleteRows(step);
    for (const table of ["session", "invitation", "claim"])
      deleted += await write(() => run(`DELETE FROM ${table} WHERE ${isOwn("business_id")} AND expires_at < @now`, params));
    // Rows about running work are not counted, since users never see them.
    for (const table of ["progress", ...claimTables])
      await write(() => run(`DELETE FROM ${table} WHERE ${isOwn("business_id")} AND until < @now`, params));
    return deleted;
  }

  return {
    async run(deletedBefore, now) {
      const recordedBefore = now - RECORDS_KEPT_MS;
      const usedBefore = Math.floor(recordedBefore / DAY_MS);
      const times = { deletedBefore, uploadedBefore: now - MAX_UPLOAD_MS, recordedBefore, usedBefore, now };
      await write(() => run(OLD_BACKUP_RUNS, { recordedBefore }));
      if (!isByBusiness) return purge(() => "TRUE", times);
      let deleted = 0;
      for (const businessId of await listBusinesses(driver))
        deleted += await purge((column) => `${column} = @businessId`, { ...times, businessId });
      return deleted;
    },

    async eraseDiscarded({ businessId, id }) {
      const board = await read(() => findBoardNumber(businessId, id));
      return board === null ? 0 : purgeBoard(driver, { ...board, id, deletedBefore: 1 });
    },
  };
}

/** Lists the boards deleted before `@deletedBefore` that still have content. */
function listBoards(dialect: Dialect, isOwn: string, params: Params): Unit<{ number: number; business_id: string; id: string }[]> {
  const contents = ["generation", "tile", "zone", "inbound_address"].map(
    (table) => `EXISTS (SELECT 1 FROM ${table} c WHERE c.business_id = b.business_id AND c.board_id = b.id)`,
  );
  // Chunks are erased last, after their counter is reset.
  contents.push(`EXISTS (SELECT 1 FROM chunk c WHERE ${isOfBoardRow(dialect, "c")})`);
  return all(
    `SELECT b.number, b.business_id, b.id FROM board b ${JOIN_COUNTERS}
     WHERE ${isOwn} AND b.deleted_at < @deletedBefore AND (i.documents > 0 OR ${contents.join(" OR ")})`,
    params,
  );
}

type DeletedBoard = Params & { readonly businessId: string; readonly number: number };

/** Erases the content of a board. Its row is kept, so that its slug and number are not reused. */
async function purgeBoard(driver: Driver, board: DeletedBoard): Promise<number> {
  const { dialect, write } = driver;
  const ifDeleted = (change: () => Unit<number>): (() => Unit<number>) =>
    function* () {
      return (yield* isStillDeleted(dialect, board)) ? yield* change() : 0;
    };
  let deleted = await deleteInBatches(
    driver,
    ifDeleted(() => purgeTiles(dialect, board)),
  );
  for (const step of BOARD_ROWS) {
    const sql = deleteBatch(step);
    await deleteInBatches(
      driver,
      ifDeleted(() => run(sql, board)),
    );
  }
  await write(function* () {
    if (yield* isStillDeleted(dialect, board)) yield* dropBoardIndex(dialect, { businessId: board.businessId, number: board.number });
  });
  deleted += await deleteInBatches(driver, () => purgeChunks(dialect, board));
  return deleted;
}

/** Locks the board and checks it again in each step, since it may have been restored in the meantime. */
function* isStillDeleted(dialect: Dialect, board: DeletedBoard): Unit<boolean> {
  const sql = "SELECT 1 FROM board WHERE business_id = @businessId AND id = @id AND deleted_at < @deletedBefore";
  return (yield* readForChange(dialect, sql, board)) !== undefined;
}

/** Runs a statement that deletes tiles, and removes their labels. Returns the number of tiles. */
function* eraseTiles(dialect: Dialect, sql: string, params: Params): Unit<number> {
  const rows = yield* all<TileRow>(`${sql} RETURNING ${LABELLED_COLUMNS}`, params);
  yield* removeLabels(dialect, rows.map(toLabelled));
  return rows.length;
}

function* purgeTiles(dialect: Dialect, board: DeletedBoard): Unit<number> {
  const found = yield* all<{ id: string; bytes: number }>(
    `SELECT t.id, ${ERASED_BYTES} AS bytes FROM tile t WHERE t.business_id = @businessId AND t.board_id = @id
     ORDER BY t.id LIMIT ${BATCH_ROWS}`,
    board,
  );
  const ids = takeBatch(found).map(({ id }) => id);
  const { businessId } = board;
  const sql = `DELETE FROM tile WHERE business_id = @businessId AND ${dialect.isAnyOf("id", "ids")}`;
  const deleted = yield* eraseTiles(dialect, sql, { businessId, ids });
  yield* dropJobs(dialect, businessId, ids);
  return deleted;
}

function* purgeChunks(dialect: Dialect, board: DeletedBoard): Unit<number> {
  const ofBoard = isOfBoard(dialect);
  // A restored board has new chunks, in blocks after those that were dropped.
  const isDropped = `document IN (SELECT document FROM chunk WHERE ${ofBoard} AND NOT EXISTS (
    SELECT 1 FROM tile t WHERE t.business_id = @businessId AND t.id = chunk.tile_id) LIMIT ${BATCH_ROWS})`;
  return yield* run(`DELETE FROM chunk WHERE ${ofBoard} AND ${isDropped}`, board);
}
