import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One step of a database's schema. `name` is its file name. */
export type Migration = { readonly number: number; readonly name: string; readonly sql: string };

/** The folders that must exist. Without the last one, a database would be left at an earlier version than the program needs. */
const RELEASES = ["0.1", "0.2", "0.3"];

/** Reads the migrations of all releases, ordered by number. `folder` has one folder for each release. Throws when one is missing. */
export function readMigrationFolder(folder: string): Migration[] {
  return RELEASES.flatMap((release) => listMigrations(join(folder, release)))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ path, name }) => ({ number: Number(name.slice(0, 3)), name, sql: readFileSync(path, "utf8") }));
}

function listMigrations(folder: string): { readonly path: string; readonly name: string }[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d{3}-.+\.sql$/.test(name)) : [];
  if (names.length === 0) throw new Error(`This copy of Tessera is incomplete, as files are missing in ${folder}: install it again.`);
  return names.map((name) => ({ path: join(folder, name), name }));
}
