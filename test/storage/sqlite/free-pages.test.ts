import Database from "better-sqlite3";
import { statSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { makeShrinkable } from "#composition/start/shrinkable.ts";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { releaseFreePages } from "#storage/sqlite/opening/free-pages.ts";
import { migrate } from "#storage/sqlite/engine/migrate.ts";
import { canShrink } from "#storage/sqlite/opening/rewrite.ts";
import { databaseFile, openStore, storeOn } from "#storage/sqlite/store.ts";
import { getCreatedTile, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { newFolder } from "../folder.ts";

const TEXT = "x".repeat(100_000);

/** Opens a store whose file has 20 MB of tiles that were deleted and erased. */
async function openEmptied(): Promise<{ readonly db: Connection; readonly file: string; readonly store: ReturnType<typeof storeOn> }> {
  const file = databaseFile(newFolder());
  const db = new Connection(file);
  migrate(db);
  const store = storeOn(db);
  const { scope } = await seedBusiness(store);
  for (let n = 0; n < 100; n++) {
    const tile = getCreatedTile(await store.tiles.create(scope, textTile(`${n} ${TEXT}`), T0));
    await store.tiles.remove(scope, tile.id, T0 + 1);
  }
  await store.purge(T0 + 2, T0 + 2);
  await db.checkpoint();
  return { db, file, store };
}

test("the file shrinks after a purge, in small steps between other writes", async () => {
  const { db, file, store } = await openEmptied();
  const before = statSync(file).size;
  expect(before).toBeGreaterThan(10_000_000);
  const steps = vi.spyOn(db.raw, "exec");
  let isReleased = false;
  const releasing = store.releaseFreeSpace().then((bytes) => {
    isReleased = true;
    return bytes;
  });
  let writesBefore = 0;
  while (!isReleased) {
    await store.boards.createBusiness(
      { id: `biz_${writesBefore}`, name: "Other", createdAt: T0 },
      { id: `brd_${writesBefore}`, name: "M", slug: "m" },
    );
    writesBefore++;
  }
  expect(await releasing).toBeGreaterThan(8_000_000);
  // Each step moves at most 32 pages, and others write in between.
  expect(steps.mock.calls.every(([sql]) => sql === "PRAGMA incremental_vacuum(32)")).toBe(true);
  expect(steps.mock.calls.length).toBeGreaterThan(50);
  expect(writesBefore).toBeGreaterThan(20);
  await db.checkpoint();
  expect(statSync(file).size).toBeLessThan(before / 2);
  expect(db.raw.pragma("integrity_check", { simple: true })).toBe("ok");
  await store.close();
});

test("pages are not released while another connection keeps the log from being reset", async () => {
  const { db, file, store } = await openEmptied();
  const reader = new Database(file, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM tile").get();
  const releasing = await releaseFreePages(db, undefined, 100);
  expect(releasing).toBeLessThan(2_000_000);
  reader.close();
  expect(await store.releaseFreeSpace()).toBeGreaterThan(6_000_000);
  await store.close();
});

test("a database of an earlier version is rewritten once at a start, unless a server uses it", async () => {
  const folder = newFolder();
  const file = databaseFile(folder);
  const created = openStore(file);
  const { business } = await seedBusiness(created);
  await created.close();
  const old = new Database(file);
  old.pragma("auto_vacuum = NONE");
  old.exec("VACUUM");
  old.close();
  expect(canShrink(file)).toBe(false);
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  makeShrinkable({ databaseUrl: "", dataDir: folder }, log);
  expect(canShrink(file)).toBe(true);
  expect(log.info).toHaveBeenCalledTimes(1);
  makeShrinkable({ databaseUrl: "", dataDir: folder }, log);
  expect(log.info).toHaveBeenCalledTimes(1);
  expect(log.warn).not.toHaveBeenCalled();
  const store = openStore(file);
  expect(await store.boards.business(business.id)).toEqual(business);
  await store.close();
});
