import type { NewJob, WorkListener } from "#domain/content/job.ts";
import type { BoardId, TileEngine } from "../../sql/content/tile-engine.ts";
import { get, run, type Unit } from "../../sql/unit.ts";
import type { Connection } from "../engine/database.ts";
import { native, runUnit, SQLITE } from "../engine/driver.ts";
import { removeFromIndex } from "../search/index.ts";

/** Jobs are rows of a table, and the index is written in the unit of work itself. */
export function createTileEngine(db: Connection, listeners: ReadonlySet<WorkListener>): TileEngine {
  return {
    dialect: SQLITE,
    indexedColumn: "indexed",

    *insertWithSequence({ businessId, id }, columns) {
      const counter = yield* get<{ sequence: number }>(
        `UPDATE board SET revision = revision + 1, next_sequence = next_sequence + 1
         WHERE business_id = @businessId AND id = @id AND deleted_at IS NULL RETURNING next_sequence - 1 AS sequence`,
        { businessId, id },
      );
      if (counter === undefined) return undefined;
      const { sequence } = counter;
      const names = Object.keys(columns);
      yield* run(
        `INSERT INTO tile (sequence, sort_order, ${names.join(", ")}) VALUES (@sequence, @sequence, ${names.map((name) => `@${name}`).join(", ")})`,
        { ...columns, sequence },
      );
      return sequence;
    },

    prepareJob: (board, tileId, job, now) => ({ columns: {}, insert: () => insertJob(board, tileId, job, now) }),

    *putJobs(board, jobs, now) {
      yield* this.dropJobs(
        board.businessId,
        jobs.map(({ tileId }) => tileId),
      );
      for (const { tileId, job } of jobs) yield* insertJob(board, tileId, job, now);
    },

    *dropJobs(businessId, tileIds) {
      for (const tileId of tileIds)
        yield* run("DELETE FROM job WHERE business_id = @businessId AND tile_id = @tileId", { businessId, tileId });
    },

    *removeFromIndex(_businessId, tileIds) {
      yield* native(() => {
        for (const tileId of tileIds) removeFromIndex(db, tileId);
      });
    },

    // Units run one after the other.
    *lockBoards() {},

    writeTogether: (_boardId, unit) => db.write(() => runUnit(db, unit())),

    notifyWorkers(work) {
      for (const listener of listeners) listener(work);
    },
  };
}

function* insertJob({ businessId, id: boardId }: BoardId, tileId: string, { id, host, maxAttempts }: NewJob, now: number): Unit<void> {
  yield* run(
    `INSERT INTO job (business_id, id, board_id, tile_id, host, run_at, max_attempts, created_at)
     VALUES (@businessId, @id, @boardId, @tileId, @host, @now, @maxAttempts, @now)`,
    { businessId, id, boardId, tileId, host, now, maxAttempts },
  );
}
