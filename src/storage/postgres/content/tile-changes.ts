import type { BulkAction, BulkSelection, TileChangeStore } from "#domain/content/changes.ts";
import { BULK_COLUMNS, BULK_JOIN, type BulkRow, bulkConditions, bulkStep, isChangedBy, stepOf } from "../../shared/bulk.ts";
import { STAMP_REVISION } from "../../shared/rows/tile-rows.ts";
import type { Database, Reader, Transaction, Value } from "../engine/database.ts";
import { removeFromIndex } from "../search/index.ts";
import { requireZone } from "../shared/new-tile.ts";
import type { TileJobs } from "../shared/tile-jobs.ts";
import { hideTiles, showTiles } from "../shared/tile-lifecycle.ts";
import { touchBoard } from "../shared/touch-board.ts";

type Board = { readonly businessId: string; readonly id: string };
type NewJobOf = NonNullable<Parameters<TileChangeStore["changeMany"]>[2]>;

function find(on: Reader, board: Board, selection: BulkSelection): Promise<BulkRow[]> {
  const values: Value[] = [board.businessId, board.id];
  const bind = (value: Value): string => `$${values.push(value)}`;
  const conditions = bulkConditions(selection, bind, (ids) => `t.id = ANY(${bind(ids)})`);
  return on.all<BulkRow>(
    `SELECT ${BULK_COLUMNS} FROM tile t ${BULK_JOIN} WHERE t.business_id = $1 AND t.board_id = $2 AND ${conditions.join(" AND ")}
     ORDER BY t.sequence LIMIT ${bind(selection.limit + 1)}`,
    ...values,
  );
}

/** Moves tiles, all in one statement. */
async function moveTiles(tx: Transaction, board: Board, rows: readonly BulkRow[], action: BulkAction & { kind: "move" }, now: number) {
  await tx.run(
    `UPDATE tile SET zone_id = $1, sort_order = given.sort_order, version = version + 1, updated_at = $2, ${STAMP_REVISION}
     FROM unnest($4::text[], $5::bigint[]) AS given (id, sort_order) WHERE tile.business_id = $3 AND tile.id = given.id`,
    action.zoneId,
    now,
    board.businessId,
    rows.map(({ id }) => id),
    rows.map(({ id, sort_order }) => action.sortOrders?.get(id) ?? sort_order),
  );
}

/** Starts the ingestion of tiles anew; none of them has a job. */
async function retryTiles(tx: Transaction, jobs: TileJobs, board: Board, rows: readonly BulkRow[], newJob: NewJobOf, now: number) {
  const ids = rows.map(({ id }) => id);
  await tx.run(
    `UPDATE tile SET status = 'processing', error = NULL, is_indexed = TRUE, version = version + 1, updated_at = $1, ${STAMP_REVISION}
     WHERE business_id = $2 AND id = ANY($3)`,
    now,
    board.businessId,
    ids,
  );
  await removeFromIndex(tx, board.businessId, ids);
  await jobs.begin(
    tx,
    board.businessId,
    rows.map(({ id, source_url }) => ({ tileId: id, boardId: board.id, job: newJob(source_url) })),
  );
}

/** Changes to many tiles at once, and what was deleted. */
export function createTileChanges(db: Database, jobs: TileJobs): TileChangeStore {
  async function change(tx: Transaction, board: Board, rows: readonly BulkRow[], action: BulkAction, newJob: NewJobOf, now: number) {
    const ids = rows.map(({ id }) => id);
    if (action.kind === "delete") return hideTiles(tx, jobs, board.businessId, ids, now);
    if (action.kind === "restore") return showTiles(tx, jobs, board.businessId, ids, newJob, now);
    if (action.kind === "move") return moveTiles(tx, board, rows, action, now);
    return retryTiles(tx, jobs, board, rows, newJob, now);
  }

  return {
    async changeMany({ target }, selection, newJob, now) {
      const { action, limit } = selection;
      if (newJob === null) {
        const { rows, next } = stepOf(await find(db, target, selection), limit);
        return bulkStep(rows, 0, next);
      }
      const step = await db.write(async (tx) => {
        // Every writer locks the board first, so what is found stays as it is until the commit.
        await tx.run("SELECT 1 FROM board WHERE business_id = $1 AND id = $2 FOR NO KEY UPDATE", target.businessId, target.id);
        if (action.kind === "move") await requireZone(tx, target, action.zoneId);
        const { rows, next } = stepOf(await find(tx, target, selection), limit);
        const fitting = rows.filter((row) => isChangedBy(row, action));
        if (fitting.length > 0) {
          await touchBoard(tx, target.businessId, target.id);
          await change(tx, target, fitting, action, newJob, now);
        }
        return bulkStep(rows, fitting.length, next);
      });
      if (step.changed > 0 && (action.kind === "restore" || action.kind === "retry")) jobs.wake();
      return step;
    },

    async deletedSince({ target }, revision) {
      const rows = await db.all<{ id: string }>(
        "SELECT id FROM tile WHERE business_id = $1 AND board_id = $2 AND board_revision > $3 AND deleted_at IS NOT NULL ORDER BY id",
        target.businessId,
        target.id,
        revision,
      );
      return rows.map(({ id }) => id);
    },
  };
}
