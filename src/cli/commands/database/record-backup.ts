import { stat } from "node:fs/promises";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { Config } from "#config";
import { getErrorMessage } from "#domain/core/errors/error.ts";
import { newId } from "#domain/core/system.ts";
import { needsMigration, openStore } from "#composition/start/installation.ts";

/**
 * Records a backup that the command made, for the list of backups and the alert on their age. The backup is good without it, so a failure is
 * a warning. A database of an earlier version is left as it is.
 */
export async function recordBackup(config: Config, file: string, startedAt: number): Promise<void> {
  try {
    if (await needsMigration(config)) return;
    const store = await openStore(config);
    try {
      const { size: bytes } = await stat(file);
      const endedAt = Date.now();
      await store.backups.recordMade({ id: newId("bak", startedAt), node: hostname(), file: resolve(file), bytes, startedAt, endedAt });
    } finally {
      await store.close();
    }
  } catch (error) {
    process.stderr.write(`Warning: The backup is complete, but could not be recorded in the database. ${getErrorMessage(error)}\n`);
  }
}
