import { basename, dirname, join } from "node:path";
import { packagePath } from "#runtime/files/package.ts";
import { makeFolder } from "#runtime/files/make-folder.ts";
import { type Migration, readMigrationFolder as readMigrationsIn } from "../../shared/migrations.ts";
import { writeCopy } from "./backup.ts";
import type { Connection } from "./database.ts";

/** Reads the migrations of SQLite, in order. */
export const readMigrations = (): Migration[] => readMigrationsIn(packagePath("#storage/sqlite/engine/migrations"));

export const schemaVersion = (db: Connection): number => db.raw.pragma("user_version", { simple: true }) as number;

/**
 * Migrates the file to the newest version, with a transaction for each migration. Before existing data is changed, the file is copied
 * once to the folder `backups` beside it. Returns the names of the applied migrations.
 */
export function migrate(db: Connection, migrations: readonly Migration[] = readMigrations()): string[] {
  const newest = migrations.at(-1)?.number ?? 0;
  if (schemaVersion(db) > newest) {
    throw new Error(
      `The database is of version ${schemaVersion(db)}, newer than this Tessera knows (${newest}). Install the newer Tessera, or restore a backup.`,
    );
  }
  const isEmpty = schemaVersion(db) === 0;
  const applied: string[] = [];
  for (const migration of migrations) {
    if (migration.number <= schemaVersion(db)) continue;
    db.raw
      .transaction(() => {
        // Another process may have applied this migration during the wait for the lock.
        if (schemaVersion(db) >= migration.number) return;
        // Copied under the lock, so that nothing is written between the copy and the migration.
        if (!isEmpty && applied.length === 0) copyBefore(db, migration.number);
        db.raw.exec(migration.sql);
        db.raw.pragma(`user_version = ${migration.number}`);
        applied.push(migration.name);
      })
      .immediate();
  }
  return applied;
}

/** Returns the name of the copy that is made before migration `number`. */
export const getCopyName = (number: number, database = "tessera"): string => `${database}-before-${String(number).padStart(3, "0")}.sqlite`;

function copyBefore(db: Connection, number: number): void {
  const file = db.raw.name;
  if (file === ":memory:" || file === "") return;
  const folder = join(dirname(file), "backups");
  makeFolder(folder);
  const copy = join(folder, getCopyName(number, basename(file, ".sqlite")));
  // An existing copy is older: it is from a failed attempt, or from a database that a backup has replaced.
  writeCopy(file, copy);
}
