import { rmSync } from "node:fs";
import { setPriority } from "node:os";
import { filesOf } from "#domain/settings/backup.ts";
import { messageOf } from "#domain/core/error.ts";
import { writeCopy } from "../sqlite/engine/backup.ts";
import { checkFree } from "./portable.ts";

/** What is backed up, and the new file it goes to. */
export type BackupOrder = {
  readonly source: { readonly engine: "sqlite"; readonly file: string } | { readonly engine: "postgres"; readonly url: string };
  readonly target: string;
};

/** How it ended; `code` is the system's or the engine's own. */
export type BackupReport = { readonly error: string | null; readonly code: string | null };

/** Nobody waits for it, and everybody else does. */
const LOW_PRIORITY = 10;

process.once("message", (order: BackupOrder) => void work(order));

async function work({ source, target }: BackupOrder): Promise<void> {
  let isOurs = false;
  const leaveNothing = (): void => {
    if (isOurs) for (const file of filesOf(target)) rmSync(file, { force: true });
    process.exit(1);
  };
  // Whoever asked is gone and will never hear of the file.
  process.once("disconnect", leaveNothing);
  setPriority(LOW_PRIORITY);
  const report = await reportOf(async () => {
    checkFree(target);
    isOurs = true;
    if (source.engine === "sqlite") writeCopy(source.file, target);
    // Loaded where it is used, as the driver is everywhere.
    else await (await import("./backup.ts")).backup(source.url, target);
  });
  // What is handed over stays, even if the one who took it ends at once.
  process.off("disconnect", leaveNothing);
  if (!process.connected) leaveNothing();
  process.send?.(report, (failure: Error | null) => (failure === null ? process.exit(0) : leaveNothing()));
}

async function reportOf(write: () => Promise<void>): Promise<BackupReport> {
  try {
    await write();
    return { error: null, code: null };
  } catch (error) {
    const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
    return { error: messageOf(error), code };
  }
}
