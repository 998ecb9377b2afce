import type { TileEngine } from "../../sql/content/tile-engine.ts";
import { get } from "../../sql/unit.ts";
import type { Database } from "../engine/database.ts";
import { native, POSTGRES, runUnit } from "../engine/driver.ts";
import { newJobId } from "../engine/job-id.ts";
import { removeFromIndex } from "../search/index.ts";
import type { TileJobs } from "../shared/tile-jobs.ts";

/** Jobs are those of pg-boss; `tile.job_id` names the one that is open. */
export function createTileEngine(db: Database, jobs: TileJobs): TileEngine {
  return {
    dialect: POSTGRES,
    indexedColumn: "is_indexed",

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

    putJobs: ({ businessId, id: boardId }, items) =>
      native(async (tx) => {
        const [only] = items;
        if (items.length === 1 && only !== undefined) return jobs.put(tx, businessId, boardId, only.tileId, only.job);
        await jobs.dropMany(
          tx,
          businessId,
          items.map(({ tileId }) => tileId),
        );
        await jobs.begin(
          tx,
          businessId,
          items.map(({ tileId, job }) => ({ tileId, boardId, job })),
        );
      }),

    dropJobs: (businessId, tileIds) => native((tx) => jobs.dropMany(tx, businessId, tileIds)),

    removeFromIndex: (businessId, tileIds) => native((tx) => removeFromIndex(tx, businessId, tileIds)),

    *lockBoards(businessId, ids) {
      yield* get("SELECT 1 FROM board WHERE business_id = @businessId AND id = ANY(@ids) ORDER BY id FOR NO KEY UPDATE", {
        businessId,
        ids,
      });
    },

    writeTogether: (boardId, unit) => db.writeTogether(boardId, (tx) => runUnit(tx, unit())),

    // Words are indexed by the worker of the node that wrote them, which polls.
    notifyWorkers(work) {
      if (work === "jobs") jobs.wake();
    },
  };
}
