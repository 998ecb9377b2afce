import { StorageError } from "#domain/core/errors/storage-error.ts";
import type { Store } from "#domain/store.ts";
import { describeStartFailure } from "#storage/postgres/engine/failure.ts";
import { describeDataDirFailure } from "#storage/sqlite/opening/failure.ts";
import { readMigrations } from "#storage/sqlite/engine/migrate.ts";
import { inspectDatabase } from "#storage/sqlite/opening/inspect.ts";
import type { Migration } from "#storage/shared/migrations.ts";
import { databaseFile, openStore as openSqlite } from "#storage/sqlite/store.ts";
import { type Config, ConfigError } from "#config";

type Location = Pick<Config, "dataDir" | "databaseUrl">;

/** Returns where the installation is, without user and password. */
export function describeLocation({ dataDir, databaseUrl }: Location): string {
  if (databaseUrl === "") return dataDir;
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${host}, database ${decodeURIComponent(pathname.slice(1)) || "of the user's name"}`;
}

/** Whether there is an installation. Creates nothing. Throws one sentence when the data directory or the database can't be read. */
export async function isInstalled({ dataDir, databaseUrl }: Location): Promise<boolean> {
  return (await readSchemaVersion({ dataDir, databaseUrl })) !== null;
}

/** Returns the migrations that opening the database would apply, in order. Null if there is none yet. Changes nothing. */
export async function findMigrations(location: Location): Promise<readonly Migration[] | null> {
  const version = await readSchemaVersion(location);
  if (version === null) return null;
  const isNewer = ({ number }: Migration): boolean => number > version;
  if (location.databaseUrl === "") return readMigrations().filter(isNewer);
  return (await import("#storage/postgres/engine/migrate.ts")).readMigrations().filter(isNewer);
}

/** Whether the database has the schema of an older version, so that opening it would migrate it. Changes nothing. */
export const needsMigration = async (location: Location): Promise<boolean> => ((await findMigrations(location)) ?? []).length > 0;

/** Returns null if there are no tables yet. */
async function readSchemaVersion({ dataDir, databaseUrl }: Location): Promise<number | null> {
  if (databaseUrl === "") return withDataDirErrors(dataDir, () => inspectDatabase(databaseFile(dataDir)));
  return withPostgresErrors(databaseUrl, async () => {
    const postgres = await import("#storage/postgres/engine/inspect.ts");
    return postgres.inspectDatabase(databaseUrl);
  });
}

/** Opens the store of the settings; creates or upgrades its tables where needed. */
export async function openStore({ databaseUrl, databaseConnections, dataDir }: Config): Promise<Store> {
  if (databaseUrl === "") return withDataDirErrors(dataDir, () => openSqlite(databaseFile(dataDir)));
  return withPostgresErrors(databaseUrl, async () => {
    // Load it only when needed: driver and queue take 0.2 s and tens of megabytes, which SQLite does not need.
    const postgres = await import("#storage/postgres/store.ts");
    return postgres.openStore({ url: databaseUrl, connections: databaseConnections });
  });
}

/**
 * Runs `work` on the data directory. Errors of the disk and of the database file are rethrown as one sentence that says what to do; those of
 * a promise too.
 */
export function withDataDirErrors<T>(dataDir: string, work: () => T): T {
  const rethrow = (error: unknown): never => {
    const sentence = describeDataDirFailure(error, dataDir, databaseFile(dataDir));
    throw sentence === null ? error : new Error(sentence, { cause: error });
  };
  try {
    const result = work();
    return result instanceof Promise ? (result.catch(rethrow) as T) : result;
  } catch (error) {
    return rethrow(error);
  }
}

/** Returns a storage error of the start as one sentence that says what to do, and any other error unchanged. */
export function describeStorageError({ dataDir, databaseUrl }: Location, error: unknown): unknown {
  if (databaseUrl !== "" || !(error instanceof StorageError)) return error;
  const sentence = describeDataDirFailure(error, dataDir, databaseFile(dataDir));
  return sentence === null ? error : new Error(sentence, { cause: error });
}

async function withPostgresErrors<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = describeStartFailure(error, new URL(databaseUrl));
    throw reason === null ? error : new ConfigError(`DATABASE_URL ${reason}.`);
  }
}
