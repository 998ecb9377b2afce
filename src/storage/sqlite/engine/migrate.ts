import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Migration, readMigrations as readMigrationsIn } from "../../shared/migrations.ts";
import { writeCopy } from "./backup.ts";
import type { Connection } from "./database.ts";

/** The migrations beside this file, in order. */
export const readMigrations = (): Migration[] => readMigrationsIn(join(import.meta.dirname, "migrations"));

export const schemaVersion = (db: Connection): number => db.raw.pragma("user_version", { simple: true }) as number;

/**
 * Brings the file to the newest version, each step in its own transaction. Before a step that changes existing
 * data a copy is kept in `backups/`, beside the file. Answers the names of the steps taken.
 */
export function migrate(db: Connection, migrations: readonly Migration[] = readMigrations()): string[] {
  const newest = migrations.at(-1)?.number ?? 0;
  if (schemaVersion(db) > newest) {
    throw new Error(
      `The database is of version ${schemaVersion(db)}, newer than this Tessera knows (${newest}). Install the newer Tessera, or restore a backup.`,
    );
  }
  const isFresh = schemaVersion(db) === 0;
  const taken: string[] = [];
  for (const migration of migrations) {
    if (migration.number <= schemaVersion(db)) continue;
    db.raw
      .transaction(() => {
        // Another process may have taken this step while we waited for the lock.
        if (schemaVersion(db) >= migration.number) return;
        // Copied under the lock, so that nothing is written between the copy and the step.
        if (!isFresh) keepCopy(db, migration.number);
        db.raw.exec(migration.sql);
        db.raw.pragma(`user_version = ${migration.number}`);
        taken.push(migration.name);
      })
      .immediate();
  }
  return taken;
}

function keepCopy(db: Connection, number: number): void {
  const file = db.raw.name;
  if (file === ":memory:" || file === "") return;
  const folder = join(dirname(file), "backups");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, `${basename(file, ".sqlite")}-before-${String(number).padStart(3, "0")}.sqlite`);
  // One that is there already is of an earlier try, or of a database that was since replaced by a backup: this one is newer.
  writeCopy(file, copy);
}
