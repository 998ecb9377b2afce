import { join } from "node:path";
import { type Migration, readMigrations as readMigrationsIn } from "../../shared/migrations.ts";
import type { Database } from "./database.ts";

/** Any number that no other program is likely to lock by. */
const LOCK = 8_264_017_352;

/** The migrations beside this file, in order. */
export const readMigrations = (): Migration[] => readMigrationsIn(join(import.meta.dirname, "migrations"));

/**
 * Brings the database to the newest version, all steps in one transaction, under a lock, so that nodes may start together.
 * Answers the names of the steps taken.
 */
export function migrate(db: Database, migrations: readonly Migration[] = readMigrations()): Promise<string[]> {
  const newest = migrations.at(-1)?.number ?? 0;
  return db.write(async (tx) => {
    await tx.run("SET LOCAL statement_timeout = 0");
    await tx.run("SELECT pg_advisory_xact_lock($1)", LOCK);
    const known = await tx.get<{ known: boolean }>("SELECT to_regclass('migration') IS NOT NULL AS known");
    // Asked for first, since even "IF NOT EXISTS" needs the right to make tables, which a user of a finished database may lack.
    if (known?.known !== true)
      await tx.run(
        "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())",
      );
    const version = (await tx.get<{ version: number }>("SELECT coalesce(max(number), 0) AS version FROM migration"))?.version ?? 0;
    if (version > newest) {
      throw new Error(
        `The database is of version ${version}, newer than this Tessera knows (${newest}). Install the newer Tessera, or use another database.`,
      );
    }
    const taken: string[] = [];
    for (const { number, name, sql } of migrations) {
      if (number <= version) continue;
      await tx.executeSql(sql);
      await tx.run("INSERT INTO migration (number, name) VALUES ($1, $2)", number, name);
      taken.push(name);
    }
    return taken;
  });
}
