import type { BulkAction, BulkSelection, BulkStep, TileChangeStore } from "#domain/content/changes.ts";
import type { NewJob } from "#domain/content/job.ts";
import { BULK_COLUMNS, BULK_JOIN, type BulkRow, bulkConditions, bulkStep, isChangedBy, stepOf } from "./bulk.ts";
import type { BoardKey, Driver } from "../driver.ts";
import type { Notifier } from "../notifier.ts";
import { removeFromIndex } from "../search/index.ts";
import { all, run, type SqlValue, type Unit } from "../unit.ts";
import { touchBoard } from "../content/board-revisions.ts";
import type { TileAdapter } from "./tile-adapter.ts";
import { STAMP_REVISION } from "./tile-columns.ts";
import { hideTiles, showTiles } from "./tile-lifecycle.ts";
import { requireZone } from "./tile-rows.ts";
import { TileSchedule } from "./tile-schedule.ts";

type Arguments<Name extends keyof TileChangeStore> = Parameters<TileChangeStore[Name]>;
type JobOf = (url: string | null) => NewJob;

/** Changes to many tiles at once, and which tiles were deleted. */
export class TileChanges extends TileSchedule implements TileChangeStore {
  protected readonly adapter: TileAdapter;
  protected readonly notifier: Notifier;

  constructor(driver: Driver, adapter: TileAdapter, notifier: Notifier) {
    super(driver);
    this.adapter = adapter;
    this.notifier = notifier;
  }

  async changeMany({ target }: Arguments<"changeMany">[0], selection: BulkSelection, jobOf: JobOf | null, now: number): Promise<BulkStep> {
    const { action, limit } = selection;
    if (jobOf === null) {
      const { rows, next } = stepOf(await this.driver.read(() => this.#find(target, selection)), limit);
      return bulkStep(rows, 0, next);
    }
    const step = await this.driver.write(() => this.#change(target, selection, jobOf, now));
    if (step.changed > 0 && (action.kind === "restore" || action.kind === "retry")) this.notifier.notifyWorkers("jobs");
    return step;
  }

  deletedSince({ target }: Arguments<"deletedSince">[0], revision: number): Promise<string[]> {
    return this.driver.read(function* () {
      const rows = yield* all<{ id: string }>(
        `SELECT id FROM tile WHERE business_id = @businessId AND board_id = @boardId AND board_revision > @revision
         AND deleted_at IS NOT NULL ORDER BY id`,
        { businessId: target.businessId, boardId: target.id, revision },
      );
      return rows.map(({ id }) => id);
    });
  }

  *#find({ businessId, id: boardId }: BoardKey, selection: BulkSelection): Unit<BulkRow[]> {
    const params: Record<string, SqlValue> = { businessId, boardId, limit: selection.limit + 1 };
    const bind = (value: SqlValue): string => {
      const name = `value${Object.keys(params).length}`;
      params[name] = value;
      return name;
    };
    const conditions = bulkConditions(
      selection,
      (value) => `@${bind(value)}`,
      (ids) => this.driver.dialect.isAnyOf("t.id", bind(ids)),
    );
    // Named tiles are looked up by their ids, instead of walking the whole board.
    const board = selection.filter.tileIds === undefined ? "t.board_id" : this.driver.dialect.unindexed("t.board_id");
    return yield* all<BulkRow>(
      `SELECT ${BULK_COLUMNS} FROM tile t ${BULK_JOIN} WHERE t.business_id = @businessId AND ${board} = @boardId
       AND ${conditions.join(" AND ")} ORDER BY t.sequence LIMIT @limit`,
      params,
    );
  }

  *#change(board: BoardKey, selection: BulkSelection, jobOf: JobOf, now: number): Unit<BulkStep> {
    const { action, limit } = selection;
    // Every writer locks the board first, so what is found stays as it is until the commit.
    yield* this.driver.dialect.lockRows("board", board.businessId, [board.id]);
    if (action.kind === "move") yield* requireZone(board, action.zoneId);
    const { rows, next } = stepOf(yield* this.#find(board, selection), limit);
    const changed = rows.filter((row) => isChangedBy(row, action));
    if (changed.length > 0) {
      yield* touchBoard(this.driver.dialect, board.businessId, board.id);
      yield* this.#apply(board, changed, action, jobOf, now);
    }
    return bulkStep(rows, changed.length, next);
  }

  #apply(board: BoardKey, rows: readonly BulkRow[], action: BulkAction, jobOf: JobOf, now: number): Unit<void> {
    const ids = rows.map(({ id }) => id);
    if (action.kind === "delete") return hideTiles(this.adapter, board, ids, now);
    if (action.kind === "restore") return showTiles(this.adapter, board, ids, jobOf, now);
    if (action.kind === "move") return this.#move(board, rows, action, now);
    return this.#retry(board, rows, jobOf, now);
  }

  *#move({ businessId }: BoardKey, rows: readonly BulkRow[], action: BulkAction & { kind: "move" }, now: number): Unit<void> {
    const orders = rows.map(({ id, sort_order }) => ({ id, sort_order: action.sortOrders?.get(id) ?? sort_order }));
    yield* run(
      // Materialized, since SQLite would else go through all tiles of the business, and for each through the rows.
      `WITH given AS MATERIALIZED (SELECT id, sort_order FROM ${this.driver.dialect.rowsOfJson("orders", { id: "text", sort_order: "bigint" })} AS r)
       UPDATE tile SET zone_id = @zoneId, sort_order = given.sort_order, version = version + 1, updated_at = @now, ${STAMP_REVISION}
       FROM given WHERE tile.business_id = @businessId AND tile.id IN (SELECT id FROM given) AND tile.id = given.id`,
      { zoneId: action.zoneId, now, businessId, orders: JSON.stringify(orders) },
    );
  }

  *#retry(board: BoardKey, rows: readonly BulkRow[], jobOf: JobOf, now: number): Unit<void> {
    const { businessId } = board;
    const ids = rows.map(({ id }) => id);
    yield* this.driver.dialect.lockRows("tile", businessId, ids);
    yield* removeFromIndex(this.driver.dialect, businessId, ids);
    yield* run(
      `UPDATE tile SET status = 'processing', error = NULL, ${this.driver.dialect.tile.indexed} = TRUE, version = version + 1, updated_at = @now,
       ${STAMP_REVISION} WHERE business_id = @businessId AND ${this.driver.dialect.isAnyOf("id", "ids")}`,
      { now, businessId, ids },
    );
    yield* this.adapter.putJobs(
      board,
      rows.map(({ id, source_url: url }) => ({ tileId: id, job: jobOf(url) })),
      now,
    );
  }
}
