import type { TileAdapter } from "../tiles/tile-adapter.ts";
import { type Driver, readForChange } from "../driver.ts";
import { all, run, type Params, type Unit } from "../unit.ts";

/** Rows deleted in one unit of work, so that a purge never holds up the writers. */
const BATCH_ROWS = 500;
/** How long an upload may take; parts of older ones without a tile are left over. */
const MAX_UPLOAD_MS = 24 * 3_600_000;

const HAS_TILE = "EXISTS (SELECT 1 FROM tile t WHERE t.business_id = p.business_id AND t.id = p.tile_id)";

/** One kind of rows to delete: `select` finds their keys, as long as there are any. */
type Step = { readonly table: string; readonly key: string; readonly select: string };

/** `own` is a condition on the business of a row. */
const stepsOf = (own: (column: string) => string): readonly Step[] => [
  ...["tile", "zone"].map((table) => ({
    table,
    key: "business_id, id",
    select: `SELECT business_id, id FROM ${table} WHERE ${own("business_id")} AND deleted_at < @deletedBefore`,
  })),
  {
    table: "file_part",
    key: "business_id, tile_id, part",
    select: `SELECT business_id, tile_id, part FROM file_part p WHERE ${own("business_id")} AND created_at < @uploadedBefore AND NOT ${HAS_TILE}`,
  },
  {
    table: "thumbnail",
    key: "business_id, tile_id",
    select: `SELECT business_id, tile_id FROM thumbnail p WHERE ${own("business_id")} AND NOT ${HAS_TILE}`,
  },
  {
    table: "delivery",
    key: "business_id, id",
    select: `SELECT d.business_id, d.id FROM business b CROSS JOIN delivery d
      WHERE ${own("b.id")} AND d.business_id = b.id AND d.created_at < @deletedBefore AND d.status IN ('succeeded', 'failed')`,
  },
];

/** Deletes what nobody can reach any more, in small units of work. */
export class Purge {
  readonly #driver: Driver;
  readonly #adapter: TileAdapter;
  readonly #isPostgres: boolean;

  constructor(driver: Driver, adapter: TileAdapter) {
    this.#driver = driver;
    this.#adapter = adapter;
    this.#isPostgres = driver.dialect.engine === "postgres";
  }

  /**
   * Deletes what was deleted before `deletedBefore`, deliveries that ended and were made before then, and what has expired; returns the
   * number of rows. Times are milliseconds since 1970.
   */
  async run(deletedBefore: number, now: number): Promise<number> {
    const times = { deletedBefore, uploadedBefore: now - MAX_UPLOAD_MS, now };
    // Every index of PostgreSQL begins with the business; those of SQLite find the rows of all businesses at once.
    if (!this.#isPostgres) return this.#purge(() => "TRUE", times);
    let deleted = 0;
    for (const { id } of await this.#driver.read(() => all<{ id: string }>("SELECT id FROM business ORDER BY id")))
      deleted += await this.#purge((column) => `${column} = @businessId`, { ...times, businessId: id });
    return deleted;
  }

  async #purge(own: (column: string) => string, params: Params): Promise<number> {
    let deleted = 0;
    for (const { table, key, select } of stepsOf(own))
      deleted += await this.#inBatches(() => run(`DELETE FROM ${table} WHERE (${key}) IN (${select} LIMIT ${BATCH_ROWS})`, params));
    const boards = await this.#driver.read(() => this.#listBoards(own("b.business_id"), params));
    for (const board of boards) deleted += await this.#purgeBoard({ ...params, businessId: board.business_id, ...board });
    for (const table of ["once", "session", "invitation", "claim"])
      deleted += await this.#driver.write(() => run(`DELETE FROM ${table} WHERE ${own("business_id")} AND expires_at < @now`, params));
    // Notes of processes about their work, which users never see, are not counted.
    for (const table of this.#isPostgres ? ["progress", "embedding"] : ["progress"])
      await this.#driver.write(() => run(`DELETE FROM ${table} WHERE ${own("business_id")} AND until < @now`, params));
    return deleted;
  }

  async #inBatches(batch: () => Unit<number>): Promise<number> {
    for (let deleted = 0; ;) {
      const rows = await this.#driver.write(batch);
      deleted += rows;
      if (rows < BATCH_ROWS) return deleted;
    }
  }

  /** Boards deleted long ago that still hold something. */
  #listBoards(own: string, params: Params): Unit<{ number: number; business_id: string; id: string }[]> {
    const held = ["generation", "tile", "zone"].map(
      (table) => `EXISTS (SELECT 1 FROM ${table} h WHERE h.business_id = b.business_id AND h.board_id = b.id)`,
    );
    return all(
      `SELECT b.number, b.business_id, b.id FROM board b ${this.#driver.dialect.index.joinCounters}
       WHERE ${own} AND b.deleted_at < @deletedBefore AND (i.documents > 0 OR ${held.join(" OR ")})`,
      params,
    );
  }

  /** The board's own row stays, so that its slug and number are not used again. */
  async #purgeBoard(board: Params): Promise<number> {
    const deleted = await this.#inBatches(() => this.#purgeTiles(board));
    await this.#driver.write(() => this.#purgeRest(board));
    return deleted;
  }

  /** Checked in each step, under the lock that a restoration takes: a board that came back keeps what it holds. */
  *#isStillDeleted(board: Params): Unit<boolean> {
    const sql = "SELECT 1 FROM board WHERE business_id = @businessId AND id = @id AND deleted_at < @deletedBefore";
    return (yield* readForChange(this.#driver.dialect, sql, board)) !== undefined;
  }

  *#purgeTiles(board: Params): Unit<number> {
    if (!(yield* this.#isStillDeleted(board))) return 0;
    const tiles = yield* all<{ id: string }>(
      `SELECT id FROM tile WHERE business_id = @businessId AND board_id = @id ORDER BY id LIMIT ${BATCH_ROWS}`,
      board,
    );
    const ids = tiles.map(({ id }) => id);
    const businessId = board["businessId"] as string;
    yield* this.#adapter.dropJobs(businessId, ids);
    return yield* run(`DELETE FROM tile WHERE business_id = @businessId AND ${this.#driver.dialect.isAnyOf("id", "ids")}`, {
      businessId,
      ids,
    });
  }

  *#purgeRest(board: Params): Unit<void> {
    if (!(yield* this.#isStillDeleted(board))) return;
    for (const table of ["zone", "generation", "idea"])
      yield* run(`DELETE FROM ${table} WHERE business_id = @businessId AND board_id = @id`, board);
    const { index } = this.#driver.dialect;
    for (const table of ["posting", "posting_block", "passage_block", "chunk"])
      yield* run(`DELETE FROM ${table} WHERE ${index.isOfBoard()}`, board);
    yield* run(`UPDATE ${index.counters} SET documents = 0, total_length = 0 WHERE ${index.isCounter}`, board);
  }
}
