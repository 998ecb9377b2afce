import type Database from "better-sqlite3";
import { waitAtMost } from "#runtime/wait.ts";

/** The value of `PRAGMA auto_vacuum` of a database whose free pages can be released in steps. */
const INCREMENTAL = 2;
/** Pages that one unit of work moves or releases, about 1 ms. */
const STEP_PAGES = 32;
/** Time for other writers between two steps. */
const PAUSE_MS = 20;
/** Free pages that are kept for new content (1 MB). */
const KEPT_PAGES = 256;
/**
 * At this length (32 MB) of the write-ahead log, releasing pages ends until the next time: another connection reads an old snapshot, such as
 * a backup, so that the log can't be reset.
 */
const MAX_LOG_PAGES = 8_000;

/** What releasing pages uses of a connection. */
type PageFile = {
  readonly raw: Database.Database;
  write<T>(work: () => T): Promise<T>;
  logPages(): number;
  checkpoint(): Promise<void>;
};

const readNumber = (db: Database.Database, pragma: string): number => db.pragma(pragma, { simple: true }) as number;

/** Makes a new database incremental. Call it before the first page is written; an existing database changes with its next VACUUM. */
export function setIncremental(db: Database.Database): void {
  // SQLite would write the setting again, which needs the lock of writers.
  if (!isIncremental(db)) db.pragma("auto_vacuum = INCREMENTAL");
}

/** Whether free pages can be released in steps. */
export const isIncremental = (db: Database.Database): boolean => readNumber(db, "auto_vacuum") === INCREMENTAL;

/**
 * Returns the pages of deleted rows to the file system, in small units of work between those of others, and shortens the file. Does nothing
 * with a file that has to be rewritten first, such as one of a version before 0.2. Returns the number of released bytes.
 */
export async function releaseFreePages(db: PageFile, signal?: AbortSignal, maxLogPages = MAX_LOG_PAGES): Promise<number> {
  const { raw } = db;
  if (raw.memory || !isIncremental(raw)) return 0;
  const before = readNumber(raw, "page_count");
  while (signal?.aborted !== true && readNumber(raw, "freelist_count") > KEPT_PAGES && db.logPages() < maxLogPages) {
    // `exec` runs the statement to its end; other calls would release one page.
    await db.write(() => void raw.exec(`PRAGMA incremental_vacuum(${STEP_PAGES})`));
    await waitAtMost(PAUSE_MS, undefined, signal);
  }
  const released = before - readNumber(raw, "page_count");
  if (released <= 0) return 0;
  // The file is cut when the log is moved into it.
  await db.checkpoint();
  return released * readNumber(raw, "page_size");
}
