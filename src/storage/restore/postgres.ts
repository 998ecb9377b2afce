import { getErrorMessage } from "#domain/core/errors/error.ts";
import { Database } from "../postgres/engine/database.ts";
import { readMigrations } from "../postgres/engine/migrate.ts";
import type { Reader } from "../postgres/engine/transaction.ts";
import { checkPortable, readPortable } from "../transfer/read-portable.ts";
import { type Sums, isSame } from "../transfer/rows.ts";
import { TABLES } from "../transfer/tables.ts";
import { clearUnused, computeSums, finishTable, insertRows, withTarget } from "../transfer/target.ts";
import { type AccountOptions, type AccountReport, type Executor, type Replaced, readReplaced, reconcile } from "./reconcile.ts";

export type PostgresRestore = {
  /** Counts and hashes of the restored tables, as they are in the file. */
  readonly sums: Sums;
  readonly accounts: AccountReport;
};

export type PostgresOptions = AccountOptions & {
  /** The address of the database that the restored one replaces, which is only read; null if none was named. */
  readonly replaces: string | null;
};

/**
 * Restores a file of `backup` into the empty PostgreSQL database at `url`, in one transaction that is verified before it is committed.
 * What was revoked or changed in the replaced database since the backup stays so, and all sessions end, unless the options say otherwise.
 * Throws when the file is incomplete, when the database is not empty, or when a node uses it.
 */
export async function restore(url: string, file: string, { replaces, asItWas }: PostgresOptions): Promise<PostgresRestore> {
  const version = readMigrations().at(-1)?.number ?? 0;
  // Read the whole file first, so that a damaged file is detected before the database is changed.
  const expected = await checkPortable(file, version);
  const previous = replaces === null ? null : new Database({ url: replaces, connections: 1 });
  try {
    const replaced = previous === null ? null : await readPrevious(previous);
    return await withTarget(url, (db) =>
      db.write(async (tx) => {
        await clearUnused(tx);
        for await (const { table, lines } of readPortable(file, version)) await insertRows(tx, table, lines);
        for (const table of TABLES) await finishTable(tx, table);
        const sums = await computeSums(tx, () => {});
        const wrong = TABLES.find(({ name }) => !isSame(sums[name], expected[name]));
        if (wrong !== undefined)
          throw new Error(
            `The table "${wrong.name}" did not become what ${file} holds, so nothing was restored. Look at the disk and the log of PostgreSQL, and try again.`,
          );
        return { sums, accounts: await reconcile(executorOn(tx), replaced, { asItWas }) };
      }),
    );
  } finally {
    await previous?.close();
  }
}

/** Returns the reason if the database can't be read. */
async function readPrevious(db: Database): Promise<Replaced | string> {
  try {
    return await readReplaced(executorOn(db));
  } catch (error) {
    const { cause } = error instanceof Error ? error : { cause: undefined };
    return getErrorMessage(cause ?? error);
  }
}

const executorOn = (on: Reader): Executor => ({
  query: (sql, params) => on.all(sql, params),
  async columns(table) {
    const rows = await on.all<{ name: string }>(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = @table",
      { table },
    );
    return rows.map(({ name }) => name);
  },
});
