import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** One step of a database's schema. `name` is its file name. */
export type Migration = { readonly number: number; readonly name: string; readonly sql: string };

/** Reads the migrations of all releases, ordered by number. `folder` has one folder for each release. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => ({ path, name: basename(path) }))
    .filter(({ name }) => /^\d{3}-.+\.sql$/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ path, name }) => ({ number: Number(name.slice(0, 3)), name, sql: readFileSync(join(folder, path), "utf8") }));
}
