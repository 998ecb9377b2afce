import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { restore as restoreFile } from "#storage/restore/sqlite.ts";
import { backup } from "#storage/sqlite/engine/backup.ts";
import { type Lock, takeLock } from "#storage/sqlite/engine/lock.ts";
import { databaseFile, openStore } from "#storage/sqlite/store.ts";
import { seedBusiness } from "../../support/boards.ts";
import { newFolder, startProcess, untilLines } from "../folder.ts";

/** Restores a file and leaves its accounts as they were; other tests are about those. */
const restore = (dataDir: string, file: string, source: string) => restoreFile(dataDir, file, source, { asItWas: true });

function take(...args: Parameters<typeof takeLock>): Lock | null {
  const lock = takeLock(...args);
  onTestFinished(() => lock?.release());
  return lock;
}

/** A data directory with a database, and a backup of it from before its business was renamed. */
async function dataDirWithBackup(): Promise<{ readonly dataDir: string; readonly source: string }> {
  const dataDir = newFolder();
  const source = join(newFolder(), "backup.sqlite");
  const store = openStore(databaseFile(dataDir));
  await seedBusiness(store, "Before");
  await backup(databaseFile(dataDir), source);
  await seedBusiness(store, "After");
  await store.close();
  return { dataDir, source };
}

it("a shared lock on a data directory allows other shared locks, and no exclusive one", () => {
  const folder = newFolder();
  const [first, second] = [take(folder, "server", "shared"), take(folder, "server", "shared")];
  expect(first).not.toBeNull();
  expect(second).not.toBeNull();
  expect(take(folder, "server", "exclusive")).toBeNull();
  first?.release();
  expect(take(folder, "server", "exclusive")).toBeNull();
  second?.release();
  expect(take(folder, "server", "exclusive")).not.toBeNull();
});

it("an exclusive lock on a data directory allows no other", () => {
  const folder = newFolder();
  const lock = take(folder, "worker", "exclusive");
  expect(take(folder, "worker", "exclusive")).toBeNull();
  expect(take(folder, "worker", "shared")).toBeNull();
  expect(take(folder, "server", "exclusive")).not.toBeNull();
  lock?.release();
  lock?.release();
  expect(take(folder, "worker", "exclusive")).not.toBeNull();
});

it("the lock on a data directory is separate for each directory", () => {
  expect(take(newFolder(), "worker", "exclusive")).not.toBeNull();
  expect(take(newFolder(), "worker", "exclusive")).not.toBeNull();
});

it.each(["shared", "exclusive"] as const)("a lock held %s by another process is released when that is killed", async (mode) => {
  const folder = newFolder();
  const holder = startProcess(import.meta.resolve("../processes/hold-lock.ts"), folder, "server", mode);
  await untilLines(holder, 1);
  expect(holder.lines).toEqual(["held"]);
  expect(take(folder, "server", "exclusive")).toBeNull();
  holder.process.kill("SIGKILL");
  await holder.ended;
  expect(take(folder, "server", "exclusive")).not.toBeNull();
});

it("a restore is rejected while a server runs, and changes nothing", async () => {
  const { dataDir, source } = await dataDirWithBackup();
  const holder = startProcess(import.meta.resolve("../processes/hold-lock.ts"), dataDir, "server", "shared");
  await untilLines(holder, 1);
  const before = readFileSync(databaseFile(dataDir));
  await expect(restore(dataDir, databaseFile(dataDir), source)).rejects.toThrow(/running on this data directory\. Stop it first/);
  expect(readFileSync(databaseFile(dataDir)).equals(before)).toBe(true);
  expect(readdirSync(dataDir).filter((name) => /incoming|before-restore/.test(name))).toEqual([]);
  holder.process.kill("SIGKILL");
  await holder.ended;
  await restore(dataDir, databaseFile(dataDir), source);
  const store = openStore(databaseFile(dataDir));
  expect((await store.boards.businesses()).map(({ name }) => name)).toEqual(["Before"]);
  await store.close();
});

it("a restore that fails releases the lock, so that a server can start", async () => {
  const { dataDir } = await dataDirWithBackup();
  const broken = join(newFolder(), "broken.sqlite");
  writeFileSync(broken, "This is no database, however long this line may be, and it may be very long.".repeat(50));
  await expect(restore(dataDir, databaseFile(dataDir), broken)).rejects.toThrow(/can't be restored: /);
  await expect(restore(dataDir, databaseFile(dataDir), join(dataDir, "none.sqlite"))).rejects.toThrow(/There is no backup/);
  expect(existsSync(`${databaseFile(dataDir)}.before-restore`)).toBe(false);
  expect(take(dataDir, "server", "shared")).not.toBeNull();
});
