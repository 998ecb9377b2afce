import type { TileAdapter } from "../../sql/content/tile-adapter.ts";
import { get } from "../../sql/unit.ts";
import { native, POSTGRES } from "../engine/driver.ts";
import { newJobId } from "../queue/job-id.ts";
import type { TileJobs } from "../queue/tile-jobs.ts";

/** Jobs are those of pg-boss; `tile.job_id` names the one that is open. */
export const createTileAdapter = (jobs: TileJobs): TileAdapter => ({
  dialect: POSTGRES,

  *insertWithSequence({ businessId, id }, columns) {
    const names = Object.keys(columns);
    // One statement, since each is a round trip.
    const row = yield* get<{ sequence: number }>(
      `WITH counter AS (
         UPDATE board SET revision = revision + 1, next_sequence = next_sequence + 1
         WHERE business_id = @businessId AND id = @boardId AND deleted_at IS NULL RETURNING next_sequence - 1 AS sequence)
       INSERT INTO tile (sequence, sort_order, ${names.join(", ")})
       SELECT sequence, sequence, ${names.map((name) => `@${name}`).join(", ")} FROM counter RETURNING sequence`,
      { ...columns, businessId, boardId: id },
    );
    return row?.sequence;
  },

  prepareJob({ businessId, id: boardId }, tileId, job) {
    const id = newJobId();
    return { columns: { job_id: id }, insert: () => native((tx) => jobs.send(tx, id, { businessId, boardId, tileId }, job)) };
  },

  putJobs: (board, items) => native((tx) => jobs.put(tx, board, items)),

  dropJobs: (businessId, tileIds) => native((tx) => jobs.drop(tx, businessId, tileIds)),
});
