import { describe, expect, it } from "vitest";
import type { TileCursor, TileQuery } from "#domain/content/tile-store.ts";
import type { BoardKey, Driver } from "#storage/sql/driver.ts";
import { listReferences } from "#storage/sql/tiles/tile-references.ts";
import { all, run, type Statement, type Unit } from "#storage/sql/unit.ts";
import { getCreated, newZone, seedBusiness, T0, textTile } from "../support/boards.ts";
import { type Opened, openPostgres, openSqlite } from "./open-drivers.ts";

const TILES = 3_000;
const LIMIT = 50;
const QUERY: TileQuery = { order: "position", withText: false };

/** A board with three zones, of which the first has most of the tiles, and tiles outside of them. */
async function fillBoard({ store, driver }: Opened): Promise<BoardKey> {
  const { scope, board } = await seedBusiness(store);
  const zones: (string | null)[] = [null];
  for (let i = 0; i < 3; i++) zones.push(getCreated(await store.zones.create(scope, newZone(`Zone ${i}`), T0)).id);
  for (let from = 0; from < TILES; from += 500) {
    const tiles = Array.from({ length: 500 }, (_, i) => textTile("Tide ".repeat(300), { zoneId: zones[[1, 1, 1, 0, 2][i % 5]!]! }));
    await store.tiles.createMany(
      tiles.map((tile) => ({ scope, tile })),
      T0,
    );
  }
  if (driver.isShared) await driver.write(() => run("ANALYZE tile"));
  return board;
}

/** Reads a page, and returns its statements and its last cursor. */
async function readPage({ read, dialect }: Driver, board: BoardKey, after: TileCursor | null) {
  const statements: Statement[] = [];
  function* record(): Unit<TileCursor | null> {
    const unit = listReferences(dialect, board, QUERY, after, LIMIT);
    let step = unit.next();
    while (step.done !== true) {
      statements.push(step.value as Statement);
      step = unit.next(yield step.value);
    }
    return (step.value.at(-1)?.slice(3) ?? null) as TileCursor | null;
  }
  return { cursor: await read(record), statements };
}

type Plan = { readonly [name: string]: unknown; readonly Plans?: readonly Plan[] };

/** Returns the tiles that PostgreSQL reads for a statement. */
const countTiles = (plan: Plan): number => {
  const rows =
    ["Actual Rows", "Rows Removed by Filter"].reduce((sum, name) => sum + Number(plan[name] ?? 0), 0) * Number(plan["Actual Loops"]);
  return (plan["Relation Name"] === "tile" ? rows : 0) + (plan.Plans ?? []).reduce((sum, child) => sum + countTiles(child), 0);
};

async function expectIndexWalk({ read, isShared }: Driver, { sql, params }: Statement): Promise<void> {
  if (isShared) {
    const [row] = await read(() => all<{ "QUERY PLAN": { Plan: Plan }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, params));
    expect(countTiles(row!["QUERY PLAN"][0]!.Plan)).toBeLessThanOrEqual(3 * LIMIT);
    return;
  }
  const steps = (await read(() => all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params))).map(({ detail }) => detail);
  // Within a zone, the tiles that were found by the index are sorted again: at most a page of each zone.
  expect(steps.filter((step) => /SCAN|TEMP B-TREE FOR ORDER BY/.test(step))).toEqual([]);
  expect(steps.join("\n")).toMatch(/SEARCH t USING INDEX tile_(by_position|outside_zones) .*\(sort_order,sequence\)>/);
}

describe.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
])("a listing by position on %s", (_engine, open) => {
  it("a listing by position reads the tiles of a page, and not those of the whole board", { timeout: 60_000 }, async () => {
    const opened = await open();
    const board = await fillBoard(opened);
    let pages = 0;
    for (let after: TileCursor | null = null; ; pages++) {
      const { cursor, statements } = await readPage(opened.driver, board, after);
      if (pages % 10 === 0) for (const statement of statements) await expectIndexWalk(opened.driver, statement);
      if (cursor === null) break;
      after = cursor;
    }
    expect(pages).toBe(TILES / LIMIT);
  });
});
