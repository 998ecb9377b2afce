import Database from "better-sqlite3";
import { closeSync, openSync, readSync } from "node:fs";
import { getErrorCode, getErrorMessage } from "#domain/core/errors/error.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import { readMigrations } from "../sqlite/engine/migrate.ts";

/** The first bytes of a file that gzip wrote, such as a backup of PostgreSQL. */
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Throws one sentence when a server could not start on a copy of the backup. Changes nothing. */
export function checkBackup(source: string): void {
  const problem = diagnoseFailure(source);
  if (problem !== null) throw new Error(`${source} can't be restored: ${problem}.`);
}

function diagnoseFailure(source: string): string | null {
  let db: Database.Database | undefined;
  try {
    if (isGzip(source)) return "it is a backup of a PostgreSQL database. Set DATABASE_URL to an empty database";
    db = new Database(source, { readonly: true, fileMustExist: true });
    return describeVersion(db) ?? findMissingTable(db) ?? findDamage(db);
  } catch (error) {
    return describeUnreadable(source, getErrorCode(error)) ?? getErrorMessage(error);
  } finally {
    db?.close();
  }
}

const DAMAGED = "it is damaged, so take another backup";

function describeUnreadable(source: string, code: string): string | null {
  if (code.startsWith("SQLITE_CORRUPT")) return DAMAGED;
  if (code !== "SQLITE_NOTADB") return null;
  if (isExport(source)) return `it is an export of a board. Create the board with "${formatCommand(`import NAME ${source}`)}"`;
  return "it is not a Tessera database, or its start is damaged";
}

/** Exports have one JSON object in each line. */
const isExport = (source: string): boolean => readStart(source, 1).toString() === "{";

function isGzip(source: string): boolean {
  return readStart(source, GZIP.length).equals(GZIP);
}

function readStart(source: string, bytes: number): Buffer {
  const start = Buffer.alloc(bytes);
  const descriptor = openSync(source, "r");
  try {
    readSync(descriptor, start);
  } finally {
    closeSync(descriptor);
  }
  return start;
}

const readVersion = (db: Database.Database): number => db.pragma("user_version", { simple: true }) as number;

function describeVersion(db: Database.Database): string | null {
  const version = readVersion(db);
  const newest = readMigrations().at(-1)?.number ?? 0;
  if (version > newest) return `it is of version ${version}, newer than this Tessera knows (${newest}). Install the newer Tessera`;
  return version < 1 ? "it is not a Tessera database" : null;
}

const listColumns = (db: Database.Database): string[] =>
  db
    .prepare<[], string>(
      "SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY 1",
    )
    .pluck()
    .all();

/** Compares the tables with those that the migrations up to the version of the file create. */
function findMissingTable(db: Database.Database): string | null {
  const complete = new Database(":memory:");
  try {
    for (const { number, sql } of readMigrations()) if (number <= readVersion(db)) complete.exec(sql);
    const found = new Set(listColumns(db));
    const missing = listColumns(complete).find((column) => !found.has(column));
    if (missing === undefined) return null;
    const [table = "", column] = missing.split(".");
    const hasTable = [...found].some((name) => name.startsWith(`${table}.`));
    return hasTable ? `its table "${table}" has no column "${column}"` : `its table "${table}" is missing`;
  } finally {
    complete.close();
  }
}

function findDamage(db: Database.Database): string | null {
  const integrity: unknown = db.pragma("integrity_check(1)", { simple: true });
  if (integrity !== "ok") return `${DAMAGED}: ${String(integrity).replaceAll(/\s+/g, " ")}`;
  const [orphan] = db.pragma("foreign_key_check") as { readonly table: string; readonly parent: string }[];
  return orphan === undefined ? null : `a row of its table "${orphan.table}" belongs to a missing row of "${orphan.parent}"`;
}
