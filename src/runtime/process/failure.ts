import { getErrorCode, getErrorMessage } from "#domain/core/errors/error.ts";

/** A missing or damaged file of the program or of a dependency, and a native addon that is damaged or for another machine. */
const INCOMPLETE = [
  "ERR_MODULE_NOT_FOUND",
  "MODULE_NOT_FOUND",
  "ERR_PACKAGE_IMPORT_NOT_DEFINED",
  "ERR_INVALID_PACKAGE_CONFIG",
  "ERR_DLOPEN_FAILED",
];

/** Returns the sentence for an error that ends a command or a start. Some missing files are noticed only when they are first used. */
export function describeFailure(error: unknown): string {
  const message = getErrorMessage(error);
  // Further lines list who asked for the file.
  if (INCOMPLETE.includes(getErrorCode(error)))
    return `A file that Tessera needs is missing or damaged: install it again. ${message.split("\n", 1)[0]}`;
  return isFolderGone(error) ? "The current folder was removed: change to another one, and try again." : message;
}

/** Node looks for the current folder only when a relative path is resolved. */
const isFolderGone = (error: unknown): boolean => error instanceof Error && "syscall" in error && error.syscall === "uv_cwd";
