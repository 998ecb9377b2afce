import { describe, expect, it } from "vitest";
import { STEP_LIMIT } from "#domain/content/changes.ts";
import { createPurge } from "#storage/sql/maintenance/purge.ts";
import type { Driver } from "#storage/sql/driver.ts";
import { createTileStore } from "#storage/sql/tiles/tiles.ts";
import type { TileAdapter } from "#storage/sql/tiles/tile-adapter.ts";
import type { Unit } from "#storage/sql/unit.ts";
import { newJob, seedBusiness, T0 } from "../support/boards.ts";
import { addText } from "../contract/store-context.ts";
import { openPostgres, openSqlite } from "./open-drivers.ts";

const MEBIBYTE = 1_048_576;
const NEVER = (): never => {
  throw new Error("No new tile is expected.");
};

/** Records the statements of each unit that writes, and how many rows each changed. */
function watch(driver: Driver) {
  const units: { readonly sql: string; readonly changed: unknown }[][] = [];
  function* record<T>(unit: Unit<T>): Unit<T> {
    const statements: (typeof units)[0] = [];
    units.push(statements);
    let step = unit.next();
    while (step.done !== true) {
      const command = step.value;
      const result: unknown = yield command;
      if (command.kind !== "boardChange") statements.push({ sql: command.sql, changed: result });
      step = unit.next(result);
    }
    return step.value;
  }
  const write: Driver["write"] = (unit) => driver.write(() => record(unit()));
  return { units, driver: { ...driver, write } };
}

const toAdapter = ({ dialect }: Driver): TileAdapter => ({ dialect, insertWithSequence: NEVER });

const ENGINES = [
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
] as const;

describe.each(ENGINES)("the units of work of long tiles on %s", (_name, open) => {
  const start = async (lengths: readonly number[]) => {
    const { store, driver } = await open();
    const context = { store, ...(await seedBusiness(store)) };
    const ids: string[] = [];
    for (const length of lengths) ids.push((await addText(context, "x".repeat(length))).id);
    const watched = watch(driver);
    const tiles = createTileStore(watched.driver, toAdapter(driver), { notifyWorkers: () => {}, notifySenders: () => {} } as never);
    return { ...context, ...watched, tiles, ids };
  };

  it("units of work erase a bounded length of deleted tiles each, and of a deleted board", async () => {
    const { store, scope, board, driver, units, ids } = await start(Array.from({ length: 5 }, () => 1.5 * MEBIBYTE));
    for (const id of ids) await store.tiles.remove(scope, id, T0 + 1);
    expect(await createPurge(driver, { isByBusiness: driver.isShared, claimTables: [] }).run(T0 + 2, T0 + 3)).toBe(5);
    const erasing = units.flatMap((unit) => unit.filter(({ sql }) => sql.startsWith("DELETE FROM tile ")));
    // The rows come back without their texts, since their labels are removed too.
    const erased = erasing.map(({ changed }) => (changed as readonly unknown[]).length);
    expect(erased).toEqual([3, 2, 0]);
    expect(await store.boards.find(board.businessId, board.id)).not.toBeNull();
  });

  it("units of work move, delete and restore a bounded length of tiles each, at least one", async () => {
    const { scope, tiles, ids } = await start([0.6 * MEBIBYTE, 0.6 * MEBIBYTE, 3 * MEBIBYTE, 10]);
    for (const action of [
      { kind: "move", zoneId: null, sortOrders: new Map(ids.map((id, at) => [id, at + 100])) },
      { kind: "delete" },
      { kind: "restore" },
    ] as const) {
      const steps: (readonly string[])[] = [];
      for (let after: number | null = 0; after !== null;) {
        const selection = { filter: { tileIds: ids }, action, after, limit: STEP_LIMIT, deletedAfter: T0 - 1 };
        const step = await tiles.changeMany(scope, selection, () => newJob(), T0 + 1);
        steps.push(step.matched);
        after = step.next;
      }
      expect(steps).toEqual([ids.slice(0, 2), [ids[2]], [ids[3]]]);
    }
  });

  it("units of work neither write a text that did not change, nor read it before the tile is returned", async () => {
    const { scope, tiles, units, ids } = await start([1_000]);
    const id = ids[0] as string;
    expect(await tiles.update(scope, id, { title: "Renamed" }, T0 + 1)).toMatchObject({
      title: "Renamed",
      extractedText: "x".repeat(1_000),
    });
    const touching = (units[0] ?? []).filter(({ sql }) => /\bt\.extracted_text\b(?!\))|extracted_text = /.test(sql));
    expect(touching.map(({ sql }) => sql.slice(0, 6))).toEqual(["SELECT"]);
    expect(await tiles.update(scope, id, { content: "New", title: "Again" }, T0 + 2)).toMatchObject({
      title: "Again",
      extractedText: "New",
    });
    expect(units[1]?.some(({ sql }) => sql.includes("extracted_text = "))).toBe(true);
  });
});
