import type { Config } from "#config";
import { type Lock, takeLock } from "#storage/sqlite/engine/lock.ts";
import { withDataDirErrors } from "./installation.ts";

export type IndexLock = {
  /** Whether this process may index. Takes the lock if no process holds it. */
  isHeld(): boolean;
  release(): void;
};

/**
 * Lets one process at a time index an embedded database: a server, or a command. Two would remove each other's parts of long tiles. Nodes
 * that share PostgreSQL claim tiles instead.
 */
export function createIndexLock({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): IndexLock {
  if (databaseUrl !== "") return { isHeld: () => true, release: () => undefined };
  let lock: Lock | null = null;
  return {
    isHeld: () => (lock ??= withDataDirErrors(dataDir, () => takeLock(dataDir, "indexer", "exclusive"))) !== null,
    release() {
      lock?.release();
      lock = null;
    },
  };
}
