import Database from "better-sqlite3";
import { join } from "node:path";
import { getErrorCode } from "#domain/core/errors/error.ts";
import { makeFolder } from "#runtime/files/make-folder.ts";

/** A lock on a data directory. The operating system releases it when the process ends in any way. */
export type Lock = { release(): void };

/**
 * Locks the file `name`.lock in `dataDir`, shared or exclusively, with the locking of SQLite. Returns null if another process holds a
 * conflicting lock.
 */
export function takeLock(dataDir: string, name: "server" | "worker" | "indexer", mode: "shared" | "exclusive"): Lock | null {
  makeFolder(dataDir);
  const db = new Database(join(dataDir, `${name}.lock`), { timeout: 0 });
  try {
    // Nothing is ever written, but a journal in a file would need room when the lock is taken, and the server starts on a full disk too.
    db.pragma("journal_mode = MEMORY");
    db.exec(mode === "exclusive" ? "BEGIN EXCLUSIVE" : "BEGIN");
    // The first read of the transaction takes the shared lock.
    if (mode === "shared") db.prepare("SELECT count(*) FROM sqlite_schema").get();
  } catch (error) {
    db.close();
    if (getErrorCode(error).startsWith("SQLITE_BUSY")) return null;
    throw error;
  }
  return {
    release(): void {
      if (!db.open) return;
      if (db.inTransaction) db.exec("ROLLBACK");
      db.close();
    },
  };
}
