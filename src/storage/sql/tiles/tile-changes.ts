import type { BulkAction, BulkSelection, BulkStep, LostExternalId, TileChangeStore } from "#domain/content/changes.ts";
import type { NewJob } from "#domain/content/job.ts";
import { weighLabels } from "#domain/labels/labels.ts";
import { BULK_JOIN, BULK_ROWS, type BulkRow, isChangedBy, isOverLimit, planBulkConditions } from "./bulk.ts";
import { type BoardKey, type Dialect, type Driver, lockRows } from "../driver.ts";
import type { Notifier } from "../notifier.ts";
import { putJobs } from "../queue/job-rows.ts";
import { removeFromIndex } from "../search/remove-tiles.ts";
import { all, run, type Unit } from "../unit.ts";
import { EVENT_TILES, insertTileEvents } from "../events/record.ts";
import { touchBoard } from "../content/board-revisions.ts";
import type { TileAdapter } from "./tile-adapter.ts";
import { STAMP_REVISION } from "./rows/tile-columns.ts";
import { relabelTiles } from "./rows/tile-labels.ts";
import { softDeleteTiles, restoreTiles } from "./tile-lifecycle.ts";
import { requireZone } from "./rows/tile-rows.ts";
import { limitStep } from "./tile-steps.ts";

type NewJobFor = (url: string | null) => NewJob;

/** Bulk changes and the list of deleted tiles. */
export function createTileChanges({ dialect, read, write }: Driver, adapter: TileAdapter, notifier: Notifier): TileChangeStore {
  return {
    async changeMany({ target }, selection, newJob, now) {
      const { kind } = selection.action;
      if (newJob === null) {
        const { rows, next } = await read(() => findTiles(dialect, target, selection));
        return { ...describeRows(rows, selection.action), changed: 0, lostExternalIds: [], next };
      }
      const step = await write(() => changeTiles(adapter, target, selection, newJob, now));
      if (step.changed > 0 && (kind === "restore" || kind === "retry")) notifier.notifyWorkers("jobs");
      return step;
    },

    deletedSince: ({ target }, revision, limit) =>
      read(function* () {
        const rows = yield* all<{ id: string }>(
          `SELECT id FROM tile WHERE business_id = @businessId AND board_id = @boardId AND board_revision > @revision
           AND deleted_at IS NOT NULL ORDER BY board_revision, id LIMIT @limit`,
          { businessId: target.businessId, boardId: target.id, revision, limit },
        );
        return rows.map(({ id }) => id);
      }),
  };
}

/** Returns the ids of the tiles of a step. */
const describeRows = (rows: readonly BulkRow[], action: BulkAction) => ({
  matched: rows.map(({ id }) => id),
  overLimit: rows.filter((row) => isOverLimit(row, action)).map(({ id }) => id),
});

/** Returns the matching tiles of this step, and the sequence after which the next step starts; null when no more tiles match. */
function* findTiles(
  dialect: Dialect,
  boardKey: BoardKey,
  selection: BulkSelection,
): Unit<{ readonly rows: readonly BulkRow[]; readonly next: number | null }> {
  const { limit, filter } = selection;
  const conditions = yield* planBulkConditions(dialect, boardKey, selection);
  // With ids, SQLite must look them up instead of scanning the board in its order.
  const { unindexed } = dialect;
  const board = filter.tileIds === undefined ? "t.board_id" : unindexed("t.board_id");
  const found = yield* BULK_ROWS.list(
    `${conditions.from} ${BULK_JOIN} WHERE t.business_id = @businessId AND ${board} = @boardId
     AND ${conditions.where} ORDER BY ${conditions.sequence} LIMIT @limit`,
    { ...conditions.params, businessId: boardKey.businessId, boardId: boardKey.id, limit: limit.tiles + 1 },
  );
  const changesLabels = "tags" in selection.action || "properties" in selection.action;
  // A key that is set or removed can have many labels, whatever the action itself has.
  const rows = limitStep(changesLabels ? found.map((row) => ({ ...row, bytes: row.bytes + weighLabels(row) })) : found, limit);
  return { rows, next: found.length > rows.length ? (rows.at(-1)?.sequence ?? null) : null };
}

function* changeTiles(adapter: TileAdapter, board: BoardKey, selection: BulkSelection, newJob: NewJobFor, now: number): Unit<BulkStep> {
  const { action } = selection;
  // Every writer locks the board first, so these tiles can't change until the commit.
  yield* lockRows(adapter.dialect, "board", board.businessId, [board.id]);
  if (action.kind === "move") yield* requireZone(board, action.zoneId, "move_to");
  const { rows, next } = yield* findTiles(adapter.dialect, board, selection);
  const changed = rows.filter((row) => isChangedBy(row, action));
  if (changed.length > 0) yield* touchBoard(board.businessId, board.id);
  const lostExternalIds = changed.length === 0 ? [] : yield* applyAction(adapter, board, changed, action, newJob, now);
  return { ...describeRows(rows, action), changed: changed.length, lostExternalIds, next };
}

/** Returns the external ids that restored tiles lost. */
function* applyAction(
  adapter: TileAdapter,
  board: BoardKey,
  rows: readonly BulkRow[],
  action: BulkAction,
  newJob: NewJobFor,
  now: number,
): Unit<readonly LostExternalId[]> {
  const ids = rows.map(({ id }) => id);
  if (action.kind === "restore") return yield* restoreTiles(adapter, board, ids, newJob, now);
  if (action.kind === "delete") yield* softDeleteTiles(adapter, board, ids, now);
  else if (action.kind === "move") yield* moveTiles(adapter.dialect, board, rows, action, now);
  else if (action.kind === "connect") yield* connectTiles(adapter.dialect, board, ids, action.connectedToChat, now);
  else if (action.kind === "retry") yield* retryTiles(adapter.dialect, board, rows, newJob, now);
  else yield* relabelTiles(adapter.dialect, board, rows, action, now);
  return [];
}

function* moveTiles(
  dialect: Dialect,
  board: BoardKey,
  rows: readonly BulkRow[],
  action: BulkAction & { kind: "move" },
  now: number,
): Unit<void> {
  const orders = rows.map(({ id, sortOrder }) => ({ id, sort_order: action.sortOrders?.get(id) ?? sortOrder }));
  const moved = yield* EVENT_TILES.change(
    // Without MATERIALIZED, SQLite joins all tiles of the business with all rows.
    `WITH moved AS MATERIALIZED (SELECT id, sort_order FROM ${dialect.rowsOfJson("orders", { id: "text", sort_order: "bigint" })} AS r)
     UPDATE tile SET zone_id = @zoneId, sort_order = moved.sort_order, version = version + 1, updated_at = @now, ${STAMP_REVISION}
     FROM moved WHERE tile.business_id = @businessId AND tile.id IN (SELECT id FROM moved) AND tile.id = moved.id`,
    { zoneId: action.zoneId, now, businessId: board.businessId, orders: JSON.stringify(orders) },
  );
  yield* insertTileEvents(dialect, "tile.updated", board, moved, now);
}

function* connectTiles(
  dialect: Dialect,
  board: BoardKey,
  ids: readonly string[],
  connectedToChat: boolean | null,
  now: number,
): Unit<void> {
  const connected = yield* EVENT_TILES.change(
    `UPDATE tile SET connected_to_chat = @connectedToChat, version = version + 1, updated_at = @now, ${STAMP_REVISION}
     WHERE business_id = @businessId AND ${dialect.isAnyOf("id", "ids")}`,
    { connectedToChat, now, businessId: board.businessId, ids },
  );
  yield* insertTileEvents(dialect, "tile.updated", board, connected, now);
}

function* retryTiles(dialect: Dialect, board: BoardKey, rows: readonly BulkRow[], newJob: NewJobFor, now: number): Unit<void> {
  const { businessId } = board;
  const ids = rows.map(({ id }) => id);
  yield* lockRows(dialect, "tile", businessId, ids);
  yield* removeFromIndex(dialect, businessId, ids);
  yield* run(
    `UPDATE tile SET status = 'processing', error = NULL, is_indexed = TRUE, version = version + 1, updated_at = @now,
     ${STAMP_REVISION} WHERE business_id = @businessId AND ${dialect.isAnyOf("id", "ids")}`,
    { now, businessId, ids },
  );
  const jobs = rows.map(({ id, sourceUrl: url }) => ({ tileId: id, job: newJob(url) }));
  yield* putJobs(dialect, board, jobs, now);
}
