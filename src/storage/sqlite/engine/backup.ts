import Database from "better-sqlite3";
import { chmodSync, closeSync, copyFileSync, existsSync, linkSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { newEpoch } from "../../shared/epoch.ts";
import { takeLock } from "./lock.ts";

/** Writes one snapshot of the database at `file` to `target`, on disk and whole or not at all; writers can go on meanwhile. */
export function writeCopy(file: string, target: string): void {
  const partial = `${target}.partial`;
  const db = new Database(file, { readonly: true, timeout: 10_000 });
  try {
    // Made empty first, so that nobody else can read what is in it, not even while it grows.
    closeSync(openSync(partial, "w", 0o600));
    chmodSync(partial, 0o600);
    db.prepare("VACUUM INTO ?").run(partial);
    flushFile(partial);
    renameSync(partial, target);
  } finally {
    db.close();
    rmSync(partial, { force: true });
  }
}

/** VACUUM INTO leaves its result to the operating system; a copy counts only once it is on disk. */
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

/** Puts a backup in the place of the database; the database that was there is kept beside it. Refused while a server runs. */
export function restore(dataDir: string, file: string, source: string): { readonly kept: string | null } {
  if (!existsSync(source)) throw new Error(`There is no backup at ${source}.`);
  checkBackup(source);
  const lock = takeLock(dataDir, "server", "alone");
  if (lock === null) throw new Error("A Tessera server is running on this data directory. Stop it first, then restore.");
  try {
    const incoming = `${file}.incoming`;
    copyFileSync(source, incoming);
    chmodSync(incoming, 0o600);
    renewEpoch(incoming);
    flushFile(incoming);
    const kept = existsSync(file) ? keepAside(file) : null;
    for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
    renameSync(incoming, file);
    return { kept };
  } finally {
    lock.release();
  }
}

/** Its revisions go on from earlier numbers, so what was read with the same numbers before must not be taken for it. */
function renewEpoch(file: string): void {
  const db = new Database(file);
  try {
    // One of an earlier version gets its first epoch by the next start.
    const known = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'epoch'").get();
    if (known !== undefined) db.prepare("UPDATE epoch SET value = ?").run(newEpoch());
    db.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}

/** Gives the database a free name beside it as well, never over one kept earlier; one that is broken is kept as it is, its log with it. */
function keepAside(file: string): string {
  let kept = `${file}.before-restore`;
  for (let n = 2; existsSync(kept); n++) kept = `${file}.before-restore-${n}`;
  foldWal(file);
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${kept}-wal`);
  // A second name, so that the first is never without a database: a start in between would make an empty one.
  linkSync(file, kept);
  return kept;
}

/** Moves what stands only in the write-ahead log into the file itself, so that the kept file is whole. */
function foldWal(file: string): void {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: 1_000 });
    db.pragma("wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // A database too broken to be read is the very reason to restore; whoever holds it open is not.
    if (!(error instanceof Error && "code" in error && /^SQLITE_(NOTADB|CORRUPT)/.test(String(error.code)))) throw error;
  } finally {
    db?.close();
  }
}

function checkBackup(source: string): void {
  let verdict: unknown;
  try {
    const db = new Database(source, { readonly: true });
    verdict = db.pragma("integrity_check", { simple: true });
    const known = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'tile'").get();
    db.close();
    if (known === undefined) verdict = "it holds no tiles table";
  } catch (error) {
    verdict = error instanceof Error ? error.message : String(error);
  }
  if (verdict !== "ok") throw new Error(`${source} is not a whole Tessera backup: ${String(verdict)}.`);
}
