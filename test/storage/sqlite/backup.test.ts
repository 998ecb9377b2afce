import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { restore as restoreFile } from "#storage/restore/sqlite.ts";
import { backup } from "#storage/sqlite/engine/backup.ts";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { databaseFile, openStore } from "#storage/sqlite/store.ts";
import { addBoard, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { newFolder, startProcess, untilLines } from "../folder.ts";

/** Restores a file and leaves its accounts as they were; other tests are about those. */
const restore = (dataDir: string, file: string, source: string) => restoreFile(dataDir, file, source, { asItWas: true });

const namesIn = async (file: string): Promise<string[]> => {
  const store = openStore(file);
  const names = (await store.boards.businesses()).map(({ name }) => name);
  await store.close();
  return names;
};

async function businessIn(file: string, name: string): Promise<void> {
  const store = openStore(file);
  await seedBusiness(store, name);
  await store.close();
}

it("a backup taken during writes is consistent: it has every acknowledged tile, and each completely", async () => {
  const folder = newFolder();
  const file = join(folder, "tessera.sqlite");
  const writer = startProcess(import.meta.resolve("../processes/write-tiles.ts"), file);
  await untilLines(writer, 60);
  for (let round = 0; round < 3; round++) {
    const acknowledged = [...writer.lines];
    const target = join(folder, `backup-${round}.sqlite`);
    await backup(file, target);
    await untilLines(writer, acknowledged.length + 20);
    const db = new Connection(target);
    expect(db.raw.pragma("integrity_check", { simple: true })).toBe("ok");
    const ids = new Set(
      db.all<{ business_id: string; id: string }>("SELECT business_id, id FROM tile").map((row) => `${row.business_id} ${row.id}`),
    );
    for (const line of acknowledged) expect(ids.has(line), line).toBe(true);
    expect(db.get("SELECT count(*) AS n FROM tile WHERE type = 'TEXT' AND extracted_text NOT LIKE 'Text % '")).toEqual({ n: 0 });
    const halves =
      "SELECT count(*) AS n FROM tile t WHERE (status = 'processing') <> EXISTS (SELECT 1 FROM job j WHERE j.business_id = t.business_id AND j.tile_id = t.id)";
    expect(db.get(halves)).toEqual({ n: 0 });
    expect(db.get("SELECT next_sequence - 1 AS n FROM board")).toEqual({ n: ids.size });
    db.close();
  }
  writer.process.kill("SIGKILL");
  await writer.ended;
});

it("a backup restores everything", async () => {
  const dataDir = newFolder();
  const file = databaseFile(dataDir);
  const target = join(newFolder(), "backup.sqlite");
  const store = openStore(file);
  const { business, scope, manage } = await seedBusiness(store, "Harbour Lab");
  const second = await addBoard(store, manage);
  await store.zones.create(scope, newZone("Zone"), T0);
  const draft = textTile("Kept");
  await store.tiles.create(second.scope, draft, T0);
  await backup(file, target);
  await store.tiles.remove(second.scope, draft.id, T0 + 1);
  await store.close();

  expect(await restore(dataDir, file, target)).toMatchObject({ kept: `${file}.before-restore` });
  const restored = openStore(file);
  expect(await restored.boards.list(business.id)).toHaveLength(2);
  expect(await restored.zones.list(scope, null, null)).toHaveLength(1);
  expect(await restored.tiles.find(business.id, draft.id)).toMatchObject({ extractedText: "Kept" });
  await restored.tiles.create(scope, textTile("New"), T0 + 2);
  await restored.close();
});

it("a backup is readable by its owner only, and so is the restored database", async () => {
  const dataDir = newFolder();
  const target = join(newFolder(), "backup.sqlite");
  await businessIn(databaseFile(dataDir), "Harbour Lab");
  await backup(databaseFile(dataDir), target);
  await restore(dataDir, databaseFile(dataDir), target);
  for (const name of [target, databaseFile(dataDir), `${databaseFile(dataDir)}.before-restore`])
    expect(statSync(name).mode & 0o777, name).toBe(0o600);
});

it("a backup never replaces a file, and needs a database", async () => {
  const folder = newFolder();
  const file = join(folder, "tessera.sqlite");
  await expect(backup(file, join(folder, "backup.sqlite"))).rejects.toThrow(/There is no database/);
  await businessIn(file, "Harbour Lab");
  writeFileSync(join(folder, "taken.sqlite"), "mine");
  await expect(backup(file, join(folder, "taken.sqlite"))).rejects.toThrow(/exists already/);
  await expect(backup(file, join(folder, "nowhere", "backup.sqlite"))).rejects.toThrow();
  expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
});

it("a restore keeps every previous database, however often it runs", async () => {
  const dataDir = newFolder();
  const file = databaseFile(dataDir);
  const target = join(newFolder(), "backup.sqlite");
  await businessIn(file, "First");
  await backup(file, target);
  await businessIn(file, "Second");
  const kept = [(await restore(dataDir, file, target)).kept!];
  await businessIn(file, "Third");
  kept.push((await restore(dataDir, file, target)).kept!);
  expect(await namesIn(file)).toEqual(["First"]);
  expect(await Promise.all(kept.map(namesIn))).toEqual(
    [
      ["First", "Second"],
      ["First", "Third"],
    ].map((names) => expect.arrayContaining(names)),
  );
});

it("a restore keeps the write-ahead log of a killed server", async () => {
  const dataDir = newFolder();
  const file = databaseFile(dataDir);
  const target = join(newFolder(), "backup.sqlite");
  const writer = startProcess(import.meta.resolve("../processes/write-tiles.ts"), file);
  await untilLines(writer, 1);
  await backup(file, target);
  await untilLines(writer, 30);
  writer.process.kill("SIGKILL");
  await writer.ended;
  const { kept } = await restore(dataDir, file, target);
  const store = openStore(kept!);
  for (const line of writer.lines) {
    const [businessId, id] = line.split(" ");
    expect(await store.tiles.find(businessId!, id!), line).not.toBeNull();
  }
  await store.close();
});

it("a restore works in an empty data directory", async () => {
  const source = join(newFolder(), "source.sqlite");
  const target = join(newFolder(), "backup.sqlite");
  await businessIn(source, "Harbour Lab");
  await backup(source, target);
  const dataDir = newFolder();
  expect(await restore(dataDir, databaseFile(dataDir), target)).toMatchObject({ kept: null });
  expect(await namesIn(databaseFile(dataDir))).toEqual(["Harbour Lab"]);
});

it.each([
  ["of no kind", (file: string) => writeFileSync(file, "This is no database at all. ".repeat(400))],
  ["cut short", (file: string) => truncateSync(file, 4_096 * 3)],
])("a restore replaces an unreadable database, %s, and keeps it too", async (_, spoil) => {
  const dataDir = newFolder();
  const file = databaseFile(dataDir);
  const target = join(newFolder(), "backup.sqlite");
  await businessIn(file, "Harbour Lab");
  await backup(file, target);
  spoil(file);
  const size = statSync(file).size;
  const { kept } = await restore(dataDir, file, target);
  expect(await namesIn(file)).toEqual(["Harbour Lab"]);
  expect(statSync(kept!).size).toBe(size);
});

it("a restore rejects an incomplete backup, and leaves the database unchanged", async () => {
  const dataDir = newFolder();
  const file = databaseFile(dataDir);
  await businessIn(file, "Harbour Lab");
  const other = join(newFolder(), "other.sqlite");
  new Connection(other).close();
  await expect(restore(dataDir, file, other)).rejects.toThrow(/can't be restored: /);
  const cut = join(newFolder(), "cut.sqlite");
  await backup(file, cut);
  truncateSync(cut, 4_096 * 5);
  await expect(restore(dataDir, file, cut)).rejects.toThrow(/can't be restored: /);
  expect(await namesIn(file)).toEqual(["Harbour Lab"]);
  expect(existsSync(`${file}.before-restore`)).toBe(false);
});

it.each([
  ["of a later version", "PRAGMA user_version = 99", /it is of version 99, newer than this Tessera knows \(\d+\)/],
  ["without a version", "PRAGMA user_version = 0", /it is not a Tessera database/],
  ["without a table", "DROP TABLE api_key", /its table "api_key" is missing/],
  ["without a column", "ALTER TABLE zone DROP COLUMN emoji", /its table "zone" has no column "emoji"/],
  ["with a row that belongs to none", "PRAGMA foreign_keys = OFF; DELETE FROM business", /"board" belongs to a missing row of "business"/],
])("a restore rejects a file %s with one sentence, and leaves everything as it was", async (_, sql, message) => {
  const dataDir = newFolder();
  const file = databaseFile(dataDir);
  await businessIn(file, "Harbour Lab");
  const broken = join(newFolder(), "broken.sqlite");
  await backup(file, broken);
  const db = new Connection(broken);
  db.raw.exec(sql);
  db.close();
  const before = readdirSync(dataDir);
  await expect(restore(dataDir, file, broken)).rejects.toThrow(message);
  expect(readdirSync(dataDir)).toEqual(before);
  expect(await namesIn(file)).toEqual(["Harbour Lab"]);
});

it("a restore rejects a backup of PostgreSQL", async () => {
  const dataDir = newFolder();
  const packed = join(newFolder(), "backup.jsonl.gz");
  writeFileSync(packed, gzipSync("{}"));
  await expect(restore(dataDir, databaseFile(dataDir), packed)).rejects.toThrow(/it is a backup of a PostgreSQL database/);
  expect(readdirSync(dataDir)).toEqual([]);
});
