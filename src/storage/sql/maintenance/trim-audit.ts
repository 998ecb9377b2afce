import type { Driver } from "../driver.ts";
import { all, exists, get, run } from "../unit.ts";
import { deleteInBatches, listBusinesses } from "./purge.ts";
import { BATCH_ROWS } from "./purge-steps.ts";

/** How many entries of the audit log a business keeps of each action. Each takes about 200 bytes, and there are about 20 actions. */
const MAX_ENTRIES = 10_000;

/**
 * Erases the oldest audit entries of each business and action beyond `max`. Whoever makes one change in a loop displaces no entries about
 * others. Returns the number of erased ones.
 */
export async function trimAudit(driver: Driver, max = MAX_ENTRIES): Promise<number> {
  let erased = 0;
  for (const businessId of await listBusinesses(driver)) {
    // Nearly all businesses have fewer entries in all, which an index tells.
    const isLong = await driver.read(() =>
      exists("SELECT 1 FROM audit WHERE business_id = @businessId ORDER BY number DESC LIMIT 1 OFFSET @max", { businessId, max }),
    );
    if (!isLong) continue;
    const sql = "SELECT action FROM audit WHERE business_id = @businessId GROUP BY action HAVING count(*) > @max";
    for (const { action } of await driver.read(() => all<{ action: string }>(sql, { businessId, max })))
      erased += await trimAction(driver, { businessId, action, max });
  }
  return erased;
}

type Entries = { readonly businessId: string; readonly action: string; readonly max: number };

async function trimAction(driver: Driver, entries: Entries): Promise<number> {
  const { businessId, action } = entries;
  const last = await driver.read(() =>
    get<{ number: number }>(
      `SELECT number FROM audit WHERE business_id = @businessId AND action = @action ORDER BY number DESC LIMIT 1 OFFSET @max`,
      entries,
    ),
  );
  if (last === undefined) return 0;
  // From the newest on, since entries of other actions are rare among those of a loop.
  const batch = `SELECT number FROM audit WHERE business_id = @businessId AND action = @action AND number <= @number ORDER BY number DESC LIMIT ${BATCH_ROWS}`;
  const sql = `DELETE FROM audit WHERE business_id = @businessId AND number IN (${batch})`;
  return deleteInBatches(driver, () => run(sql, { businessId, action, number: last.number }));
}
