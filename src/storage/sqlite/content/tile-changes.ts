import type { BulkAction, TileChangeStore } from "#domain/content/changes.ts";
import type { Waker } from "#domain/content/job.ts";
import { BULK_COLUMNS, BULK_JOIN, type BulkRow, bulkConditions, bulkStep, isChangedBy, stepOf } from "../../shared/bulk.ts";
import { STAMP_REVISION } from "../../shared/rows/tile-rows.ts";
import type { Connection } from "../engine/database.ts";
import { removeFromIndex } from "../search/index.ts";
import { requireZone } from "../shared/new-tile.ts";
import { hideTile, putJob, showTile } from "../shared/tile-lifecycle.ts";
import { touchBoard } from "../shared/touch-board.ts";

type Board = { readonly businessId: string; readonly id: string };
type NewJobOf = NonNullable<Parameters<TileChangeStore["changeMany"]>[2]>;

/** Changes to many tiles at once, and what was deleted. */
export function createTileChanges(db: Connection, wakers: ReadonlySet<Waker>): TileChangeStore {
  function find(board: Board, selection: Parameters<TileChangeStore["changeMany"]>[1]): BulkRow[] {
    const values: (string | number)[] = [board.businessId, board.id];
    const bind = (value: string | number): string => (values.push(value), "?");
    const conditions = bulkConditions(selection, bind, (ids) => {
      values.push(JSON.stringify(ids));
      return "t.id IN (SELECT value FROM json_each(?))";
    });
    // The plus makes the planner look named tiles up by their ids instead of walking the whole board.
    const boardColumn = selection.filter.tileIds === undefined ? "t.board_id" : "+t.board_id";
    return db.all<BulkRow>(
      `SELECT ${BULK_COLUMNS} FROM tile t ${BULK_JOIN} WHERE t.business_id = ? AND ${boardColumn} = ? AND ${conditions.join(" AND ")}
       ORDER BY t.sequence LIMIT ?`,
      ...values,
      selection.limit + 1,
    );
  }

  function change(board: Board, row: BulkRow, action: BulkAction, newJob: NewJobOf, now: number): void {
    const { businessId } = board;
    if (action.kind === "delete") return hideTile(db, businessId, row.id, row.id, now);
    if (action.kind === "restore")
      return void showTile(db, businessId, row.id, row.status === "processing" ? newJob(row.source_url) : null, now);
    if (action.kind === "move")
      return void db.run(
        `UPDATE tile SET zone_id = ?, sort_order = ?, version = version + 1, updated_at = ?, ${STAMP_REVISION}
         WHERE business_id = ? AND id = ?`,
        action.zoneId,
        action.sortOrders?.get(row.id) ?? row.sort_order,
        now,
        businessId,
        row.id,
      );
    removeFromIndex(db, row.id);
    db.run(
      `UPDATE tile SET status = 'processing', error = NULL, indexed = 1, version = version + 1, updated_at = ?, ${STAMP_REVISION}
       WHERE business_id = ? AND id = ?`,
      now,
      businessId,
      row.id,
    );
    putJob(db, businessId, board.id, row.id, newJob(row.source_url), now);
  }

  return {
    async changeMany({ target }, selection, newJob, now) {
      const { action, limit } = selection;
      if (newJob === null) {
        const { rows, next } = stepOf(find(target, selection), limit);
        return bulkStep(rows, 0, next);
      }
      const step = await db.write(() => {
        if (action.kind === "move") requireZone(db, target, action.zoneId);
        const { rows, next } = stepOf(find(target, selection), limit);
        const fitting = rows.filter((row) => isChangedBy(row, action));
        if (fitting.length > 0) touchBoard(db, target.businessId, target.id);
        for (const row of fitting) change(target, row, action, newJob, now);
        return bulkStep(rows, fitting.length, next);
      });
      if (step.changed > 0 && (action.kind === "restore" || action.kind === "retry")) for (const waker of wakers) waker("jobs");
      return step;
    },

    async deletedSince({ target }, revision) {
      return db
        .all<{ id: string }>(
          "SELECT id FROM tile WHERE business_id = ? AND board_id = ? AND board_revision > ? AND deleted_at IS NOT NULL ORDER BY id",
          target.businessId,
          target.id,
          revision,
        )
        .map(({ id }) => id);
    },
  };
}
