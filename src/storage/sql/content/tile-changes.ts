import type { BulkAction, BulkSelection, BulkStep, TileChangeStore } from "#domain/content/changes.ts";
import type { NewJob } from "#domain/content/job.ts";
import { BULK_COLUMNS, BULK_JOIN, type BulkRow, bulkConditions, bulkStep, isChangedBy, stepOf } from "../../shared/bulk.ts";
import { STAMP_REVISION } from "../../shared/rows/tile-rows.ts";
import type { Driver } from "../driver.ts";
import { all, run, type SqlValue, type Unit } from "../unit.ts";
import { touchBoard } from "./board-revisions.ts";
import type { BoardId, TileEngine } from "./tile-engine.ts";
import { hideTiles, lockTiles, showTiles } from "./tile-lifecycle.ts";
import { requireZone } from "./tile-rows.ts";

type Arguments<Name extends keyof TileChangeStore> = Parameters<TileChangeStore[Name]>;
type JobOf = (url: string | null) => NewJob;

/** Changes to many tiles at once, and which tiles were deleted. */
export class TileChanges implements TileChangeStore {
  protected readonly driver: Driver;
  protected readonly engine: TileEngine;

  constructor(driver: Driver, engine: TileEngine) {
    this.driver = driver;
    this.engine = engine;
  }

  async changeMany({ target }: Arguments<"changeMany">[0], selection: BulkSelection, jobOf: JobOf | null, now: number): Promise<BulkStep> {
    const { action, limit } = selection;
    if (jobOf === null) {
      const { rows, next } = stepOf(await this.driver.read(() => this.#find(target, selection)), limit);
      return bulkStep(rows, 0, next);
    }
    const step = await this.driver.write(() => this.#change(target, selection, jobOf, now));
    if (step.changed > 0 && (action.kind === "restore" || action.kind === "retry")) this.engine.notifyWorkers("jobs");
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

  *#find({ businessId, id: boardId }: BoardId, selection: BulkSelection): Unit<BulkRow[]> {
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

  *#change(board: BoardId, selection: BulkSelection, jobOf: JobOf, now: number): Unit<BulkStep> {
    const { action, limit } = selection;
    // Every writer locks the board first, so what is found stays as it is until the commit.
    yield* this.engine.lockBoards(board.businessId, [board.id]);
    if (action.kind === "move") yield* requireZone(board, action.zoneId);
    const { rows, next } = stepOf(yield* this.#find(board, selection), limit);
    const changed = rows.filter((row) => isChangedBy(row, action));
    if (changed.length > 0) {
      yield* touchBoard(this.driver.dialect, board.businessId, board.id);
      yield* this.#apply(board, changed, action, jobOf, now);
    }
    return bulkStep(rows, changed.length, next);
  }

  #apply(board: BoardId, rows: readonly BulkRow[], action: BulkAction, jobOf: JobOf, now: number): Unit<void> {
    const ids = rows.map(({ id }) => id);
    if (action.kind === "delete") return hideTiles(this.engine, board, ids, now);
    if (action.kind === "restore") return showTiles(this.engine, board, ids, jobOf, now);
    if (action.kind === "move") return this.#move(board, rows, action, now);
    return this.#retry(board, rows, jobOf, now);
  }

  *#move({ businessId }: BoardId, rows: readonly BulkRow[], action: BulkAction & { kind: "move" }, now: number): Unit<void> {
    const orders = rows.map(({ id, sort_order }) => ({ id, sort_order: action.sortOrders?.get(id) ?? sort_order }));
    yield* run(
      `UPDATE tile SET zone_id = @zoneId, sort_order = given.sort_order, version = version + 1, updated_at = @now, ${STAMP_REVISION}
       FROM ${this.driver.dialect.rowsOfJson("orders", { id: "text", sort_order: "bigint" })} AS given
       WHERE tile.business_id = @businessId AND tile.id = given.id`,
      { zoneId: action.zoneId, now, businessId, orders: JSON.stringify(orders) },
    );
  }

  *#retry(board: BoardId, rows: readonly BulkRow[], jobOf: JobOf, now: number): Unit<void> {
    const { businessId } = board;
    const ids = rows.map(({ id }) => id);
    yield* lockTiles(this.engine, businessId, ids);
    yield* this.engine.removeFromIndex(businessId, ids);
    yield* run(
      `UPDATE tile SET status = 'processing', error = NULL, ${this.engine.indexedColumn} = TRUE, version = version + 1, updated_at = @now,
       ${STAMP_REVISION} WHERE business_id = @businessId AND ${this.driver.dialect.isAnyOf("id", "ids")}`,
      { now, businessId, ids },
    );
    yield* this.engine.putJobs(
      board,
      rows.map(({ id, source_url: url }) => ({ tileId: id, job: jobOf(url) })),
      now,
    );
  }
}
