import type { NewJob } from "#domain/content/job.ts";
import type { TileStore } from "#domain/content/tile-store.ts";
import type { Dialect } from "../driver.ts";
import type { SqlValue, Unit } from "../unit.ts";

export type BoardId = { readonly businessId: string; readonly id: string };

/** Reads of many tiles, which each engine has a fast way for. */
export type TileQueries = Pick<TileStore, "list" | "replanRefreshes" | "takeDueRefreshes" | "counts">;

/** What the engines do in ways of their own with tiles: they have queues and indexes of their own. */
export type TileEngine = {
  readonly dialect: Dialect;
  /** The column that says that a tile's words are in the index, or have nothing to do there. */
  readonly indexedColumn: "indexed" | "is_indexed";
  /** Takes the next sequence number of a board that is not deleted, and inserts a tile with it; undefined where there is no such board. */
  insertWithSequence(board: BoardId, columns: Readonly<Record<string, SqlValue>>): Unit<number | undefined>;
  /** The job of a tile that is about to be inserted: columns of the tile's row, and what is done after it was inserted. */
  prepareJob(
    board: BoardId,
    tileId: string,
    job: NewJob,
    now: number,
  ): { readonly columns: Readonly<Record<string, SqlValue>>; insert(): Unit<void> };
  /** Gives each of several tiles a job; earlier ones are replaced. */
  putJobs(board: BoardId, jobs: readonly { readonly tileId: string; readonly job: NewJob }[], now: number): Unit<void>;
  /** Ends the jobs of tiles, whoever holds them. */
  dropJobs(businessId: string, tileIds: readonly string[]): Unit<void>;
  removeFromIndex(businessId: string, tileIds: readonly string[]): Unit<void>;
  /** Keeps other units from changing the boards until this one is committed; they are locked in one order, so that two units do not wait for each other in a circle. */
  lockBoards(businessId: string, ids: readonly string[]): Unit<void>;
  /** As `Driver.write`; creations on one board that come together may share a transaction. */
  writeTogether<T>(boardId: string, unit: () => Unit<T>): Promise<T>;
  /** Wakes the workers of all processes. */
  notifyWorkers(work: "jobs" | "text"): void;
};
