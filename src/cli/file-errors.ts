import { dirname, resolve } from "node:path";
import { getErrorCode } from "#domain/core/error.ts";

const MEANINGS: readonly (readonly [codes: RegExp, describe: (file: string) => string])[] = [
  [/^(ENOENT|ENOTDIR)$/, (file) => `there is no folder ${dirname(resolve(file))}; create it, or choose another one`],
  [/^EISDIR$/, () => "it is a folder; give the name of a file"],
  [/^(EACCES|EPERM)$/, () => "this user lacks the permission; grant it, or choose another place"],
  [/^EROFS$/, () => "the disk is read-only; choose another place"],
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, () => "the disk is full; free some space, or choose another disk"],
];

/** Runs work that reads or writes the file of a parameter. Errors of the file system are rethrown as one sentence that says what to do. */
export async function withFileErrors<T>(verb: "read" | "written", file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const meaning = MEANINGS.find(([codes]) => codes.test(getErrorCode(error)));
    throw meaning === undefined ? error : new Error(`${file} can't be ${verb}: ${meaning[1](file)}.`, { cause: error });
  }
}
