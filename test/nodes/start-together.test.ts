import { expect, test } from "vitest";
import { readMigrations } from "#storage/postgres/engine/migrate.ts";
import { call, tesseraJson } from "../e2e/support/process.ts";
import { newDatabase } from "../support/postgres/databases.ts";
import { seconds, printFigure } from "./support/figures.ts";
import { openNodes } from "./support/nodes.ts";
import { query } from "./support/postgres.ts";

const ROLES = ["all", "api", "worker", "all"] as const;

test("nodes that start together on an empty database create it once, and all become ready", { timeout: 300_000 }, async () => {
  const database = await newDatabase();
  const nodes = await openNodes({}, database);
  const started = performance.now();
  const servers = await Promise.all(ROLES.map((role) => nodes.start(role)));
  printFigure(`${ROLES.length} nodes started together on an empty database: all ready after ${seconds(performance.now() - started)}`);
  for (const { url, stderr } of servers) {
    expect((await call(url, null, "GET", "/health/ready")).status).toBe(200);
    expect(stderr()).toBe("");
  }
  const rows = await query(database.url, "SELECT number, name FROM migration ORDER BY number");
  expect(rows).toEqual(readMigrations().map(({ number, name }) => ({ number, name })));
  const { businesses } = await tesseraJson(nodes.environment, "business", "list");
  expect(businesses).toHaveLength(1);
  const { boards } = await tesseraJson(nodes.environment, "board", "list");
  expect(boards).toMatchObject([{ isDefault: true }]);
});
