import Database from "better-sqlite3";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { createPartial } from "#runtime/files/partial.ts";
import { setIncremental } from "../opening/free-pages.ts";
import { withStorageErrors } from "./failure.ts";

/**
 * Writes a snapshot of the database at `file` to `target`, atomically and flushed to disk. Writers are not blocked. Throws a `StorageError`
 * when copying fails, such as on a full disk.
 */
export function writeCopy(file: string, target: string): void {
  const db = new Database(file, { readonly: true, timeout: 10_000 });
  let partial = "";
  try {
    partial = createPartial(target);
    // The copy is incremental even if the database is not.
    setIncremental(db);
    withStorageErrors(() => db.prepare("VACUUM INTO @partial").run({ partial }));
    flushFile(partial);
    renameSync(partial, target);
  } finally {
    db.close();
    if (partial !== "") rmSync(partial, { force: true });
  }
}

/** Flushes a file to disk, which VACUUM INTO does not do. */
export function flushFile(file: string): void {
  const descriptor = openSync(file, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a consistent copy of the database at `file` to `target` while others read and write it. */
export async function backup(file: string, target: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`There is no database at ${file} yet.`);
  if (existsSync(target)) throw new Error(`${target} exists already. Choose another name, or remove it first.`);
  writeCopy(file, target);
}
