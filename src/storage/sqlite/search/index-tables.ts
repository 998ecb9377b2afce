import { getErrorCode } from "#domain/core/error.ts";
import type { Connection } from "../engine/database.ts";

/** The tables of the search index. Everything in them is derived from the tiles. */
export const INDEX_TABLES = ["chunk", "passage_block", "posting_block", "posting"] as const;

const NAMES_INDEX_TABLE = new RegExp(`\\b(?:${INDEX_TABLES.join("|")})\\b`);
/** Causes of an error that are looked at. */
const MAX_CAUSES = 4;

export const readsIndex = (sql: string): boolean => NAMES_INDEX_TABLE.test(sql);

/** Whether the error, or one of its causes, is a damaged page. */
export function isCorruption(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    if (getErrorCode(cause).startsWith("SQLITE_CORRUPT")) return true;
    cause = cause.cause;
  }
  return false;
}

type SchemaRow = { readonly type: string; readonly sql: string | null };

/**
 * Replaces the tables of the index by empty ones, and begins the rebuild of all boards. Call it in a unit of work. Tables whose pages are
 * damaged can't be dropped, so they are removed from the schema alone: their pages are lost until the file is rewritten.
 */
export function replaceIndex(db: Connection, damaged: readonly string[], now: number): void {
  const names = INDEX_TABLES.map((name) => `'${name}'`).join(", ");
  const schema = db.all<SchemaRow>(`SELECT type, sql FROM sqlite_schema WHERE tbl_name IN (${names}) ORDER BY type DESC, name`);
  const undroppable = INDEX_TABLES.filter((table) => damaged.includes(table) || !drop(db, table));
  if (undroppable.length > 0) forget(db, undroppable);
  for (const { sql } of schema) if (sql !== null) db.raw.exec(sql);
  db.raw.exec(`
    UPDATE board SET next_document = 0, documents = 0, total_length = 0;
    INSERT INTO index_rebuild (business_id, board_id, after_sequence, until_sequence, first_document)
      SELECT business_id, id, -1, next_sequence, 0 FROM board WHERE TRUE
      ON CONFLICT (business_id, board_id) DO UPDATE SET after_sequence = -1, until_sequence = excluded.until_sequence, first_document = 0;`);
  db.run(
    `INSERT INTO index_repair (one, repaired_at, has_lost_pages) VALUES (1, ?, ?)
     ON CONFLICT (one) DO UPDATE SET repaired_at = excluded.repaired_at, has_lost_pages = max(has_lost_pages, excluded.has_lost_pages)`,
    now,
    undroppable.length > 0 ? 1 : 0,
  );
}

/** Returns false if the table can't be dropped because of a damaged page. */
function drop(db: Connection, table: string): boolean {
  try {
    db.raw.exec(`DROP TABLE ${table}`);
    return true;
  } catch (error) {
    if (!isCorruption(error)) throw error;
    return false;
  }
}

function forget(db: Connection, tables: readonly string[]): void {
  db.raw.unsafeMode(true);
  try {
    const names = tables.map((name) => `'${name}'`).join(", ");
    db.raw.exec(`PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE tbl_name IN (${names}); PRAGMA writable_schema = RESET;`);
  } finally {
    db.raw.unsafeMode(false);
  }
}
