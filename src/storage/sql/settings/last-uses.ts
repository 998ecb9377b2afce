import type { Driver } from "../driver.ts";
import { run } from "../unit.ts";

/** Stores times of last use by `"businessId id"`, where they are later than the stored ones. */
export async function storeLastUses({ write }: Pick<Driver, "write">, table: string, uses: ReadonlyMap<string, number>): Promise<void> {
  // Nodes lock rows in the same order, to avoid deadlocks.
  const rows = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
  if (rows.length === 0) return;
  await write(function* () {
    for (const [key, at] of rows) {
      const [businessId = "", id = ""] = key.split(" ");
      const sql = `UPDATE ${table} SET last_used_at = @at WHERE business_id = @businessId AND id = @id AND (last_used_at IS NULL OR last_used_at < @at)`;
      yield* run(sql, { businessId, id, at });
    }
  });
}
