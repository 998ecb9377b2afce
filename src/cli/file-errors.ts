import { accessSync, constants, lstatSync, readlinkSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { getErrorCode } from "#domain/core/errors/error.ts";
import { UsageError } from "./command.ts";

type Verb = "read" | "written";

const MEANINGS: readonly (readonly [codes: RegExp, describe: (file: string, verb: Verb) => string])[] = [
  [
    /^ENOENT$/,
    (file, verb) =>
      verb === "read"
        ? "it is not there any more; check its path"
        : `there is no folder ${dirname(resolve(file))}; create it, or choose another one`,
  ],
  [/^ENOTDIR$/, () => "a file is in the place of a folder of its path; correct the path"],
  [/^EISDIR$/, () => "it is a folder; give the name of a file"],
  [/^ELOOP$/, () => "its path has a link that leads back to itself; correct the link"],
  [/^ENAMETOOLONG$/, () => "its name is too long; choose a shorter one"],
  [/^(EACCES|EPERM)$/, () => "this user lacks the permission; grant it, or choose another place"],
  [/^EROFS$/, () => "the disk is read-only; choose another place"],
  [/^(ENOSPC|EDQUOT|storage_full)$/, () => "the disk is full; free some space, or choose another disk"],
  [/^(EIO|ENXIO|ENODEV)$/, () => "the device does not answer; check it, or choose another place"],
];

/** Rethrows an error of the file system as one sentence that says what to do, and any other as it is. */
function rethrow(error: unknown, verb: Verb, file: string): never {
  const meaning = MEANINGS.find(([codes]) => codes.test(getErrorCode(error)));
  throw meaning === undefined ? error : new Error(`${file} can't be ${verb}: ${meaning[1](file, verb)}.`, { cause: error });
}

/** Runs work that reads or writes the file of a parameter. Errors of the file system are rethrown as one sentence that says what to do. */
export async function withFileErrors<T>(verb: Verb, file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return rethrow(error, verb, file);
  }
}

/**
 * Throws one sentence unless `file` is a regular file that this user can read. A pipe is accepted with `isPipeAllowed`. A device is never,
 * since it may never end.
 */
export function requireReadable(file: string, { isPipeAllowed = false } = {}): void {
  requireFileName(file);
  try {
    const stats = statSync(file);
    const kind = describeKind(stats, isPipeAllowed);
    if (kind !== null) throw new Error(`${file} can't be read: it is a ${kind}; give the name of a file.`);
    accessSync(file, constants.R_OK);
  } catch (error) {
    if (getErrorCode(error) !== "ENOENT") rethrow(error, "read", file);
    throw new Error(`There is no file ${describeTarget(file)}: check the path.`, { cause: error });
  }
}

/** Throws one sentence if there is something under the name, be it a link to nothing. */
export function requireAbsent(file: string): void {
  requireFileName(file);
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
  } catch (error) {
    rethrow(error, "written", file);
  }
  throw new Error(`${file} exists already. Choose another name, or remove it first.`);
}

function requireFileName(file: string): void {
  if (file.trim() === "") throw new UsageError("The name of the file is empty. Give the path of a file.");
}

function describeKind(stats: Stats, isPipeAllowed: boolean): string | null {
  if (stats.isFile() || (isPipeAllowed && stats.isFIFO())) return null;
  if (stats.isDirectory()) return "folder";
  return stats.isFIFO() ? "pipe" : stats.isSocket() ? "socket" : "device";
}

/** Names also what a link leads to. */
function describeTarget(file: string): string {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? `${readlinkSync(file)}, which the link ${file} leads to` : file;
}
