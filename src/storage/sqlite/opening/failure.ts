import { accessSync, constants, existsSync, lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { getErrorCode } from "#domain/core/errors/error.ts";
import { StorageError } from "#domain/core/errors/storage-error.ts";
import { formatCommand } from "#runtime/process/program-name.ts";

/** What an error means, by the codes of Node and SQLite. The texts continue the name of the data directory. */
const MEANINGS: readonly (readonly [codes: RegExp, describe: () => string])[] = [
  [/^(ENOTDIR|EEXIST)$/, () => "can't be created, as a file is in its place: set DATA_DIR to a folder"],
  [/^(ENOENT|ELOOP|ENAMETOOLONG|EINVAL)$/, () => "can't be created there: set DATA_DIR to a folder on a disk"],
  [/^EROFS$/, () => "is on a read-only disk: make the disk writable, or set DATA_DIR to another folder"],
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, () => "is on a full disk: free some space, or set DATA_DIR to another folder"],
  [
    /^(EACCES|EPERM|SQLITE_(READONLY|CANTOPEN|PERM))/,
    () => "can't be written by this user: let the user read and write everything in it, or set DATA_DIR to another folder",
  ],
  [
    /^SQLITE_(NOTADB|CORRUPT)/,
    () =>
      `has a damaged tessera.sqlite, or one of another program: restore a backup with "${formatCommand("restore FILE")}", or set DATA_DIR to another folder`,
  ],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, () => "is locked by another program: stop it, and try again"],
  [/^(EIO|SQLITE_IOERR)/, () => "can't be read or written: check the disk, and try again"],
  [/^EISDIR$/, () => "has a folder in place of a file: remove that folder, or set DATA_DIR to another folder"],
];

/** Returns one sentence for an error during the opening of a data directory, or null for an error of another kind. */
export function describeDataDirFailure(error: unknown, dataDir: string, file: string): string | null {
  const code = getErrorCode(error instanceof StorageError ? error.cause : error);
  const precise = code.startsWith("SQLITE_CANTOPEN") || code.startsWith("SQLITE_READONLY") ? findReason(dataDir, file) : code;
  const link = findBrokenLink(dataDir) ?? findBrokenLink(file);
  if (link !== null && /^(ENOENT|EEXIST|EACCES)$/.test(precise))
    return `The data directory ${dataDir} can't be used, as the link ${link} leads to nothing: create what it leads to, or set DATA_DIR to another folder.`;
  const meaning = MEANINGS.find(([codes]) => codes.test(precise));
  return meaning === undefined ? null : `The data directory ${dataDir} ${meaning[1]()}.`;
}

/** Returns the path itself or the folder above it that is a link to something that does not exist. */
function findBrokenLink(path: string): string | null {
  if (existsSync(path)) return null;
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return path;
  } catch {
    // The reason why it can't be read is in the error that is described.
    return null;
  }
  return dirname(path) === path ? null : findBrokenLink(dirname(path));
}

/** SQLite reports many reasons as one. Returns the error code of the file system. */
function findReason(dataDir: string, file: string): string {
  try {
    accessSync(dataDir, constants.W_OK);
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) return "EISDIR";
    accessSync(file, constants.R_OK | constants.W_OK);
    return "EACCES";
  } catch (error) {
    // A missing file could be created here, but not by SQLite.
    return getErrorCode(error) === "ENOENT" ? "EACCES" : getErrorCode(error);
  }
}
