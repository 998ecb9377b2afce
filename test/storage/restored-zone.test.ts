import { expect, test } from "vitest";
import type { Driver } from "#storage/sql/driver.ts";
import { findDeletedWithZone } from "#storage/sql/tiles/tile-lifecycle.ts";
import type { TileAdapter } from "#storage/sql/tiles/tile-adapter.ts";
import { run, type Statement, type Unit } from "#storage/sql/unit.ts";
import { openPostgres, openSqlite } from "./open-drivers.ts";

const LIMIT = { tiles: 500, bytes: 1_048_576 };

/** Returns the statement that finds the tiles of a deleted zone. */
function toStatement({ dialect }: Driver): Statement {
  const board = { businessId: "biz_a", id: "brd_a", number: 1 } as never;
  return findDeletedWithZone({ dialect } as TileAdapter, board, "zon_a", 1_000, LIMIT).next().value as Statement;
}

function* explain(driver: Driver, engine: string): Unit<string> {
  // An empty table is scanned as a whole otherwise, whatever its indexes.
  if (engine === "PostgreSQL") yield* run("SET LOCAL enable_seqscan = off");
  const statement = toStatement(driver);
  const prefix = engine === "PostgreSQL" ? "EXPLAIN" : "EXPLAIN QUERY PLAN";
  return JSON.stringify(yield { ...statement, kind: "all", sql: `${prefix} ${statement.sql}` });
}

test.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
])("restoring a zone reads the tiles deleted with it, not all deleted ones, on %s", async (engine, open) => {
  const { driver } = await open();
  const plan = await driver.write(() => explain(driver, engine));
  expect(plan).toContain("tile_deleted_with");
  expect(plan).toMatch(/deleted_with\s*=/);
});
