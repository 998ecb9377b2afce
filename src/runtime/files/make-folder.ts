import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { getErrorCode } from "#domain/core/errors/error.ts";

/**
 * Creates a folder and its missing parents, readable by their owner only. Parents are created one by one, because the recursive mkdir of
 * Node never returns for some paths, such as those below /proc. Throws the error of the file system.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (getErrorCode(error) !== "EEXIST" || !isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
