import { rmSync } from "node:fs";
import { setPriority } from "node:os";
import { getBackupFiles } from "#domain/settings/backup.ts";
import { getErrorCode, getErrorMessage } from "#domain/core/errors/error.ts";
import { StorageError } from "#domain/core/errors/storage-error.ts";
import { writeCopy } from "../sqlite/engine/backup.ts";
import { checkFree } from "./portable.ts";

/** The database to back up, and the new file. */
export type BackupOrder = {
  readonly source: { readonly engine: "sqlite"; readonly file: string } | { readonly engine: "postgres"; readonly url: string };
  readonly target: string;
};

/** The outcome. `code` is the error code of the system or the database. */
export type BackupReport = { readonly error: string | null; readonly code: string | null };

/** The backup is not urgent, so other processes go first. */
const LOW_PRIORITY = 10;

process.once("message", (order: BackupOrder) => void work(order));

async function work({ source, target }: BackupOrder): Promise<void> {
  let isOurs = false;
  const removeAndExit = (): void => {
    if (isOurs) for (const file of getBackupFiles(target)) rmSync(file, { force: true });
    process.exit(1);
  };
  // The parent process has ended and will not record the file.
  process.once("disconnect", removeAndExit);
  setPriority(LOW_PRIORITY);
  const report = await createReport(async () => {
    checkFree(target);
    isOurs = true;
    if (source.engine === "sqlite") writeCopy(source.file, target);
    // Load the driver only when needed.
    else await (await import("./backup.ts")).backup(source.url, target);
  });
  // The file is kept once it is reported, even if the parent process ends immediately afterwards.
  process.off("disconnect", removeAndExit);
  if (!process.connected) removeAndExit();
  process.send?.(report, (failure: Error | null) => (failure === null ? process.exit(0) : removeAndExit()));
}

async function createReport(write: () => Promise<void>): Promise<BackupReport> {
  try {
    await write();
    return { error: null, code: null };
  } catch (error) {
    const cause = error instanceof StorageError ? error.cause : error;
    return { error: getErrorMessage(cause), code: getErrorCode(cause) || null };
  }
}
