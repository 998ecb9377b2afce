import { formatCommand } from "#runtime/program-name.ts";
import { Database } from "../postgres/engine/database.ts";
import { readMigrations } from "../postgres/engine/migrate.ts";
import { type Sums, isSame } from "./rows.ts";
import { TABLES } from "./tables.ts";
import { checkFree, writePortable } from "./portable.ts";
import { checkPortable, readPortable } from "./read-portable.ts";
import { beginSnapshot, clearUnused, hasTable, insertRows, readRows, finishTable, computeSums, withTarget } from "./target.ts";

const newestVersion = (): number => readMigrations().at(-1)?.number ?? 0;

/**
 * Writes a consistent snapshot of the PostgreSQL database at `url` to `file`, in the portable format, while the database is in use.
 * Returns counts and hashes. Throws when the file exists, or when the database has no Tessera tables of this version.
 */
export async function backup(url: string, file: string): Promise<Sums> {
  checkFree(file);
  const db = new Database({ url, connections: 1, noTimeouts: true });
  try {
    return await db.write(async (tx) => {
      await beginSnapshot(tx);
      const known = (await hasTable(tx, "migration"))
        ? await tx.get<{ version: number }>("SELECT max(number) AS version FROM migration")
        : undefined;
      if (known === undefined) throw new Error("There is no Tessera in this database yet.");
      if (known.version !== newestVersion())
        throw new Error(
          `The database is of version ${known.version}, and this Tessera is of version ${newestVersion()}. Run "${formatCommand("migrate")}" first.`,
        );
      return await writePortable(file, known.version, (table) => readRows(tx, table));
    });
  } finally {
    await db.close();
  }
}

/**
 * Restores a file of `backup` into the empty PostgreSQL database at `url`, in one transaction that is verified before it is committed.
 * Returns counts and hashes. Throws when the file is incomplete, when the database is not empty, or when a node uses it.
 */
export async function restore(url: string, file: string): Promise<Sums> {
  // Read the whole file first, so that a damaged file is detected before the database is changed.
  const expected = await checkPortable(file, newestVersion());
  return withTarget(url, ({ db, boss }) =>
    db.write(async (tx) => {
      await clearUnused(tx);
      for await (const { table, lines } of readPortable(file, newestVersion())) await insertRows(tx, boss, table, lines);
      for (const table of TABLES) await finishTable(tx, table);
      const written = await computeSums(tx, () => {});
      const wrong = TABLES.find(({ name }) => !isSame(written[name], expected[name]));
      if (wrong !== undefined)
        throw new Error(
          `The table "${wrong.name}" did not become what ${file} holds, so nothing was restored. Look at the disk and the log of PostgreSQL, and try again.`,
        );
      return written;
    }),
  );
}
