import Database from "better-sqlite3";
import { lstatSync, statSync } from "node:fs";
import { getErrorCode } from "#domain/core/errors/error.ts";

/** How long to wait for a lock of another process, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

type Found = { readonly version: number; readonly hasTables: number; readonly isTessera: number };

/**
 * Returns the schema version of the database in `file`, or null if there is no database yet. Changes nothing. Throws when the file belongs
 * to another program, so that no tables are added to it.
 */
export function inspectDatabase(file: string): number | null {
  if (!exists(file)) return null;
  const db = new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    // One statement, so that the migration of another process is seen completely or not at all.
    const found = db
      .prepare<[], Found>(
        `SELECT (SELECT user_version FROM pragma_user_version) AS version, EXISTS (SELECT 1 FROM sqlite_schema) AS hasTables,
           EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'business') AS isTessera`,
      )
      .get();
    if (found === undefined || (found.version === 0 && found.hasTables === 0)) return null;
    if (found.version === 0 || found.isTessera === 0)
      throw new Error(`${file} is the database of another program: set DATA_DIR to another folder.`);
    return found.version;
  } finally {
    db.close();
  }
}

/** Throws when the folder of the file is a file itself, or may not be read, and when the file is a link to nothing. */
function exists(file: string): boolean {
  try {
    return statSync(file) !== undefined;
  } catch (error) {
    // Another process may have created the file meanwhile.
    if (getErrorCode(error) === "ENOENT" && lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false;
    throw error;
  }
}
