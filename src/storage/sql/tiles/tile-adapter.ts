import type { BoardKey, Dialect } from "../driver.ts";
import type { SqlValue, Unit } from "../unit.ts";

/** The parts of the tile store that differ between engines. */
export type TileAdapter = {
  readonly dialect: Dialect;
  /**
   * Inserts a tile with its labels and the next sequence number of its board, and records its event `tile.created`. Returns the number;
   * undefined if the board is missing or deleted. `columns` contains `insertedColumns`, and the payload of the event as `payload`.
   */
  insertWithSequence(board: BoardKey, columns: Record<string, SqlValue>, labels: readonly string[]): Unit<number | undefined>;
};
