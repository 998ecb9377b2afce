import Database from "better-sqlite3";
import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isIncremental, setIncremental } from "./free-pages.ts";

/** Space that a rewrite needs, as a multiple of the file: the new content in a temporary file and in the write-ahead log. */
const NEEDED_SPACE = 2;

/** Whether the free pages of the file can be released while a server runs. Changes nothing. */
export function canShrink(file: string): boolean {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return isIncremental(db);
  } finally {
    db.close();
  }
}

/**
 * Rewrites the whole file without free pages, and makes it incremental. It is one transaction, which a crash rolls back. Call it with the
 * data directory locked. Returns the sizes in bytes. Throws one sentence when the disk has too little space.
 */
export function rewriteDatabase(file: string): { readonly before: number; readonly after: number } {
  const before = statSync(file).size;
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize < before * NEEDED_SPACE) {
    throw new Error(
      `The disk of ${file} needs ${before * NEEDED_SPACE} bytes of free space to rewrite the database: free some, and try again.`,
    );
  }
  const db = new Database(file, { fileMustExist: true, timeout: 1_000 });
  try {
    // The temporary copy must not be held in memory.
    db.pragma("temp_store = FILE");
    setIncremental(db);
    db.exec("VACUUM");
    db.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
  return { before, after: statSync(file).size };
}
