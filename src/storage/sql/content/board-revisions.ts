import { boardChanged, run, type Unit } from "../unit.ts";

/** Marks the zones of a board as changed and locks the board until the unit is committed. Returns 0 if there is no such board. */
export function* touchZones(businessId: string, boardId: string): Unit<number> {
  yield* boardChanged(boardId);
  return yield* run(
    `UPDATE board SET revision = revision + 1, zone_revision = zone_revision + 1
     WHERE business_id = @businessId AND id = @boardId AND deleted_at IS NULL`,
    { businessId, boardId },
  );
}

/** Marks a board as changed and locks it. Call it first in a unit of work: all units lock board, tile, index and job in this order. */
export function* touchBoard(businessId: string, boardId: string): Unit<void> {
  yield* boardChanged(boardId);
  yield* run("UPDATE board SET revision = revision + 1 WHERE business_id = @businessId AND id = @boardId", { businessId, boardId });
}
