import type { Driver } from "../driver.ts";
import { get, run } from "../unit.ts";
import { deleteInBatches, listBusinesses } from "./purge.ts";
import { BATCH_ROWS } from "./purge-steps.ts";

/** How many deletions of a business are remembered for `skip_deleted` after the tiles are erased. Each takes about 200 bytes. */
const MAX_DELETIONS = 100_000;

/**
 * Forgets the oldest deletions of each business beyond `max`. Those since `deletedBefore` are kept however many they are, because their
 * tiles are. Returns the number of forgotten ones.
 */
export async function trimDeletions(driver: Driver, deletedBefore: number, max = MAX_DELETIONS): Promise<number> {
  let forgotten = 0;
  for (const businessId of await listBusinesses(driver)) {
    const oldest = await driver.read(() =>
      get<{ deleted_at: number }>(
        "SELECT deleted_at FROM deletion WHERE business_id = @businessId ORDER BY deleted_at DESC LIMIT 1 OFFSET @skipped",
        { businessId, skipped: max - 1 },
      ),
    );
    if (oldest === undefined) continue;
    const before = Math.min(oldest.deleted_at, deletedBefore);
    const sql = `DELETE FROM deletion WHERE (business_id, board_id, hash) IN (
      SELECT business_id, board_id, hash FROM deletion WHERE business_id = @businessId AND deleted_at < @before LIMIT ${BATCH_ROWS})`;
    forgotten += await deleteInBatches(driver, () => run(sql, { businessId, before }));
  }
  return forgotten;
}
