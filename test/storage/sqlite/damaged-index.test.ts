import Database from "better-sqlite3";
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { makeShrinkable } from "#composition/start/shrinkable.ts";
import type { Store } from "#domain/store.ts";
import { writeCopy } from "#storage/sqlite/engine/backup.ts";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { IndexGuard } from "#storage/sqlite/search/index-guard.ts";
import { findDamagedTables, replaceIndex, restoreTables } from "#storage/sqlite/search/repair-index.ts";
import { canShrink } from "#storage/sqlite/opening/rewrite.ts";
import { databaseFile, openStore, storeOn } from "#storage/sqlite/store.ts";
import { addText, type StoreContext } from "../../contract/store-context.ts";
import { createEmbedding, embedded } from "../../contract/search/binary-embedding.ts";
import { drain, expectFresh, TERMS } from "../../contract/search/model.ts";
import { seedBusiness, T0 } from "../../support/boards.ts";
import { newFolder } from "../folder.ts";

type Filled = { readonly file: string; readonly ids: readonly string[]; readonly seed: Omit<StoreContext, "store"> };

let folder: string;
let filled: Filled;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tessera-damage-"));
  filled = await fill(join(folder, "whole.sqlite"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Copies the database for one test. */
function createDatabase(): Filled {
  const file = databaseFile(newFolder());
  copyFileSync(filled.file, file);
  return { ...filled, file };
}

/** Writes a database with two full blocks of chunks and their vectors. */
async function fill(file: string): Promise<Filled> {
  const store = openStore(file);
  const seed = await seedBusiness(store);
  await store.vectors.useModel("model-a");
  const ids: string[] = [];
  for (let n = 0; n < 80; n++) ids.push((await addText({ store, ...seed }, `60 ${n}`)).id);
  await drain({ store });
  for (let tiles = await store.vectors.unembedded(50, 1e6); tiles.length > 0; tiles = await store.vectors.unembedded(50, 1e6))
    await store.vectors.embed(embedded(tiles));
  await store.close();
  return { file, ids, seed };
}

/** Overwrites pages of a table's or an index's b-tree: its root, or all others. */
function damage(file: string, name: string, part: "root" | "rest"): void {
  const db = new Database(file, { readonly: true });
  const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(name) as number;
  const rest = db.prepare("SELECT pageno FROM dbstat WHERE name = ? AND pageno <> ?").pluck().all(name, root) as number[];
  const size = db.pragma("page_size", { simple: true }) as number;
  db.close();
  const pages = part === "root" || rest.length === 0 ? [root] : rest;
  const descriptor = openSync(file, "r+");
  for (const page of pages) writeSync(descriptor, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(descriptor);
}

/** What a search and a question read. */
async function read({ search, vectors }: Store, businessId: string, boardId: string): Promise<void> {
  await search.statistics(businessId, boardId);
  await search.postings(businessId, boardId, TERMS);
  await search.terms(businessId, boardId, "co", 10);
  await search.connectedChunks(businessId, boardId, [0, 1, 2_047, 2_048, 4_000]);
  await vectors.nearest(businessId, boardId, createEmbedding("a question"), 5);
  await vectors.embeddings(businessId, boardId, [0, 2_048, 4_000]);
  await search.pendingConnected(businessId, boardId, 1e6);
}

async function expectRebuilt(store: Store, seed: Filled["seed"]): Promise<void> {
  expect(await store.indexRebuild.unfinished()).toHaveLength(1);
  for (let step: number | null = 0; step !== null;) step = await store.indexRebuild.step(seed.board);
  await drain({ store });
  await expectFresh({ store, ...seed });
}

describe.each(["posting", "posting_block", "chunk", "chunk_by_tile", "passage_block", "board_index"])("damaged pages of %s", (name) => {
  for (const part of ["root", "rest"] as const) {
    test(`damaged pages are noticed by a search, which works on, and the index is rebuilt (${part})`, async () => {
      const { file, seed } = createDatabase();
      damage(file, name, part);
      const store = openStore(file);
      const onRepair = vi.fn();
      store.indexRebuild.onRepair(onRepair);
      const { businessId, id } = seed.board;
      // Only deletions and the vector indexer read the index of chunks by tile.
      if (name === "chunk_by_tile") await addText({ store, ...seed }, "3 3").then(() => drain({ store }));
      await Promise.all(Array.from({ length: 5 }, () => read(store, businessId, id)));
      if (name === "chunk_by_tile" && onRepair.mock.calls.length === 0) return store.close();
      expect(onRepair).toHaveBeenCalledTimes(1);
      await expectRebuilt(store, seed);
      await store.close();
      // Backups work again, and the file can be made whole.
      const copy = join(dirname(file), "copy.sqlite");
      writeCopy(file, copy);
      const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
      makeShrinkable({ databaseUrl: "", dataDir: dirname(file) }, log);
      expect(log.warn).not.toHaveBeenCalled();
      expect(canShrink(file)).toBe(true);
      for (const whole of [copy, file]) {
        const db = new Database(whole, { readonly: true });
        expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
        db.close();
      }
    });

    test(`damaged pages do not keep tiles from being deleted and changed (${part})`, async () => {
      const { file, ids, seed } = createDatabase();
      damage(file, name, part);
      const store = openStore(file);
      for (const tile of ids.slice(0, 70)) await store.tiles.remove(seed.scope, tile, T0 + 1);
      await store.tiles.update(seed.scope, ids[71]!, { content: "5 5" }, T0 + 1);
      await read(store, seed.board.businessId, seed.board.id);
      for (let step: number | null = 0; step !== null;) step = await store.indexRebuild.step(seed.board);
      await drain({ store });
      await expectFresh({ store, ...seed });
      expect(await store.tiles.find(seed.board.businessId, ids[0]!)).toBeNull();
      await store.close();
    });
  }
});

test("an interrupted repair is completed when the store is opened", async () => {
  const { file, seed } = createDatabase();
  damage(file, "posting", "rest");
  const db = new Database(file);
  const exec = vi.spyOn(db, "exec").mockImplementation((sql) => {
    if (sql === "VACUUM") throw new Error("The process ended.");
    return Database.prototype.exec.call(db, sql);
  });
  expect(() => replaceIndex(db, findDamagedTables(db), T0)).toThrow("The process ended.");
  exec.mockRestore();
  expect(db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'posting'").get()).toBeUndefined();
  db.close();
  const store = openStore(file);
  await read(store, seed.board.businessId, seed.board.id);
  await expectRebuilt(store, seed);
  await store.close();
});

test("a repair that fails is continued after a pause, and no table is lost", async () => {
  const { file, seed } = createDatabase();
  damage(file, "posting", "rest");
  // The file can't be rewritten while a table of content is damaged.
  const whole = readFileSync(file);
  damage(file, "business", "root");
  const store = openStore(file);
  const search = () => store.search.postings(seed.board.businessId, seed.board.id, TERMS);
  const readRepair = () => {
    const db = new Database(file, { readonly: true });
    onTestFinished(() => void db.close());
    return db.prepare("SELECT repaired_at, unfinished FROM index_repair").get() as { repaired_at: number; unfinished: string };
  };
  await expect(search()).rejects.toThrow();
  const first = readRepair();
  expect(first.unfinished).toContain("TABLE posting ");
  await expect(search()).rejects.toThrow();
  expect(readRepair()).toEqual(first);
  const { now } = performance;
  let passedMs = 61_000;
  vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + passedMs);
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(search()).rejects.toThrow();
  const second = readRepair();
  expect(second.repaired_at).toBeGreaterThan(first.repaired_at);
  expect(second.unfinished).toBe(first.unfinished);
  writeFileSync(file, whole);
  passedMs *= 2;
  await read(store, seed.board.businessId, seed.board.id);
  await expectRebuilt(store, seed);
  await store.close();
});

test("a repair that can't begin fails the call alone, and pauses", async () => {
  const guard = new IndexGuard({ raw: { name: join(folder, "none", "missing.sqlite") } } as never);
  const search = vi.fn<() => never>(() => {
    const error = Object.assign(new Error("The page is damaged."), { code: "SQLITE_CORRUPT" });
    guard.noteFailure(error, "SELECT 1 FROM posting");
    throw error;
  });
  await expect(guard.protect(search)).rejects.toThrow("directory does not exist");
  await expect(guard.protect(search)).rejects.toThrow("The page is damaged.");
});

test("after a repair at opening, temporary tables are kept in memory", () => {
  const { file } = createDatabase();
  const db = new Connection(file);
  db.raw.exec("INSERT OR REPLACE INTO index_repair (one, repaired_at, unfinished) VALUES (1, 1, '[\"SELECT 1\"]')");
  restoreTables(db.raw);
  expect(db.raw.pragma("temp_store", { simple: true })).toBe(2);
  db.close();
});

test("storage errors of a rebuild are reported", async () => {
  const { file, seed } = createDatabase();
  const db = new Connection(file);
  const store = storeOn(db);
  const reported: string[] = [];
  store.onFailure(({ problem }) => reported.push(problem));
  db.raw.pragma("query_only = ON");
  await expect(store.indexRebuild.begin(seed.board)).rejects.toThrow();
  expect(reported).toEqual(["read_only"]);
  await store.close();
});

test("one table after the other can be damaged", async () => {
  const { file, seed } = createDatabase();
  for (const name of ["posting", "chunk", "posting_block", "passage_block", "board_index", "posting"]) {
    damage(file, name, "rest");
    const store = openStore(file);
    const onRepair = vi.fn();
    store.indexRebuild.onRepair(onRepair);
    await store.vectors.useModel("model-a");
    await read(store, seed.board.businessId, seed.board.id);
    expect(onRepair).toHaveBeenCalledWith({ tables: [name] });
    await expectRebuilt(store, seed);
    for (let tiles = await store.vectors.unembedded(50, 1e6); tiles.length > 0; tiles = await store.vectors.unembedded(50, 1e6))
      await store.vectors.embed(embedded(tiles));
    await store.close();
  }
});

test("damage elsewhere is reported as before, and the index is kept", async () => {
  const { file, seed } = createDatabase();
  damage(file, "tile", "rest");
  const before = statSync(file).size;
  const store = openStore(file);
  const onRepair = vi.fn();
  store.indexRebuild.onRepair(onRepair);
  const { businessId, id } = seed.board;
  for (let n = 0; n < 3; n++) await expect(store.search.connectedChunks(businessId, id, [0, 1])).rejects.toThrow();
  expect(onRepair).not.toHaveBeenCalled();
  expect(await store.search.postings(businessId, id, ["common"])).toHaveProperty("size", 1);
  expect(statSync(file).size).toBe(before);
  await store.close();
});
