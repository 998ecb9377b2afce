import { statSync } from "node:fs";
import type { Config } from "#config";
import { getErrorMessage } from "#domain/core/errors/error.ts";
import type { Log } from "#domain/core/log.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import { takeLock } from "#storage/sqlite/engine/lock.ts";
import { inspectDatabase } from "#storage/sqlite/opening/inspect.ts";
import { canShrink, rewriteDatabase } from "#storage/sqlite/opening/rewrite.ts";
import { databaseFile } from "#storage/sqlite/store.ts";
import { withDataDirErrors } from "./installation.ts";

/** A larger file is only rewritten by the command `compact`, since that takes longer than a start should. */
const MAX_REWRITTEN_BYTES = 256 * 1_048_576;

/**
 * Rewrites a database of a version before 0.2 once, so that it can shrink later. Does nothing while another server uses it. The start goes
 * on if it fails, since such a database works as before.
 */
export function makeShrinkable({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">, log: Log): void {
  if (databaseUrl !== "") return;
  const file = databaseFile(dataDir);
  if (withDataDirErrors(dataDir, () => inspectDatabase(file)) === null || canShrink(file)) return;
  if (statSync(file).size > MAX_REWRITTEN_BYTES) {
    log.info({ file }, `the database can't shrink yet: stop the server, and run "${formatCommand("compact")}" once`);
    return;
  }
  const lock = takeLock(dataDir, "server", "exclusive");
  if (lock === null) return;
  try {
    log.info({ file, ...rewriteDatabase(file) }, "rewrote the database, so that it can shrink");
  } catch (error) {
    log.warn({ file, error: getErrorMessage(error) }, "the database could not be rewritten; it works, but does not shrink");
  } finally {
    lock.release();
  }
}
