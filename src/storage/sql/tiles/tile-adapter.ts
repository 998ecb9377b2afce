import type { NewJob } from "#domain/content/job.ts";
import type { BoardKey, Dialect } from "../driver.ts";
import type { SqlValue, Unit } from "../unit.ts";

type Columns = Record<string, SqlValue>;

/** The parts of the tile store that differ between engines, because they have different queues. */
export type TileAdapter = {
  readonly dialect: Dialect;
  /** The values of the job columns for a tile without a job. */
  readonly noJobColumns: Readonly<Columns>;
  /**
   * Inserts a tile with the next sequence number of its board, and returns that number. `columns` contains `insertedColumns` and the
   * columns of the job. Returns undefined if the board is missing or deleted.
   */
  insertWithSequence(board: BoardKey, columns: Columns): Unit<number | undefined>;
  /** Prepares the job of a new tile: columns for the tile's row, and the unit to run after the tile is inserted. */
  prepareJob(board: BoardKey, tileId: string, job: NewJob, now: number): { readonly columns: Readonly<Columns>; insert(): Unit<void> };
  /** Creates a job for each of these tiles, and replaces existing ones. */
  putJobs(board: BoardKey, jobs: readonly { readonly tileId: string; readonly job: NewJob }[], now: number): Unit<void>;
  /** Deletes the jobs of tiles, leased or not. */
  dropJobs(businessId: string, tileIds: readonly string[]): Unit<void>;
};
