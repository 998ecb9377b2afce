import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Connection } from "#storage/sqlite/engine/database.ts";
import type { Migration } from "#storage/shared/migrations.ts";
import { migrate, readMigrations, schemaVersion } from "#storage/sqlite/engine/migrate.ts";
import { openStore, storeOn } from "#storage/sqlite/store.ts";
import { seedBusiness } from "../support/boards.ts";
import { newFolder, startProcess, untilLines } from "./folder.ts";
import { SECOND } from "./second-step.ts";

const NEWEST = readMigrations().at(-1)!.number;
const STEPS: readonly Migration[] = [...readMigrations(), SECOND];

function connect(file: string): Connection {
  const db = new Connection(file);
  onTestFinished(() => db.close());
  return db;
}

/** A database of the newest version with one business. */
async function seeded(): Promise<{ readonly file: string; readonly copy: string; readonly db: Connection }> {
  const folder = newFolder();
  const file = join(folder, "tessera.sqlite");
  const db = connect(file);
  migrate(db);
  await seedBusiness(storeOn(db), "Harbour Lab");
  return { file, db, copy: join(folder, "backups", `tessera-before-${String(SECOND.number).padStart(3, "0")}.sqlite`) };
}

const readVersion = (file: string): number => schemaVersion(connect(file));
const namesIn = (db: Connection): unknown[] => db.all("SELECT name FROM business");

it("migrations are numbered consecutively from 1", () => {
  expect(readMigrations().map(({ number }) => number)).toEqual(Array.from({ length: NEWEST }, (_, i) => i + 1));
});

it("migrations create a new database in all steps, without a copy", () => {
  const folder = newFolder();
  const db = connect(join(folder, "tessera.sqlite"));
  expect(migrate(db, STEPS)).toEqual(STEPS.map(({ name }) => name));
  expect(schemaVersion(db)).toBe(SECOND.number);
  expect(namesIn(db)).toEqual([]);
  expect(existsSync(join(folder, "backups"))).toBe(false);
});

it("migrations run once: running them again changes nothing", async () => {
  const { db, copy } = await seeded();
  const before = db.all("SELECT * FROM sqlite_schema ORDER BY name");
  expect(migrate(db)).toEqual([]);
  expect(db.all("SELECT * FROM sqlite_schema ORDER BY name")).toEqual(before);
  expect(existsSync(copy)).toBe(false);
});

it("migrations keep a complete copy of existing data before a step, for its owner only", async () => {
  const { db, copy } = await seeded();
  expect(migrate(db, STEPS)).toEqual([SECOND.name]);
  expect(db.all("SELECT name FROM made_up")).toEqual([{ name: "HARBOUR LAB" }]);
  expect(readdirSync(join(copy, ".."))).toEqual(["tessera-before-" + String(SECOND.number).padStart(3, "0") + ".sqlite"]);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(statSync(join(copy, "..")).mode & 0o777).toBe(0o700);
  expect(readVersion(copy)).toBe(NEWEST);
  const kept = connect(copy);
  expect(kept.raw.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(namesIn(kept)).toEqual([{ name: "Harbour Lab" }]);
});

it("migrations keep a copy of the current data, not of an earlier or interrupted run", async () => {
  const { db, copy } = await seeded();
  const failing: Migration = { ...SECOND, sql: "CREATE TABLE half (a); SELECT * FROM nowhere;" };
  expect(() => migrate(db, [...readMigrations(), failing])).toThrow(/nowhere/);
  db.run("UPDATE business SET name = 'Later'");
  writeFileSync(`${copy}.partial`, "broken off");
  migrate(db, STEPS);
  expect(namesIn(connect(copy))).toEqual([{ name: "Later" }]);
  expect(existsSync(`${copy}.partial`)).toBe(false);
});

it("migrations that fail change nothing, and can be run later", async () => {
  const { db } = await seeded();
  const failing: Migration = { ...SECOND, sql: "CREATE TABLE half (a); DELETE FROM board; DELETE FROM business; SELECT * FROM nowhere;" };
  expect(() => migrate(db, [...readMigrations(), failing])).toThrow(/nowhere/);
  expect(schemaVersion(db)).toBe(NEWEST);
  expect(namesIn(db)).toEqual([{ name: "Harbour Lab" }]);
  expect(db.get("SELECT name FROM sqlite_schema WHERE name = 'half'")).toBeUndefined();
  expect(migrate(db, STEPS)).toEqual([SECOND.name]);
});

it("migrations reject a database of a newer version, with advice", async () => {
  const { db, file } = await seeded();
  migrate(db, STEPS);
  const message = `The database is of version ${SECOND.number}, newer than this Tessera knows (${NEWEST}). Install the newer Tessera, or restore a backup.`;
  expect(() => openStore(file)).toThrow(message);
  expect(namesIn(db)).toEqual([{ name: "Harbour Lab" }]);
});

/** Starts four processes at the same time and returns what each printed. */
async function race(script: string, file: string): Promise<string[]> {
  const openers = Array.from({ length: 4 }, () => startProcess(script, file));
  for (const opener of openers) await untilLines(opener, 1);
  for (const opener of openers) opener.process.stdin?.end("go\n");
  await Promise.all(openers.map(({ ended }) => ended));
  return openers.map(({ lines }) => lines.slice(1).join());
}

it("several processes that open the store at once create a new database once", async () => {
  const file = join(newFolder(), "tessera.sqlite");
  expect(await race(import.meta.resolve("./processes/open-store.ts"), file)).toEqual(["0", "0", "0", "0"]);
  expect(readVersion(file)).toBe(NEWEST);
});

it("several processes that open the store at once migrate existing data once, with one copy of the old data", async () => {
  const { db, file, copy } = await seeded();
  db.close();
  expect((await race(import.meta.resolve("./processes/take-second-step.ts"), file)).sort()).toEqual(
    [JSON.stringify([SECOND.name]), "[]", "[]", "[]"].sort(),
  );
  expect(readVersion(copy)).toBe(NEWEST);
  expect(connect(file).all("SELECT name FROM made_up")).toEqual([{ name: "HARBOUR LAB" }]);
});
