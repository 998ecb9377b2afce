import type { BoardKey, Dialect } from "../driver.ts";
import type { SqlValue, Unit } from "../unit.ts";

/** The parts of the tile store that differ between engines. */
export type TileAdapter = {
  readonly dialect: Dialect;
  /**
   * Inserts a tile with its labels and the next sequence number of its board, and returns that number. `columns` contains
   * `insertedColumns`. Returns undefined if the board is missing or deleted.
   */
  insertWithSequence(board: BoardKey, columns: Record<string, SqlValue>, labels: readonly string[]): Unit<number | undefined>;
};
