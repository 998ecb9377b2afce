import type { Config } from "#config";
import { takeLock } from "#storage/sqlite/engine/lock.ts";

/** Locks the data directory of an embedded database for this process. Returns the function that releases it; throws while another server uses it. */
export function lockDataDir(config: Config): () => void {
  if (config.databaseUrl !== "") return () => {};
  const server = takeLock(config.dataDir, "server", "shared");
  if (server === null) throw new Error("A restore is under way on this data directory. Start again when it is done.");
  if (config.role === "api") return server.release;
  const worker = takeLock(config.dataDir, "worker", "alone");
  if (worker === null) {
    server.release();
    throw new Error(
      `Another Tessera server works on ${config.dataDir} already. Stop it first, choose another DATA_DIR, or start this one with ROLE=api.`,
    );
  }
  return () => {
    worker.release();
    server.release();
  };
}
