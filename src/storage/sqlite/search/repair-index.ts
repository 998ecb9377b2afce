import type Database from "better-sqlite3";
import { setIncremental } from "../opening/free-pages.ts";
import { INDEX_TABLES } from "./index-tables.ts";

/** The newest tiles, which are marked as not indexed at once, so that searches find them soon. The others are marked in steps. */
const MARKED_AT_ONCE = 2_000;

const NAMES = INDEX_TABLES.map((name) => `'${name}'`).join(", ");

/** Returns the tables of the index that are missing, or whose pages, or those of their indexes, are damaged. Reads all of them. */
export const findDamagedTables = (db: Database.Database): string[] =>
  INDEX_TABLES.filter((table) => {
    // An unfinished repair has removed it.
    if (!hasTable(db, table)) return true;
    try {
      return db.pragma(`quick_check(${table})`, { simple: true }) !== "ok";
    } catch {
      return true;
    }
  });

/**
 * Replaces the index by an empty one, and begins the rebuild of all boards. A table with damaged pages can't be dropped or emptied, so it is
 * removed from the schema alone, and the file is rewritten without its pages. Nothing else may write meanwhile. If the process ends
 * before, the next opening of the store continues. After a failure, a second call continues too: it keeps the schema
 * that the first one has stored.
 */
export function replaceIndex(db: Database.Database, damaged: readonly string[], now: number): void {
  db.transaction(() => {
    const schema = db.prepare(`SELECT sql FROM sqlite_schema WHERE tbl_name IN (${NAMES}) AND sql IS NOT NULL ORDER BY type DESC, name`);
    db.prepare(
      `INSERT INTO index_repair (one, repaired_at, unfinished) VALUES (1, @now, @schema)
       ON CONFLICT (one) DO UPDATE SET repaired_at = excluded.repaired_at, unfinished = coalesce(unfinished, excluded.unfinished)`,
    ).run({ now, schema: JSON.stringify(schema.pluck().all()) });
    removeFromSchema(db, damaged);
  }).immediate();
  createTables(db, () => beginRebuild(db));
}

/** The value of `index_repair.unfinished` once the tables of the index are created again. Before, it has the statements that create them. */
const CREATED = "[]";

function readUnfinished(db: Database.Database): string | undefined {
  if (!hasTable(db, "index_repair")) return undefined;
  return db.prepare<[], string>("SELECT unfinished FROM index_repair WHERE unfinished IS NOT NULL").pluck().get();
}

/** Creates the tables of the index again, if a repair has begun, and calls `finish` in the same transaction. */
function createTables(db: Database.Database, finish: () => void): void {
  if ((readUnfinished(db) ?? CREATED) === CREATED) return;
  setIncremental(db);
  rewriteFile(db);
  db.transaction(() => {
    const schema = readUnfinished(db) ?? CREATED;
    // Another process may have created them during the wait for the lock.
    if (schema === CREATED) return;
    for (const table of INDEX_TABLES) if (hasTable(db, table)) db.exec(`DROP TABLE ${table}`);
    for (const sql of JSON.parse(schema) as string[]) db.exec(sql);
    finish();
  }).immediate();
}

/**
 * Creates the tables of the index again, if a repair was interrupted, in the version of the process that began it. The database is then
 * upgraded, and `finishRepair` called before it is used.
 */
export const restoreTables = (db: Database.Database): void =>
  createTables(db, () => db.prepare("UPDATE index_repair SET unfinished = @created").run({ created: CREATED }));

/** Ends an interrupted repair in an upgraded database. Does nothing otherwise. */
export function finishRepair(db: Database.Database): void {
  if (readUnfinished(db) === undefined) return;
  db.transaction(() => {
    if (readUnfinished(db) !== undefined) beginRebuild(db);
  }).immediate();
}

/** Begins the rebuild of all boards, whose index is empty, and ends the repair. */
function beginRebuild(db: Database.Database): void {
  db.exec(`
    DELETE FROM board_index;
    INSERT INTO board_index (business_id, board_number) SELECT business_id, number FROM board;
    INSERT INTO index_rebuild (business_id, board_id, before_sequence, first_document)
      SELECT business_id, id, next_sequence, 0 FROM board WHERE TRUE
      ON CONFLICT (business_id, board_id) DO UPDATE SET before_sequence = excluded.before_sequence, first_document = 0;
    UPDATE tile SET is_indexed = FALSE, is_embedded = FALSE WHERE rowid IN (
      SELECT rowid FROM tile WHERE status = 'ready' AND deleted_at IS NULL ORDER BY rowid DESC LIMIT ${MARKED_AT_ONCE});
    UPDATE index_repair SET unfinished = NULL;`);
}

function rewriteFile(db: Database.Database): void {
  const before = db.pragma("temp_store", { simple: true }) as number;
  // The temporary copy must not be held in memory. The sorting of later statements may be.
  db.pragma("temp_store = FILE");
  try {
    db.exec("VACUUM");
  } finally {
    db.pragma(`temp_store = ${before}`);
  }
}

const hasTable = (db: Database.Database, table: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = @table").get({ table }) !== undefined;

function removeFromSchema(db: Database.Database, tables: readonly string[]): void {
  db.unsafeMode(true);
  try {
    const names = tables.map((name) => `'${name}'`).join(", ");
    db.exec(`PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE tbl_name IN (${names}); PRAGMA writable_schema = RESET;`);
  } finally {
    db.unsafeMode(false);
  }
}
