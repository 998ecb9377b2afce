import { Database } from "../postgres/engine/database.ts";
import { readMigrations } from "../postgres/engine/migrate.ts";
import { type Sums, isSame } from "./rows.ts";
import { TABLES } from "./tables.ts";
import { checkFree, writePortable } from "./portable.ts";
import { checkPortable, readPortable } from "./read-portable.ts";
import { beginSnapshot, clearUnused, hasTable, insertRows, readRows, finishTable, sumsOf, withTarget } from "./target.ts";

const newestVersion = (): number => readMigrations().at(-1)?.number ?? 0;

/**
 * Writes all that the PostgreSQL database at `url` holds at one moment to `file`, in the portable form, while others read and write
 * it. Answers the counts. Throws a sentence where the file exists, or where there is no Tessera of this version in the database.
 */
export async function backup(url: string, file: string): Promise<Sums> {
  checkFree(file);
  const db = new Database({ url, connections: 1, isPatient: true });
  try {
    return await db.write(async (tx) => {
      await beginSnapshot(tx);
      const known = (await hasTable(tx, "migration"))
        ? await tx.get<{ version: number }>("SELECT max(number) AS version FROM migration")
        : undefined;
      if (known === undefined) throw new Error("There is no Tessera in this database yet.");
      if (known.version !== newestVersion())
        throw new Error(
          `The database is of version ${known.version}, and this Tessera is of version ${newestVersion()}. Run "tessera migrate" first.`,
        );
      return await writePortable(file, known.version, (table) => readRows(tx, table));
    });
  } finally {
    await db.close();
  }
}

/**
 * Fills the empty PostgreSQL database at `url` with what `backup` wrote: all of it, read back and compared before it is committed,
 * or nothing. Answers the counts. Throws a sentence where the file is not whole, where the database holds content, or where a node
 * uses it.
 */
export async function restore(url: string, file: string): Promise<Sums> {
  // Read to its end first, so that a damaged file is known before the database is touched.
  const expected = await checkPortable(file, newestVersion());
  return withTarget(url, ({ db, boss }) =>
    db.write(async (tx) => {
      await clearUnused(tx);
      for await (const { table, lines } of readPortable(file, newestVersion())) await insertRows(tx, boss, table, lines);
      for (const table of TABLES) await finishTable(tx, table);
      const written = await sumsOf(tx, () => {});
      const wrong = TABLES.find(({ name }) => !isSame(written[name], expected[name]));
      if (wrong !== undefined)
        throw new Error(
          `The table "${wrong.name}" did not become what ${file} holds, so nothing was restored. Look at the disk and the log of PostgreSQL, and try again.`,
        );
      return written;
    }),
  );
}
