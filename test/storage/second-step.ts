import type { Migration } from "#storage/shared/migrations.ts";
import { readMigrations } from "#storage/sqlite/engine/migrate.ts";

/** A test migration after the newest one, which cannot run twice. */
export const SECOND: Migration = {
  number: (readMigrations().at(-1)?.number ?? 0) + 1,
  name: "999-made-up.sql",
  sql: "CREATE TABLE made_up (business_id TEXT NOT NULL, name TEXT NOT NULL) STRICT; INSERT INTO made_up SELECT id, upper(name) FROM business;",
};
