import { AppError } from "./error.ts";

/** Why the storage can't be used. `full` concerns writes only. All but `away` need the operator. */
export type StorageProblem = "full" | "read_only" | "damaged" | "failed" | "stopped" | "away";

const SENTENCES: Readonly<Record<StorageProblem, string>> = {
  full: "The disk of the server is full: nothing can be stored until its operator frees some space. Reading works.",
  read_only:
    "The database of the server can't be written: nothing can be stored until its operator makes it writable again. Reading works.",
  damaged: "The database of the server is damaged. Its operator has to restore a backup.",
  failed: "The database of the server could not be read or written. Its operator has to check the disk, its quota and its permissions.",
  stopped: "Writing to disk failed. Nothing more is stored. Check the disk, then restart Tessera.",
  away: "The storage can't be reached at the moment. Try again in a second.",
};

/** The database can't be used. The drivers convert their errors to this one, so that no other code knows their codes. */
export class StorageError extends AppError {
  readonly problem: StorageProblem;

  constructor(problem: StorageProblem, cause: unknown) {
    super(problem === "full" ? "storage_full" : "storage_unavailable", SENTENCES[problem], problem === "away" ? 1 : undefined);
    this.problem = problem;
    this.cause = cause;
  }
}

/** The storage is in use by others. Unlike a `StorageError`, this passes by waiting. */
export function createBusyError(cause: unknown, message = "The storage is busy. Try again in a second."): AppError {
  const busy = new AppError("unavailable", message, 1);
  busy.cause = cause;
  return busy;
}
