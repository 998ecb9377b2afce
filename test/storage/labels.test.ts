import { describe, expect, it } from "vitest";
import type { TileQuery } from "#domain/content/tile-store.ts";
import type { BoardKey, Driver } from "#storage/sql/driver.ts";
import { listReferences } from "#storage/sql/tiles/tile-references.ts";
import { all, run, type Statement, type Unit } from "#storage/sql/unit.ts";
import { addText } from "../contract/store-context.ts";
import { addBoard, seedBusiness, T0, textTile } from "../support/boards.ts";
import { type Opened, openPostgres, openSqlite } from "./open-drivers.ts";

const TILES = 3_000;
const LIMIT = 50;

/** A board whose tiles all have one tag; every second has another, and every hundredth a third. */
async function fillBoard({ store, driver }: Opened): Promise<BoardKey> {
  const { scope, board } = await seedBusiness(store);
  for (let from = 0; from < TILES; from += 500) {
    const tiles = Array.from({ length: 500 }, (_, i) =>
      textTile("Tide ".repeat(300), { tags: ["All", ...(i % 2 === 0 ? ["Half"] : []), ...(i % 100 === 0 ? ["Few"] : [])] }),
    );
    await store.tiles.createMany(
      tiles.map((tile) => ({ scope, tile })),
      T0,
    );
  }
  if (driver.isShared) await driver.write(() => run("ANALYZE tile, tile_label"));
  return board;
}

/** Returns how many tiles a listing has, and its last statement. */
async function listTagged({ read, dialect }: Driver, board: BoardKey, query: Partial<TileQuery>) {
  let last: Statement | undefined;
  function* record(): Unit<number> {
    const unit = listReferences(dialect, board, { order: "asc", withText: false, ...query }, null, LIMIT);
    let step = unit.next();
    while (step.done !== true) {
      last = step.value as Statement;
      step = unit.next(yield step.value);
    }
    return step.value.length;
  }
  return { count: await read(record), statement: last! };
}

type Plan = { readonly [name: string]: unknown; readonly Plans?: readonly Plan[] };

/** Returns the tiles that PostgreSQL reads for a statement. */
const countTiles = (plan: Plan): number => {
  const rows =
    ["Actual Rows", "Rows Removed by Filter"].reduce((sum, name) => sum + Number(plan[name] ?? 0), 0) * Number(plan["Actual Loops"]);
  return (plan["Relation Name"] === "tile" ? rows : 0) + (plan.Plans ?? []).reduce((sum, child) => sum + countTiles(child), 0);
};

async function expectFewTiles({ read, isShared }: Driver, { sql, params }: Statement): Promise<void> {
  if (isShared) {
    const [row] = await read(() => all<{ "QUERY PLAN": { Plan: Plan }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, params));
    expect(countTiles(row!["QUERY PLAN"][0]!.Plan)).toBeLessThanOrEqual(3 * LIMIT);
    return;
  }
  const steps = (await read(() => all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params))).map(({ detail }) => detail);
  expect(steps.filter((step) => /SCAN|TEMP B-TREE FOR ORDER BY|MATERIALIZE/.test(step))).toEqual([]);
  expect(steps[0]).toMatch(/SEARCH l USING PRIMARY KEY \(board_number=\? AND label=\?/);
}

describe.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
])("labels on %s", (_engine, open) => {
  it("a listing by tags reads the tiles of a page, however many tiles have them", { timeout: 60_000 }, async () => {
    const opened = await open();
    const board = await fillBoard(opened);
    for (const order of ["asc", "desc"] as const) {
      for (const [tags, found] of [
        [["all"], LIMIT],
        [["half"], LIMIT],
        [["few"], TILES / 100],
        [["all", "few"], TILES / 100],
        [["none", "all"], 0],
      ] as const) {
        const { count, statement } = await listTagged(opened.driver, board, { tags, order });
        expect(count).toBe(found);
        await expectFewTiles(opened.driver, statement);
      }
    }
    for (const order of ["position", "updated"] as const)
      for (const tags of [["all"], ["few"]])
        expect((await listTagged(opened.driver, board, { tags, order })).count).toBe(tags[0] === "all" ? LIMIT : TILES / 100);
  });

  it("labels of deleted tiles are kept until the tiles are erased", async () => {
    const { store, driver } = await open();
    const { manage } = await seedBusiness(store);
    const { scope } = await addBoard(store, manage);
    const count = async () => Number((await driver.read(() => all<{ n: number }>("SELECT count(*) AS n FROM tile_label")))[0]?.n);
    const labelled = { tags: ["One", "two"], properties: { sizes: ["S", "M"], order: 1 } };
    const { id } = await addText({ store, scope }, "Text", labelled);
    await addText({ store, scope }, "Other", labelled);
    expect(await count()).toBe(10);
    await store.tiles.update(scope, id, { tags: ["one", "three"], properties: null }, T0 + 1);
    expect(await count()).toBe(7);
    await store.tiles.remove(scope, id, T0 + 2);
    expect(await count()).toBe(7);
    await store.purge(T0 + 3, T0 + 3);
    expect(await count()).toBe(5);
    await store.boards.remove(scope, T0 + 4);
    await store.purge(T0 + 5, T0 + 5);
    expect(await count()).toBe(0);
  });
});
