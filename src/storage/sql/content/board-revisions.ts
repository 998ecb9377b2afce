import type { Dialect } from "../driver.ts";
import { run, type Unit } from "../unit.ts";

/** Marks the board's zones as changed, and with them the board; its other writers wait until this unit is committed. Returns 0 where there is no such board. */
export function* touchZones(dialect: Dialect, businessId: string, boardId: string): Unit<number> {
  yield* dialect.boardChanged(boardId);
  return yield* run(
    `UPDATE board SET revision = revision + 1, zone_revision = zone_revision + 1
     WHERE business_id = @businessId AND id = @boardId AND deleted_at IS NULL`,
    { businessId, boardId },
  );
}

/** Marks the board as changed; called first in a unit of work, so that all units lock board, tile, index and job in this order. */
export function* touchBoard(dialect: Dialect, businessId: string, boardId: string): Unit<void> {
  yield* dialect.boardChanged(boardId);
  yield* run("UPDATE board SET revision = revision + 1 WHERE business_id = @businessId AND id = @boardId", { businessId, boardId });
}
