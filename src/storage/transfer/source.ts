import Database from "better-sqlite3";
import { existsSync, statSync } from "node:fs";
import { getErrorMessage } from "#domain/core/errors/error.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import { readMigrations } from "../sqlite/engine/migrate.ts";
import { type PortableRow, type Sums, ChecksumCollector, toRow } from "./rows.ts";
import type { Table } from "./table.ts";
import { TABLES } from "./tables.ts";

/** A read-only snapshot of a SQLite file at the time it was opened. */
export type SnapshotSource = {
  /** Returns the rows of a table in key order, after the row `after` if given. */
  rows(table: Table, after: PortableRow | null): Generator<PortableRow>;
  /** Counts and hashes every row. */
  sums(onProgress: (table: string, rows: number) => void): Sums;
  close(): void;
};

/** Rows between two progress reports. */
const PROGRESS_ROWS = 5_000;

function buildSelect({ name: tableName, columns, key, onSqlite }: Table, isAfter: boolean): string {
  const expression = (name: string): string => onSqlite[name] ?? `"${name}"`;
  const keys = key.map(expression).join(", ");
  const after = `(${keys}) > (${key.map((name) => `@${name}`).join(", ")})`;
  const names = Object.keys(columns).map((name) => `${expression(name)} AS "${name}"`);
  return `SELECT ${names.join(", ")} FROM ${tableName}${isAfter ? ` WHERE ${after}` : ""} ORDER BY ${keys}`;
}

/**
 * Opens a snapshot of the SQLite database in `file`. Throws when the file does not exist or has another schema version.
 */
export function openSource(file: string): SnapshotSource {
  if (!existsSync(file)) throw new Error(`There is no database at ${file}.`);
  if (statSync(file).isDirectory()) throw new Error(`${file} is a folder. Name the file in it: sqlite:${file}/tessera.sqlite.`);
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, timeout: 10_000 });
    // The first read inside the transaction fixes the snapshot.
    db.exec("BEGIN");
    checkVersion(db, file);
    return sourceOn(db);
  } catch (error) {
    db?.close();
    if (error instanceof Database.SqliteError)
      throw new Error(`${file} can't be read as a database: ${getErrorMessage(error)}.`, { cause: error });
    throw error;
  }
}

function checkVersion(db: Database.Database, file: string): void {
  const known = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'tile'").get();
  if (known === undefined) throw new Error(`${file} is not a Tessera database.`);
  const version = db.pragma("user_version", { simple: true }) as number;
  const newest = readMigrations().at(-1)?.number ?? 0;
  if (version < newest)
    throw new Error(
      `The database in ${file} is of version ${version}, and this Tessera moves version ${newest}. Bring it up to date first: "${formatCommand("migrate")}" with DATA_DIR set to its folder.`,
    );
  if (version > newest)
    throw new Error(
      `The database in ${file} is of version ${version}, newer than this Tessera knows (${newest}). Install the newer Tessera.`,
    );
}

function sourceOn(db: Database.Database): SnapshotSource {
  function* rows(table: Table, after: PortableRow | null): Generator<PortableRow> {
    const select = db.prepare<[PortableRow], Record<string, unknown>>(buildSelect(table, after !== null));
    for (const raw of select.iterate(after ?? {})) yield toRow(table, raw);
  }
  return {
    rows,
    sums(onProgress) {
      const sums = TABLES.map((table) => {
        const summer = new ChecksumCollector();
        for (const row of rows(table, null)) {
          summer.add(JSON.stringify(row));
          if (summer.rows % PROGRESS_ROWS === 0) onProgress(table.name, summer.rows);
        }
        return [table.name, summer.sum()] as const;
      });
      return Object.fromEntries(sums);
    },
    close: () => db.close(),
  };
}
