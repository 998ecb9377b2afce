import type { NewJob } from "#domain/content/job.ts";
import type { TileAdapter } from "../../sql/tiles/tile-adapter.ts";
import { insertedColumns } from "../../sql/tiles/tile-columns.ts";
import type { BoardKey } from "../../sql/driver.ts";
import { get, run, type Unit } from "../../sql/unit.ts";
import { SQLITE } from "../engine/driver.ts";

const NAMES = insertedColumns(SQLITE);
const INSERT = `INSERT INTO tile (sequence, sort_order, ${NAMES.join(", ")})
  VALUES (@sequence, @sequence, ${NAMES.map((name) => `@${name}`).join(", ")})`;

/** Jobs are stored in a table. */
export const tileAdapter: TileAdapter = {
  dialect: SQLITE,
  noJobColumns: {},

  *insertWithSequence({ businessId, id }, columns) {
    const counter = yield* get<{ sequence: number }>(
      `UPDATE board SET revision = revision + 1, next_sequence = next_sequence + 1
       WHERE business_id = @businessId AND id = @id AND deleted_at IS NULL RETURNING next_sequence - 1 AS sequence`,
      { businessId, id },
    );
    if (counter === undefined) return undefined;
    const { sequence } = counter;
    columns["sequence"] = sequence;
    yield* run(INSERT, columns);
    return sequence;
  },

  prepareJob: (board, tileId, job, now) => ({ columns: {}, insert: () => insertJob(board, tileId, job, now) }),

  *putJobs(board, jobs, now) {
    for (const { tileId, job } of jobs) {
      yield* dropJob(board.businessId, tileId);
      yield* insertJob(board, tileId, job, now);
    }
  },

  *dropJobs(businessId, tileIds) {
    for (const tileId of tileIds) yield* dropJob(businessId, tileId);
  },
};

const dropJob = (businessId: string, tileId: string): Unit<number> =>
  run("DELETE FROM job WHERE business_id = @businessId AND tile_id = @tileId", { businessId, tileId });

function* insertJob({ businessId, id: boardId }: BoardKey, tileId: string, { id, host, maxAttempts }: NewJob, now: number): Unit<void> {
  yield* run(
    `INSERT INTO job (business_id, id, board_id, tile_id, host, run_at, max_attempts, created_at)
     VALUES (@businessId, @id, @boardId, @tileId, @host, @now, @maxAttempts, @now)`,
    { businessId, id, boardId, tileId, host, now, maxAttempts },
  );
}
