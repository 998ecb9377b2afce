import type { NewJob } from "#domain/content/job.ts";
import type { BoardKey, Dialect } from "../driver.ts";
import type { SqlValue, Unit } from "../unit.ts";

type Columns = Record<string, SqlValue>;

/** What the engines do in ways of their own with tiles: they have queues of their own. */
export type TileAdapter = {
  readonly dialect: Dialect;
  /** Columns of a tile that say that it has no job, where the engine has any. */
  readonly closedJob: Readonly<Columns>;
  /**
   * Takes the next sequence number of a board that is not deleted, and inserts a tile with it, whose `insertedColumns` and columns of the
   * job are given; undefined where there is no such board.
   */
  insertWithSequence(board: BoardKey, columns: Columns): Unit<number | undefined>;
  /** The job of a tile that is about to be inserted: columns of the tile's row, and what is done after it was inserted. */
  prepareJob(board: BoardKey, tileId: string, job: NewJob, now: number): { readonly columns: Readonly<Columns>; insert(): Unit<void> };
  /** Gives each of several tiles a job; earlier ones are replaced. */
  putJobs(board: BoardKey, jobs: readonly { readonly tileId: string; readonly job: NewJob }[], now: number): Unit<void>;
  /** Ends the jobs of tiles, whether a worker holds them or not. */
  dropJobs(businessId: string, tileIds: readonly string[]): Unit<void>;
};
