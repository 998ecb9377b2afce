import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { getErrorCode, getErrorMessage } from "#domain/core/errors/error.ts";
import { describeShortage, findShortage } from "#domain/core/errors/shortage.ts";
import { type BackupFolder, getBackupFiles, isBackupName } from "#domain/settings/backup.ts";
import { forkModule } from "#runtime/process/child.ts";
import { packageUrl } from "#runtime/files/package.ts";
import type { BackupOrder, BackupReport } from "./backup-process.ts";

/** Creates access to the folder for backups of `source`. A missing folder is created, readable by its owner only. */
export function createBackupFolder(folder: string, source: BackupOrder["source"]): BackupFolder {
  const getPath = (name: string): string => {
    if (!isBackupName(name)) throw new Error(`"${name}" is not the name of a scheduled backup.`);
    return join(folder, name);
  };
  const readSize = async (name: string): Promise<number | null> => {
    try {
      return (await stat(getPath(name))).size;
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes(getErrorCode(error))) return null;
      throw error;
    }
  };
  const remove = async (name: string): Promise<void> => {
    for (const file of getBackupFiles(getPath(name))) await rm(file, { force: true });
  };

  return {
    async make(name, signal) {
      const target = getPath(name);
      signal.throwIfAborted();
      // Check this first, so that an abort never removes a file that already existed.
      if ((await readSize(name)) !== null) throw new Error(`${name} exists already in the backup folder. Remove that file, or try again.`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const { error, code } = await runProcess({ source, target }, signal);
        if (error !== null) throw Object.assign(new Error(error), { code });
        return (await stat(target)).size;
      } catch (error) {
        if (signal.aborted) {
          await remove(name);
          throw signal.reason;
        }
        throw new Error(describe(error, folder), { cause: error });
      }
    },

    getSize: readSize,
    remove,
  };
}

/**
 * Makes the backup in a child process, since SQLite's copy blocks its thread until the end and can only be aborted by killing the
 * process.
 */
function runProcess(order: BackupOrder, signal: AbortSignal): Promise<BackupReport> {
  const child = forkModule(packageUrl("#storage/transfer/backup-process.ts"), {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const end = (): void => void child.kill("SIGKILL");
  signal.addEventListener("abort", end, { once: true });
  return new Promise<BackupReport>((resolve, reject) => {
    let report: BackupReport | undefined;
    child.once("message", (message) => (report = message as BackupReport));
    child.once("error", reject);
    // Resolve only after the process has ended, so that nothing is written afterwards.
    child.once("close", (status, cause) =>
      resolve(
        report ?? {
          error: `The process that wrote the backup ended early (${cause ?? status}). See whether the machine is short of memory.`,
          code: null,
        },
      ),
    );
    // Without a channel the process could not be started, and "error" follows.
    if (child.connected) child.send(order, (error) => error !== null && reject(error));
  }).finally(() => signal.removeEventListener("abort", end));
}

const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:ENOSPC|EDQUOT|SQLITE_FULL)/,
    "The disk of the backup folder is full. Make room there, keep fewer backups, or set BACKUP_DIR to a folder on another disk.",
  ],
  [/^(?:EEXIST|ENOTDIR)/, "The backup folder can't be made: a file is in its place. Set BACKUP_DIR to a folder."],
  [
    /^(?:EACCES|EPERM|EROFS|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM)/,
    "The backup folder can't be written to. Let the server's user write there, or set BACKUP_DIR to another folder.",
  ],
];

/** Describes the error without paths of this machine, which only the log contains. */
function describe(error: unknown, folder: string): string {
  const code = getErrorCode(error);
  const known = MESSAGES.find(([pattern]) => pattern.test(code));
  if (known !== undefined) return known[1];
  const shortage = findShortage(error);
  if (shortage !== null) return describeShortage(shortage);
  return getErrorMessage(error).replaceAll(folder, "BACKUP_DIR");
}
