import Database from "better-sqlite3";
import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { takeLock } from "./lock.ts";

/** Writes a consistent copy of the database at `file` to `target` while others read and write it; pages are copied in steps. */
export async function backup(file: string, target: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`There is no database at ${file} yet.`);
  if (existsSync(target)) throw new Error(`${target} exists already. Choose another name, or remove it first.`);
  const db = new Database(file, { readonly: true, timeout: 10_000 });
  const partial = `${target}.partial`;
  try {
    rmSync(partial, { force: true });
    // One transaction of VACUUM INTO reads one snapshot, so writers can go on without the copy starting over.
    db.prepare("VACUUM INTO ?").run(partial);
    chmodSync(partial, 0o600);
    renameSync(partial, target);
  } finally {
    db.close();
    rmSync(partial, { force: true });
  }
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
    const kept = existsSync(file) ? `${file}.before-restore` : null;
    if (kept !== null) {
      foldWal(file);
      renameSync(file, kept);
    }
    for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
    renameSync(incoming, file);
    return { kept };
  } finally {
    lock.release();
  }
}

/** Moves what stands only in the write-ahead log into the file itself, so that the kept file is whole. */
function foldWal(file: string): void {
  const db = new Database(file, { timeout: 1_000 });
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
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
