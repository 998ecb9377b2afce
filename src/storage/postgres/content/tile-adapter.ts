import type { TileAdapter } from "../../sql/tiles/tile-adapter.ts";
import { insertedColumns } from "../../sql/tiles/tile-columns.ts";
import { get } from "../../sql/unit.ts";
import { native, POSTGRES } from "../engine/driver.ts";
import { newJobId } from "../queue/job-id.ts";
import { NO_JOB_COLUMNS, type TileJobs } from "../queue/tile-jobs.ts";

const NAMES = [...insertedColumns(POSTGRES), "job_id"];
/** One statement, since each statement is a round trip. */
const INSERT = `WITH counter AS (
    UPDATE board SET revision = revision + 1, next_sequence = next_sequence + 1
    WHERE business_id = @businessId AND id = @boardId AND deleted_at IS NULL RETURNING next_sequence - 1 AS sequence)
  INSERT INTO tile (sequence, sort_order, ${NAMES.join(", ")})
  SELECT sequence, sequence, ${NAMES.map((name) => `@${name}`).join(", ")} FROM counter RETURNING sequence`;

/** Jobs are stored in pg-boss. `tile.job_id` refers to the open job. */
export const createTileAdapter = (jobs: TileJobs): TileAdapter => ({
  dialect: POSTGRES,
  noJobColumns: NO_JOB_COLUMNS,

  *insertWithSequence({ businessId, id }, columns) {
    const row = yield* get<{ sequence: number }>(INSERT, { ...columns, businessId, boardId: id });
    return row?.sequence;
  },

  prepareJob({ businessId, id: boardId }, tileId, job) {
    const id = newJobId();
    return { columns: { job_id: id }, insert: () => native((tx) => jobs.send(tx, id, { businessId, boardId, tileId }, job)) };
  },

  putJobs: (board, items) => native((tx) => jobs.put(tx, board, items)),

  dropJobs: (businessId, tileIds) => native((tx) => jobs.drop(tx, businessId, tileIds)),
});
