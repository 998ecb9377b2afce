import { formatCommand } from "#runtime/process/program-name.ts";
import { Database } from "../postgres/engine/database.ts";
import { readMigrations } from "../postgres/engine/migrate.ts";
import type { Sums } from "./rows.ts";
import { checkFree, writePortable } from "./portable.ts";
import { beginSnapshot, hasTable, readRows } from "./target.ts";

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
