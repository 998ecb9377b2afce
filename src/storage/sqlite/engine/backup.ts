import Database from "better-sqlite3";
import { closeSync, existsSync, linkSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { getErrorCode, getErrorMessage } from "#domain/core/error.ts";
import { createPartial } from "#runtime/files/partial.ts";
import { newEpoch } from "../../shared/epoch.ts";
import { setIncremental } from "../opening/free-pages.ts";
import { takeLock } from "./lock.ts";

/** Writes a snapshot of the database at `file` to `target`, atomically and flushed to disk. Writers are not blocked. */
export function writeCopy(file: string, target: string): void {
  const db = new Database(file, { readonly: true, timeout: 10_000 });
  let partial = "";
  try {
    partial = createPartial(target);
    // The copy is incremental even if the database is not.
    setIncremental(db);
    db.prepare("VACUUM INTO ?").run(partial);
    flushFile(partial);
    renameSync(partial, target);
  } finally {
    db.close();
    if (partial !== "") rmSync(partial, { force: true });
  }
}

/** VACUUM INTO does not flush its result to disk. */
function flushFile(file: string): void {
  const descriptor = openSync(file, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a consistent copy of the database at `file` to `target` while others read and write it. */
export async function backup(file: string, target: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`There is no database at ${file} yet.`);
  if (existsSync(target)) throw new Error(`${target} exists already. Choose another name, or remove it first.`);
  writeCopy(file, target);
}

/** Replaces the database with a backup, and keeps the previous database beside it. Throws while a server runs. */
export function restore(dataDir: string, file: string, source: string): { readonly kept: string | null } {
  if (!existsSync(source)) throw new Error(`There is no backup at ${source}.`);
  checkBackup(source);
  const lock = takeLock(dataDir, "server", "exclusive");
  if (lock === null) throw new Error("A Tessera server is running on this data directory. Stop it first, then restore.");
  try {
    const incoming = `${file}.incoming`;
    // Includes the write-ahead log of the source, which a copy of the file would lose.
    writeCopy(source, incoming);
    renewEpoch(incoming);
    flushFile(incoming);
    const kept = existsSync(file) ? keepPrevious(file) : null;
    for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
    renameSync(incoming, file);
    return { kept };
  } finally {
    lock.release();
  }
}

/** Changes the epoch, since the revisions of a restored database repeat earlier numbers with other content. */
function renewEpoch(file: string): void {
  const db = new Database(file);
  try {
    // A database of an old version has no epoch yet. The migration at the next start creates one.
    const hasEpoch = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'epoch'").get();
    if (hasEpoch !== undefined) db.prepare("UPDATE epoch SET value = ?").run(newEpoch());
    db.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}

/** Keeps the database under a free name beside it. A corrupt database is kept as it is, with its write-ahead log. */
function keepPrevious(file: string): string {
  let kept = `${file}.before-restore`;
  for (let n = 2; existsSync(kept); n++) kept = `${file}.before-restore-${n}`;
  checkpointLog(file);
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${kept}-wal`);
  // A link keeps the original name in use. Otherwise a server that starts now would create an empty database.
  linkSync(file, kept);
  return kept;
}

/** Moves the write-ahead log into the database file, so that the kept file is complete. */
function checkpointLog(file: string): void {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: 1_000 });
    db.pragma("wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // A corrupt database is a reason to restore. Any other error, such as another process that uses the file, is not.
    if (!/^SQLITE_(NOTADB|CORRUPT)/.test(getErrorCode(error))) throw error;
  } finally {
    db?.close();
  }
}

function checkBackup(source: string): void {
  let problem: unknown;
  try {
    const db = new Database(source, { readonly: true });
    problem = db.pragma("integrity_check", { simple: true });
    const hasTiles = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'tile'").get();
    db.close();
    if (hasTiles === undefined) problem = "it holds no tiles table";
  } catch (error) {
    problem = getErrorMessage(error);
  }
  if (problem !== "ok") throw new Error(`${source} is not a whole Tessera backup: ${String(problem)}.`);
}
