import { hash } from "node:crypto";
import type { Database } from "../postgres/engine/database.ts";
import type { Transaction } from "../postgres/engine/transaction.ts";
import { type PortableRow, type Sums, batchRows, isSame } from "./rows.ts";
import { type SnapshotSource, openSource } from "./source.ts";
import type { Table } from "./table.ts";
import { TABLES } from "./tables.ts";
import { beginSnapshot, clearUnused, hasTable, insertRows, finishTable, computeSums, withTarget } from "./target.ts";

/** Progress of one step and table. `total` is null while the source is being counted. */
export type MigrationProgress = {
  readonly step: "counting" | "copying" | "verifying";
  readonly table: string;
  readonly rows: number;
  readonly total: number | null;
};

export type MigrationResult = {
  /** Counts and hashes of both databases, by table. */
  readonly tables: Sums;
  /** Rows copied by this run. Previous runs copied the others. */
  readonly copied: number;
};

export type MoveOptions = {
  /** The SQLite file, opened read-only. */
  readonly file: string;
  /** `postgres://…` */
  readonly url: string;
  readonly onProgress: (progress: MigrationProgress) => void;
};

/** Progress of a table in the target: it contains `rows` rows of the source, up to the key in `last`. */
type State = { readonly rows: number; readonly last: PortableRow | null; readonly isDone: boolean };

/**
 * Copies a snapshot of a SQLite file to an empty PostgreSQL database, and compares both. After an interruption, calling it again
 * resumes the copy. Throws when the target contains other content, or when the copy differs.
 */
export async function moveToPostgres({ file, url, onProgress }: MoveOptions): Promise<MigrationResult> {
  const source = openSource(file);
  try {
    return await withTarget(url, async (target) => {
      const isBegun = await hasTable(target, "transfer");
      if (!isBegun) await target.write(clearUnused);
      const sums = source.sums((table, rows) => onProgress({ step: "counting", table, rows, total: null }));
      const isRepeated = await begin(target, hashSums(sums));
      let copied = 0;
      for (const table of TABLES) copied += await copyTable(source, target, table, sums[table.name]?.rows ?? 0, onProgress);
      const differences = await verify(target, sums, onProgress);
      if (differences.length > 0) throw new Error(describeDifferences(differences, isRepeated));
      return { tables: sums, copied };
    });
  } finally {
    source.close();
  }
}

/** Identifies the content of a source. It changes with any row. */
const hashSums = (sums: Sums): string => hash("sha256", JSON.stringify(sums));

/** Records the source in the target. Returns whether it was already copied completely. Throws when the target has another source. */
function begin(db: Database, fingerprint: string): Promise<boolean> {
  return db.write(async (tx) => {
    await tx.run(
      "CREATE TABLE IF NOT EXISTS transfer (name TEXT PRIMARY KEY, source TEXT NOT NULL, last TEXT, rows BIGINT NOT NULL, is_done BOOLEAN NOT NULL)",
    );
    const known = await tx.get<{ source: string; is_done: boolean }>(
      "SELECT source, bool_and(is_done) AS is_done FROM transfer GROUP BY source",
    );
    if (known?.source === fingerprint) return known.is_done;
    if (known !== undefined)
      throw new Error(
        "The database contains a copy of another source, or of this one before it was changed. Use an empty database, and run this command again.",
      );
    await clearUnused(tx);
    for (const { name } of TABLES) await tx.run("INSERT INTO transfer VALUES (@name, @fingerprint, NULL, 0, FALSE)", { name, fingerprint });
    return false;
  });
}

async function readState(tx: Transaction, { name }: Table): Promise<State> {
  const row = await tx.get<{ rows: number; last: string | null; is_done: boolean }>(
    "SELECT rows, last, is_done FROM transfer WHERE name = @name FOR UPDATE",
    { name },
  );
  if (row === undefined) throw new Error(`The copy progress of the table "${name}" is missing from the database.`);
  return { rows: row.rows, last: row.last === null ? null : (JSON.parse(row.last) as PortableRow), isDone: row.is_done };
}

/** Copies the rows that the target does not have yet. Returns how many. Each batch is committed together with its progress. */
async function copyTable(
  source: SnapshotSource,
  db: Database,
  table: Table,
  total: number,
  onProgress: MoveOptions["onProgress"],
): Promise<number> {
  const begun = await db.write((tx) => readState(tx, table));
  if (begun.isDone) return 0;
  let { rows } = begun;
  for (const { lines, last: row } of batchRows(source.rows(table, begun.last))) {
    const last = JSON.stringify(Object.fromEntries(table.key.map((name) => [name, row[name]])));
    const before = rows;
    await db.write(async (tx) => {
      const state = await readState(tx, table);
      if (state.rows !== before)
        throw new Error("Another command is copying into this database. Wait until it has ended, and run this command again.");
      await insertRows(tx, table, lines);
      await tx.run("UPDATE transfer SET rows = @rows, last = @last WHERE name = @name", {
        rows: before + lines.length,
        last,
        name: table.name,
      });
    });
    rows += lines.length;
    onProgress({ step: "copying", table: table.name, rows, total });
  }
  await db.write(async (tx) => {
    await finishTable(tx, table);
    await tx.run("UPDATE transfer SET is_done = TRUE WHERE name = @name", { name: table.name });
  });
  return rows - begun.rows;
}

/** Reads everything back from the target. Returns the tables that differ from the source, with the difference. */
async function verify(db: Database, expected: Sums, onProgress: MoveOptions["onProgress"]): Promise<string[]> {
  const found = await db.write(async (tx) => {
    await beginSnapshot(tx);
    return computeSums(tx, (table, rows) => onProgress({ step: "verifying", table, rows, total: expected[table]?.rows ?? null }));
  });
  return TABLES.flatMap(({ name }) => {
    const [is, should] = [found[name], expected[name]];
    if (isSame(is, should)) return [];
    return [is?.rows === should?.rows ? `"${name}" (other content)` : `"${name}" (${is?.rows} rows, not ${should?.rows})`];
  });
}

const describeDifferences = (differences: readonly string[], isRepeated: boolean): string =>
  isRepeated
    ? `Everything was copied by an earlier run, and the database now differs from the source in ${differences.join(", ")}. This is expected if the new database has been used.`
    : `The copy differs from the source in ${differences.join(", ")}: another program wrote to the database. The source is unchanged. Use an empty database, and run this command again.`;
