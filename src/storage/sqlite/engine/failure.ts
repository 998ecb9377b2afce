import { AppError, getErrorCode } from "#domain/core/errors/error.ts";
import { createBusyError, StorageError, type StorageProblem } from "#domain/core/errors/storage-error.ts";

/** What the codes of SQLite, and those of files beside the database, mean. The first match counts. */
const PROBLEMS: readonly (readonly [codes: RegExp, problem: StorageProblem])[] = [
  // The index of the write-ahead log fails to grow on a full disk only.
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/, "full"],
  [/^(SQLITE_READONLY|EROFS)/, "read_only"],
  [/^(SQLITE_CORRUPT|SQLITE_NOTADB)/, "damaged"],
  [/^(SQLITE_IOERR|SQLITE_CANTOPEN|SQLITE_PERM|SQLITE_NOLFS|EIO|EACCES|EPERM)/, "failed"],
];
const BUSY = /^SQLITE_(BUSY|LOCKED|PROTOCOL)/;

/** Converts an error of SQLite or the file system to one for callers. Returns any other error unchanged. */
export function toStorageError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = getErrorCode(error);
  if (BUSY.test(code)) return createBusyError(error);
  const problem = PROBLEMS.find(([codes]) => codes.test(code))?.[1];
  return problem === undefined ? error : new StorageError(problem, error);
}

/** Runs `work`, and converts its errors. */
export function withStorageErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStorageError(error);
  }
}
