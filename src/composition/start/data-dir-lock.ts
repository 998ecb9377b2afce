import type { Config } from "#config";
import { takeLock } from "#storage/sqlite/engine/lock.ts";
import { withDataDirErrors } from "./installation.ts";

/**
 * Locks the data directory of an embedded database, so that no restore replaces the file while this process uses it. Only one process
 * may do background work; the role `api` does none. Returns the function that releases the lock. Throws while another process holds it.
 */
export function lockDataDir({ databaseUrl, dataDir, role }: Pick<Config, "databaseUrl" | "dataDir" | "role">): () => void {
  if (databaseUrl !== "") return () => {};
  const server = withDataDirErrors(dataDir, () => takeLock(dataDir, "server", "shared"));
  if (server === null) throw new Error("A restore is under way on this data directory. Start again when it is done.");
  if (role === "api") return server.release;
  const worker = withDataDirErrors(dataDir, () => takeLock(dataDir, "worker", "exclusive"));
  if (worker === null) {
    server.release();
    throw new Error(
      `Another Tessera server works on ${dataDir} already. Stop it first, choose another DATA_DIR, or start this one with ROLE=api.`,
    );
  }
  return () => {
    worker.release();
    server.release();
  };
}
