import { packagePath } from "#runtime/files/package.ts";
import { type Migration, readMigrationFolder as readMigrationsIn } from "../../shared/migrations.ts";
import type { Database } from "./database.ts";
import { hasNodes } from "./inspect.ts";

/** The advisory lock of migrations: an arbitrary unique number. */
const ADVISORY_LOCK = 8_264_017_352;

/** Reads the migrations of PostgreSQL, in order. */
export const readMigrations = (): Migration[] => readMigrationsIn(packagePath("#storage/postgres/engine/migrations"));

/**
 * Migrates the database to the newest version in one transaction, under a lock, so that nodes can start at the same time. Returns the
 * names of the applied migrations. Throws while a node of an earlier version is connected.
 */
export function migrate(db: Database, migrations: readonly Migration[] = readMigrations()): Promise<string[]> {
  const newest = migrations.at(-1)?.number ?? 0;
  return db.write(async (tx) => {
    await tx.run("SET LOCAL statement_timeout = 0");
    await tx.run(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
    const known = await tx.get<{ known: boolean }>("SELECT to_regclass('migration') IS NOT NULL AS known");
    // Check first: "IF NOT EXISTS" needs the privilege to create tables, which a user of an existing database may lack.
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
    // Nodes that start at the same time wait for the lock, so a connected one is of the earlier version.
    if (version > 0 && version < newest && (await hasNodes(tx)))
      throw new Error(
        "A Tessera server of an earlier version uses this database. Stop every node of it first, since this upgrades the database.",
      );
    const applied: string[] = [];
    for (const { number, name, sql } of migrations) {
      if (number <= version) continue;
      await tx.executeSql(sql);
      await tx.run("INSERT INTO migration (number, name) VALUES (@number, @name)", { number, name });
      applied.push(name);
    }
    return applied;
  });
}
