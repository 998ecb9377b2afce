import { dropJobs } from "../queue/job-rows.ts";
import { isOfBoard, JOIN_COUNTERS } from "../search/board-index.ts";
import { dropBoardIndex } from "../search/remove-tiles.ts";
import { TEXT_BYTES } from "../tiles/tile-columns.ts";
import { type BoardKey, type Driver, readForChange } from "../driver.ts";
import { all, get, run, type Params, type Unit } from "../unit.ts";
import { BATCH_ROWS, BOARD_ROWS, deleteBatch, deletedRows, leftoverRows, oldRows, type PurgeStep, takeBatch } from "./purge-steps.ts";

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

/** Erases deleted and expired rows, in small units of work. */
export class Purge {
  readonly #driver: Driver;
  readonly #isPostgres: boolean;

  constructor(driver: Driver) {
    this.#driver = driver;
    this.#isPostgres = driver.dialect.engine === "postgres";
  }

  /**
   * Erases content deleted before `deletedBefore`, deliveries and generations that ended before then, and expired rows. Returns the
   * number of rows.
   * Times are in milliseconds since 1970.
   */
  async run(deletedBefore: number, now: number): Promise<number> {
    const recordedBefore = now - RECORDS_KEPT_MS;
    const usedBefore = Math.floor(recordedBefore / DAY_MS);
    const times = { deletedBefore, uploadedBefore: now - MAX_UPLOAD_MS, recordedBefore, usedBefore, now };
    await this.#driver.write(() => run(OLD_BACKUP_RUNS, { recordedBefore }));
    // The indexes of PostgreSQL begin with the business, so it purges each business separately.
    if (!this.#isPostgres) return this.#purge(() => "TRUE", times);
    let deleted = 0;
    for (const { id } of await this.#driver.read(() => all<{ id: string }>("SELECT id FROM business ORDER BY id")))
      deleted += await this.#purge((column) => `${column} = @businessId`, { ...times, businessId: id });
    return deleted;
  }

  /** Erases the content of a discarded board, which counts as deleted in 1970. Returns the number of tiles. */
  async eraseDiscarded(board: BoardKey): Promise<number> {
    const sql = "SELECT number FROM board WHERE business_id = @businessId AND id = @id";
    const { businessId, id } = board;
    const row = await this.#driver.read(() => get<{ number: number }>(sql, { businessId, id }));
    return row === undefined ? 0 : this.#purgeBoard({ businessId, id, number: row.number, deletedBefore: 1 });
  }

  async #purge(isOwn: (column: string) => string, params: Params): Promise<number> {
    let deleted = 0;
    for (const step of deletedRows(isOwn)) deleted += await this.#deleteRows(step, params);
    const boards = await this.#driver.read(() => this.#listBoards(isOwn("b.business_id"), params));
    for (const board of boards) deleted += await this.#purgeBoard({ ...params, businessId: board.business_id, ...board });
    for (const step of [...leftoverRows(isOwn), ...oldRows(isOwn)]) deleted += await this.#deleteRows(step, params);
    for (const table of ["session", "invitation", "claim"])
      deleted += await this.#driver.write(() => run(`DELETE FROM ${table} WHERE ${isOwn("business_id")} AND expires_at < @now`, params));
    // Rows about running work are not counted, since users never see them.
    for (const table of this.#isPostgres ? ["progress", "tile_claim"] : ["progress"])
      await this.#driver.write(() => run(`DELETE FROM ${table} WHERE ${isOwn("business_id")} AND until < @now`, params));
    return deleted;
  }

  #deleteRows(step: PurgeStep, params: Params): Promise<number> {
    const sql = deleteBatch(step);
    return deleteInBatches(this.#driver, () => run(sql, params));
  }

  /** Lists the boards deleted before `@deletedBefore` that still have content. */
  #listBoards(isOwn: string, params: Params): Unit<{ number: number; business_id: string; id: string }[]> {
    const contents = ["generation", "tile", "zone"].map(
      (table) => `EXISTS (SELECT 1 FROM ${table} c WHERE c.business_id = b.business_id AND c.board_id = b.id)`,
    );
    return all(
      `SELECT b.number, b.business_id, b.id FROM board b ${JOIN_COUNTERS}
       WHERE ${isOwn} AND b.deleted_at < @deletedBefore AND (i.documents > 0 OR ${contents.join(" OR ")})`,
      params,
    );
  }

  /** Erases the content of a board. Its row is kept, so that its slug and number are not reused. */
  async #purgeBoard(board: Params): Promise<number> {
    let deleted = await deleteInBatches(this.#driver, () => this.#purgeTiles(board));
    for (const step of BOARD_ROWS) await deleteInBatches(this.#driver, () => this.#purgeRows(deleteBatch(step), board));
    await this.#driver.write(() => this.#dropIndex(board));
    deleted += await deleteInBatches(this.#driver, () => this.#purgeChunks(board));
    return deleted;
  }

  /** Locks the board and checks it again in each step, since it may have been restored in the meantime. */
  *#isStillDeleted(board: Params): Unit<boolean> {
    const sql = "SELECT 1 FROM board WHERE business_id = @businessId AND id = @id AND deleted_at < @deletedBefore";
    return (yield* readForChange(this.#driver.dialect, sql, board)) !== undefined;
  }

  *#purgeTiles(board: Params): Unit<number> {
    if (!(yield* this.#isStillDeleted(board))) return 0;
    const found = yield* all<{ id: string; bytes: number }>(
      `SELECT t.id, ${TEXT_BYTES} AS bytes FROM tile t WHERE t.business_id = @businessId AND t.board_id = @id
       ORDER BY t.id LIMIT ${BATCH_ROWS}`,
      board,
    );
    const ids = takeBatch(found).map(({ id }) => id);
    const businessId = board["businessId"] as string;
    yield* dropJobs(this.#driver.dialect, businessId, ids);
    return yield* run(`DELETE FROM tile WHERE business_id = @businessId AND ${this.#driver.dialect.isAnyOf("id", "ids")}`, {
      businessId,
      ids,
    });
  }

  *#purgeRows(sql: string, board: Params): Unit<number> {
    return (yield* this.#isStillDeleted(board)) ? yield* run(sql, board) : 0;
  }

  *#dropIndex(board: Params): Unit<void> {
    if (!(yield* this.#isStillDeleted(board))) return;
    yield* dropBoardIndex(this.#driver.dialect, { businessId: board["businessId"] as string, number: board["number"] as number });
  }

  *#purgeChunks(board: Params): Unit<number> {
    const ofBoard = isOfBoard(this.#driver.dialect);
    // A restored board has new chunks, in blocks after those that were dropped.
    const isDropped = `document IN (SELECT document FROM chunk WHERE ${ofBoard} AND NOT EXISTS (
      SELECT 1 FROM tile t WHERE t.business_id = @businessId AND t.id = chunk.tile_id) LIMIT ${BATCH_ROWS})`;
    return yield* run(`DELETE FROM chunk WHERE ${ofBoard} AND ${isDropped}`, board);
  }
}
