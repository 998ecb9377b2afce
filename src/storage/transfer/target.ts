import { getErrorCode, getErrorMessage } from "#domain/core/errors/error.ts";
import { Database } from "../postgres/engine/database.ts";
import type { Reader, Transaction } from "../postgres/engine/transaction.ts";
import { hasNodes } from "../postgres/engine/inspect.ts";
import { migrate } from "../postgres/engine/migrate.ts";
import { newEpoch } from "../shared/epoch.ts";
import { type PortableRow, type Sums, ChecksumCollector, toRow } from "./rows.ts";
import type { ColumnType, Table } from "./table.ts";
import { TABLES } from "./tables.ts";

/** The advisory lock of the process that fills the database: an arbitrary unique number. */
const ADVISORY_LOCK = 8_264_017_356;
const TYPES: Readonly<Record<ColumnType, string>> = { text: "text", number: "bigint", flag: "boolean", bytes: "text" };
/** One connection for queries, one that holds the lock, and one spare. */
const CONNECTIONS = 3;

/**
 * Opens the database at `url`, creates or upgrades its tables, and runs `work` under an exclusive lock. Throws when another migration
 * is running, or when a Tessera node is connected.
 */
export async function withTarget<T>(url: string, work: (target: Database) => Promise<T>): Promise<T> {
  const db = new Database({ url, connections: CONNECTIONS, noTimeouts: true });
  try {
    const lock = await db.pool.connect();
    try {
      const { rows } = await lock.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${ADVISORY_LOCK}) AS taken`);
      if (rows[0]?.taken !== true) throw new Error("Another command is moving content into this database. Wait until it has ended.");
      if (await hasNodes(db)) throw new Error("A Tessera server uses this database. Stop every node of it first.");
      await migrate(db);
      return await work(db);
    } finally {
      // The server releases the lock only some time after the connection was closed, and the next command may start at once. A broken
      // connection has lost its lock.
      await lock.query(`SELECT pg_advisory_unlock(${ADVISORY_LOCK})`).catch(() => undefined);
      lock.release(true);
    }
  } finally {
    await db.close();
  }
}

/** The tables that a first start may fill, in the order in which their rows can be deleted. */
const UNUSED: readonly string[] = ["board_index", "board", "business", "vector_model", "feed"];

/**
 * Empties an unused database, in which a first start may have created an empty business. Throws when there is other content.
 */
export async function clearUnused(tx: Transaction): Promise<void> {
  await tx.run("LOCK TABLE business IN SHARE ROW EXCLUSIVE MODE");
  if ((await hasTable(tx, "transfer")) && (await tx.get("SELECT 1 AS found FROM transfer LIMIT 1")) !== undefined) throw notEmpty();
  for (const { name } of TABLES) {
    if (UNUSED.includes(name)) continue;
    if ((await tx.get(`SELECT 1 AS found FROM ${name} LIMIT 1`)) !== undefined) throw notEmpty();
  }
  const businesses = await tx.all("SELECT 1 AS found FROM business LIMIT 2");
  const boards = await tx.all<{ version: number; revision: number }>("SELECT version, revision FROM board LIMIT 2");
  if (businesses.length > 1 || boards.length > 1 || boards.some(({ version, revision }) => version > 1 || revision > 1)) throw notEmpty();
  for (const name of UNUSED) await tx.run(`DELETE FROM ${name}`);
  await tx.run("UPDATE epoch SET value = @epoch", { epoch: newEpoch() });
}

const notEmpty = (): Error => new Error("The database is not empty. Use an empty database.");

/** SQLSTATE classes of invalid values and violated constraints. */
const INVALID_DATA = /^2[23]/;

/** Inserts rows, given as JSON, in one statement. Existing rows are not changed. Throws for an invalid row. */
export async function insertRows(tx: Transaction, table: Table, lines: readonly string[]): Promise<void> {
  const array = `[${lines.join(",")}]`;
  try {
    await insertArray(tx, table, array);
  } catch (error) {
    if (!INVALID_DATA.test(getErrorCode(error))) throw error;
    throw new Error(`PostgreSQL rejected a row of the table "${table.name}": ${getErrorMessage(error)}.`, { cause: error });
  }
}

async function insertArray(tx: Transaction, { name: table, columns }: Table, array: string): Promise<void> {
  const entries = Object.entries(columns);
  const names = entries.map(([name]) => `"${name}"`);
  const record = entries.map(([name, kind]) => `"${name}" ${TYPES[kind]}`);
  const values = entries.map(([name, kind]) => (kind === "bytes" ? `decode("${name}", 'base64')` : `"${name}"`));
  const sql = `INSERT INTO ${table} (${names}) SELECT ${values} FROM json_to_recordset(@array::json) AS r (${record}) ON CONFLICT DO NOTHING`;
  await tx.run(sql, { array });
}

/** Finishes a table: advances its sequence beyond the last row, and updates the planner's statistics. */
export async function finishTable(tx: Transaction, { name, sequence }: Table): Promise<void> {
  if (sequence !== undefined) {
    await tx.run(
      `SELECT setval(pg_get_serial_sequence('${name}', '${sequence}'), coalesce(max("${sequence}"), 0) + 1, false) FROM ${name}`,
    );
  }
  await tx.run(`ANALYZE ${name}`);
}

/** Reads a table page by page within the transaction, in no defined order. */
export async function* readRows(tx: Transaction, table: Table): AsyncGenerator<readonly PortableRow[]> {
  const cursor = `transfer_${table.name}`;
  const columns = Object.keys(table.columns).map((name) => `"${name}"`);
  await tx.executeSql(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${columns.join(", ")} FROM ${table.name}`);
  for (;;) {
    const { rows } = await tx.executeSql(`FETCH ${table.page} FROM ${cursor}`);
    if (rows.length === 0) break;
    yield rows.map((row) => toRow(table, row));
  }
  await tx.executeSql(`CLOSE ${cursor}`);
}

/** Counts and hashes all rows within the transaction. */
export async function computeSums(tx: Transaction, onProgress: (table: string, rows: number) => void): Promise<Sums> {
  const sums = [];
  for (const table of TABLES) {
    const summer = new ChecksumCollector();
    for await (const rows of readRows(tx, table)) {
      for (const row of rows) summer.add(JSON.stringify(row));
      onProgress(table.name, summer.rows);
    }
    sums.push([table.name, summer.sum()] as const);
  }
  return Object.fromEntries(sums);
}

/** Whether a table of this name exists. */
export const hasTable = async (on: Reader, name: string): Promise<boolean> =>
  (await on.get<{ is: boolean }>("SELECT to_regclass(@name) IS NOT NULL AS is", { name }))?.is === true;

/** Makes the transaction read-only with a consistent snapshot. */
export const beginSnapshot = (tx: Transaction): Promise<number> => tx.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
