import { listBusinesses } from "../maintenance/purge.ts";
import { BATCH_ROWS } from "../maintenance/purge-steps.ts";
import type { Driver } from "../driver.ts";
import { all, run } from "../unit.ts";

type Row = { readonly number: number; readonly position: number; readonly at: number };

/** Erases the changes recorded before `before`, and records the last position that was erased. Returns how many. */
export async function trimEvents(driver: Driver, before: number): Promise<number> {
  let erased = 0;
  for (const businessId of await listBusinesses(driver)) erased += await trimBusiness(driver, businessId, before);
  return erased;
}

/** Looks at changes in their order, until a batch has no old one. Those dated in the future, by a wrong clock, stay. */
async function trimBusiness({ dialect, read, write }: Driver, businessId: string, before: number): Promise<number> {
  let erased = 0;
  for (let after = 0; ;) {
    const rows = await read(() =>
      all<Row>(
        `SELECT number, position, at FROM event WHERE business_id = @businessId AND position > @after ORDER BY position LIMIT ${BATCH_ROWS}`,
        { businessId, after },
      ),
    );
    const old = rows.filter(({ at }) => at < before);
    if (old.length === 0) return erased;
    after = rows.at(-1)?.position ?? after;
    const [numbers, last] = [old.map(({ number }) => number), old.at(-1)?.position ?? 0];
    erased += await write(function* () {
      yield* run("UPDATE feed SET erased = @last WHERE erased < @last", { last });
      return yield* run(`DELETE FROM event WHERE business_id = @businessId AND ${dialect.isAnyOf("number", "numbers")}`, {
        businessId,
        numbers,
      });
    });
  }
}
