import Database from "better-sqlite3";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Held while a process uses a data directory; the operating system lets go of it when the process ends, however it ends. */
export type Lock = { release(): void };

/**
 * Takes `name`.lock in `dataDir` for this process, shared with others or alone. The lock is SQLite's own lock on an
 * otherwise empty file. Answers null when somebody else's lock stands in the way.
 */
export function takeLock(dataDir: string, name: "server" | "worker", mode: "shared" | "alone"): Lock | null {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const db = new Database(join(dataDir, `${name}.lock`), { timeout: 0 });
  try {
    db.pragma("journal_mode = DELETE");
    db.exec(mode === "alone" ? "BEGIN EXCLUSIVE" : "BEGIN");
    // Reading inside the open transaction is what takes the shared lock.
    if (mode === "shared") db.prepare("SELECT count(*) FROM sqlite_schema").get();
  } catch (error) {
    db.close();
    if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY")) return null;
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
