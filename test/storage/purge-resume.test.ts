import { expect, test } from "vitest";
import { createPurge } from "#storage/sql/maintenance/purge.ts";
import type { Driver } from "#storage/sql/driver.ts";
import { all } from "#storage/sql/unit.ts";
import { drain } from "../contract/search/model.ts";
import { addText } from "../contract/store-context.ts";
import { addBoard, seedBusiness, T0 } from "../support/boards.ts";
import { openPostgres, openSqlite } from "./open-drivers.ts";

test.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
])("a purge that was stopped before any of its steps is completed by the next one, on %s", async (_engine, open) => {
  const { store, driver } = await open();
  const { manage } = await seedBusiness(store);
  const countLeft = async (): Promise<number> => {
    const rows = ["chunk", "tile"].map((table) => `SELECT 1 AS n FROM ${table}`).join(" UNION ALL ");
    return (await driver.read(() => all(rows))).length;
  };
  for (let step = 0, isStopped = true; isStopped; step++) {
    const { scope } = await addBoard(store, manage, `Board ${step}`);
    await addText({ store, scope }, "1 0");
    await drain({ store });
    await store.boards.remove(scope, T0 + 1);
    expect(await countLeft()).toBe(2);
    let left = step;
    const write: Driver["write"] = (unit) => (left-- > 0 ? driver.write(unit) : Promise.reject(new Error("The process stops.")));
    const options = { isByBusiness: driver.isShared, claimTables: [] };
    isStopped = await createPurge({ ...driver, write }, options)
      .run(T0 + 2, T0 + 3)
      .then(
        () => false,
        () => true,
      );
    await createPurge(driver, options).run(T0 + 2, T0 + 3);
    expect(await countLeft()).toBe(0);
  }
});
