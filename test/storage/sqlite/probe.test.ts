import { mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { migrate } from "#storage/sqlite/engine/migrate.ts";
import { openReserve } from "#storage/sqlite/opening/reserve.ts";
import { storeOn } from "#storage/sqlite/store.ts";

const MIB = 1_048_576;

let folder: string;
let db: Connection;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tessera-probe-"));
  db = new Connection(join(folder, "test.sqlite"));
  migrate(db);
});
afterEach(() => {
  vi.restoreAllMocks();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a healthy probe commits nothing and fills no reserve after a write, but a commit without changes is no evidence", async () => {
  const reserve = openReserve(join(folder, "test.sqlite"));
  const fill = vi.spyOn(reserve, "fill");
  const store = storeOn(db, reserve);
  const countCommits = async (known: "full" | null): Promise<number> => {
    const before = db.generation();
    await store.probe(known);
    return db.generation() - before;
  };
  expect(await countCommits(null)).toBe(1);
  expect(fill).toHaveBeenCalledTimes(1);
  expect([await countCommits(null), await countCommits(null)]).toEqual([0, 0]);
  expect(fill).toHaveBeenCalledTimes(1);
  expect(await countCommits("full")).toBe(1);
  expect(fill).toHaveBeenCalledTimes(2);

  const later = performance.now() + 3_600_000;
  vi.spyOn(performance, "now").mockImplementation(() => later);
  await db.write(() => db.run("UPDATE epoch SET value = value WHERE FALSE"));
  expect(db.hasWrittenWithin(10_000)).toBe(false);
  expect(await countCommits(null)).toBe(1);
});

test("the reserve is completed when it is missing or too short", async () => {
  const reserve = openReserve(join(folder, "test.sqlite"));
  const path = join(folder, "reserve.bin");
  expect(await reserve.needsFill()).toBe(true);
  await reserve.fill();
  expect([await reserve.needsFill(), statSync(path).size]).toEqual([false, MIB]);
  truncateSync(path, MIB / 2);
  expect(await reserve.needsFill()).toBe(true);
  await reserve.fill();
  expect([await reserve.needsFill(), statSync(path).size]).toEqual([false, MIB]);
  reserve.release();
  expect(await reserve.needsFill()).toBe(true);
});
