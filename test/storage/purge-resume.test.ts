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

/** About as many labels as a tile can have. */
const MANY = Object.fromEntries(
  Array.from({ length: 60 }, (_, key) => [`${10 + key}`, Array.from({ length: 50 }, (_, item) => `${10 + item}`)]),
);

test.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
])("a purge erases few tiles at once if they have thousands of labels, on %s", async (_engine, open) => {
  const { store, driver } = await open();
  const { manage, scope: kept } = await seedBusiness(store);
  const { scope } = await addBoard(store, manage, "Board");
  const tiles = await Promise.all(
    [kept, scope].flatMap((of) => Array.from({ length: 12 }, () => addText({ store, scope: of }, "x", { properties: MANY }))),
  );
  for (const { id } of tiles.slice(0, 12)) await store.tiles.remove(kept, id, T0 + 1);
  await store.boards.remove(scope, T0 + 1);
  const countTiles = async (): Promise<number> => (await driver.read(() => all("SELECT id FROM tile"))).length;
  const steps: number[] = [];
  const write: Driver["write"] = async (unit) => {
    const before = await countTiles();
    const result = await driver.write(unit);
    steps.push(before - (await countTiles()));
    return result;
  };
  await createPurge({ ...driver, write }, { isByBusiness: driver.isShared, claimTables: [] }).run(T0 + 2, T0 + 3);
  expect(steps.reduce((sum, step) => sum + step, 0)).toBe(24);
  expect(Math.max(...steps)).toBeLessThan(10);
  expect(await driver.read(() => all("SELECT 1 AS n FROM tile_label"))).toEqual([]);
});
