import type { Config } from "#config";
import { takeLock } from "#storage/sqlite/engine/lock.ts";
import { getCopyName } from "#storage/sqlite/engine/migrate.ts";
import { describeLocation, findMigrations, openStore } from "./installation.ts";

/**
 * Upgrades the database if it is of an earlier version. Only a start and the command `migrate` do that. Returns a sentence that says what
 * was done, or null if there was nothing to do. Throws while a server of the earlier version runs, and changes nothing then.
 */
export async function upgradeDatabase(config: Config): Promise<string | null> {
  const migrations = await findMigrations(config);
  const first = migrations?.[0];
  if (first === undefined) return null;
  const unlock = lockForUpgrade(config);
  try {
    await (await openStore(config)).close();
  } finally {
    unlock();
  }
  const done = `Upgraded the database in ${describeLocation(config)} to version ${migrations?.at(-1)?.number}.`;
  return config.databaseUrl === "" ? `${done} A copy from before is backups/${getCopyName(first.number)} in that folder.` : done;
}

/** Locks the data directory, so that no server works on it. PostgreSQL's migrations look for other nodes themselves. */
function lockForUpgrade({ databaseUrl, dataDir }: Config): () => void {
  if (databaseUrl !== "") return () => {};
  const lock = takeLock(dataDir, "server", "exclusive");
  if (lock === null)
    throw new Error(`A Tessera server of an earlier version runs on ${dataDir}. Stop it first, since this upgrades the database.`);
  return lock.release;
}
