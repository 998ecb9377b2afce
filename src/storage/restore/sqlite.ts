import Database from "better-sqlite3";
import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { getErrorCode, getErrorMessage } from "#domain/core/errors/error.ts";
import { newEpoch } from "../shared/epoch.ts";
import { flushFile, writeCopy } from "../sqlite/engine/backup.ts";
import { takeLock } from "../sqlite/engine/lock.ts";
import type { AccountRow } from "./accounts.ts";
import { checkBackup } from "./check-backup.ts";
import { type AccountOptions, type AccountReport, type Executor, type Replaced, readReplaced, reconcile } from "./reconcile.ts";

export type SqliteRestore = {
  /** Where the previous database is; null if there was none. */
  readonly kept: string | null;
  readonly accounts: AccountReport;
};

/**
 * Replaces the database with a backup, and keeps the previous database beside it. What was revoked or changed in it since the backup
 * stays so, and all sessions end, unless the options say otherwise. Throws while a server runs, and for a file that could not start.
 */
export async function restore(dataDir: string, file: string, source: string, options: AccountOptions): Promise<SqliteRestore> {
  if (!existsSync(source)) throw new Error(`There is no backup at ${source}.`);
  checkBackup(source);
  const lock = takeLock(dataDir, "server", "exclusive");
  if (lock === null) throw new Error("A Tessera server is running on this data directory. Stop it first, then restore.");
  const incoming = `${file}.incoming`;
  try {
    // Includes the write-ahead log of the source, which a copy of the file would lose.
    writeCopy(source, incoming);
    const accounts = await reconcileFile(incoming, file, options);
    flushFile(incoming);
    const kept = existsSync(file) ? keepPrevious(file) : null;
    for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
    renameSync(incoming, file);
    return { kept, accounts };
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(incoming + suffix, { force: true });
    lock.release();
  }
}

/** Prepares the copy of the backup to take the place of the database in `file`. */
async function reconcileFile(incoming: string, file: string, options: AccountOptions): Promise<AccountReport> {
  const current = openCurrent(file);
  try {
    const db = new Database(incoming);
    try {
      const replaced = current === null || typeof current === "string" ? current : await readCurrent(current);
      db.exec("BEGIN IMMEDIATE");
      const report = await reconcile(executorOn(db), replaced, options);
      renewEpoch(db);
      db.exec("COMMIT");
      db.pragma("wal_checkpoint(TRUNCATE)");
      return report;
    } finally {
      db.close();
    }
  } finally {
    if (current !== null && typeof current !== "string") current.close();
  }
}

/** Opens the database that is replaced. Returns the reason if it can't be opened, and null if there is none. */
function openCurrent(file: string): Database.Database | string | null {
  if (!existsSync(file)) return null;
  try {
    return new Database(file, { readonly: true, timeout: 1_000 });
  } catch (error) {
    return getErrorMessage(error);
  }
}

async function readCurrent(db: Database.Database): Promise<Replaced | string> {
  try {
    const replaced = await readReplaced(executorOn(db));
    // Reads the log too, so that a damaged one is found here.
    await replaced.knows([""]);
    return replaced;
  } catch (error) {
    if (error instanceof Database.SqliteError) return error.message;
    throw error;
  }
}

const executorOn = (db: Database.Database): Executor => ({
  async query(sql, params = {}) {
    const statement = db.prepare<object, AccountRow>(sql);
    if (statement.reader) return statement.all(params);
    statement.run(params);
    return [];
  },
  columns: async (table) => db.prepare<object, string>("SELECT name FROM pragma_table_info(@table)").pluck().all({ table }),
});

/** Changes the epoch, since the revisions of a restored database repeat earlier numbers with other content. */
function renewEpoch(db: Database.Database): void {
  // A database of an old version has no epoch yet. The migration at the next start creates one.
  const hasEpoch = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'epoch'").get();
  if (hasEpoch !== undefined) db.prepare("UPDATE epoch SET value = @epoch").run({ epoch: newEpoch() });
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
