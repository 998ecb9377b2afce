import { closeSync, openSync, writeSync } from "node:fs";
import { randomBytes } from "node:crypto";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { databaseFile } from "#storage/sqlite/store.ts";
import { type Environment, type ServerProcess, call, makeFolder, runServer, startServer, tesseraJson } from "./support/process.ts";

let folder: ReturnType<typeof makeFolder>;
let environment: Environment;
let key: string;
let boardId: string;
let server: ServerProcess | undefined;

beforeEach(async () => {
  folder = makeFolder();
  environment = { DATA_DIR: folder.dataDir };
  ({ key } = await tesseraJson(environment, "key", "create", "--name", "test"));
  boardId = (await tesseraJson(environment, "board", "list")).boards[0].id;
});
afterEach(async () => {
  await server?.kill("SIGKILL");
  server = undefined;
  folder.remove();
});

/** Overwrites the first page of a table, its root, in a database that nobody has open. */
function damage(table: string): void {
  const file = databaseFile(folder.dataDir);
  const db = new Database(file);
  db.pragma("wal_checkpoint(TRUNCATE)");
  const pageBytes = db.pragma("page_size", { simple: true }) as number;
  const page = db.prepare<[string], number>("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?").pluck().get(table);
  db.close();
  if (page === undefined) throw new Error(`There is no table ${table}.`);
  const handle = openSync(file, "r+");
  writeSync(handle, randomBytes(pageBytes), 0, pageBytes, (page - 1) * pageBytes);
  closeSync(handle);
}

test.each(["tile", "board", "api_key"])(
  "a server with a damaged table %s is not ready, and says so",
  { timeout: 60_000 },
  async (table) => {
    damage(table);
    server = await startServer(environment);
    const { status, json } = await call(server.url, null, "GET", "/health/ready");
    expect({ status, json }).toEqual({
      status: 503,
      json: { error: expect.stringMatching(/damaged.*backup/), code: "storage_unavailable" },
    });
    const created = await call(server.url, key, "POST", `/api/board/${boardId}/tiles`, { content: "A note." });
    expect(created.status).toBe(503);
    expect(created.json.error).toMatch(/damaged/);
  },
);

test.each(["business", "delivery"])("a damaged table %s ends the start with one sentence", { timeout: 60_000 }, async (table) => {
  damage(table);
  const { code, stderr } = await runServer(environment);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Tessera could not start: [^\n]*damaged[^\n]*restore[^\n]*\.\n$/);
});
