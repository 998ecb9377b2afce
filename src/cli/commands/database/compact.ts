import { statSync } from "node:fs";
import { readConfig } from "#config";
import { formatCommand } from "#runtime/process/program-name.ts";
import { takeLock } from "#storage/sqlite/engine/lock.ts";
import { canShrink, rewriteDatabase } from "#storage/sqlite/opening/rewrite.ts";
import { databaseFile } from "#storage/sqlite/store.ts";
import { withDataDirErrors } from "#composition/start/installation.ts";
import { type Command, print } from "../../command.ts";
import { requireInstallation, withData } from "../../with-data.ts";

export const COMPACT: Command = {
  name: "compact",
  summary: "Returns unused space of the database file to the file system.",
  details:
    "With the server stopped, the file is rewritten, which needs twice its size on the disk. While a server runs, free pages are released in small steps. PostgreSQL does it by itself.",
  examples: ["compact", "compact --json"],
  installation: "required",
  async run(invocation) {
    const { dataDir, databaseUrl } = readConfig(process.env);
    await requireInstallation(invocation, { dataDir, databaseUrl });
    if (databaseUrl !== "") {
      print(invocation, { compact: null }, "PostgreSQL reuses space by itself (autovacuum). There is nothing to do.");
      return;
    }
    const file = databaseFile(dataDir);
    const lock = withDataDirErrors(dataDir, () => takeLock(dataDir, "server", "exclusive"));
    let sizes: ReturnType<typeof rewriteDatabase>;
    if (lock === null) {
      if (!canShrink(file)) throw new Error(`A server runs on ${dataDir}. Stop it first, since this database must be rewritten once.`);
      const before = statSync(file).size;
      await withData(invocation, ({ deps }) => deps.store.releaseFreeSpace());
      sizes = { before, after: statSync(file).size };
    } else {
      try {
        sizes = withDataDirErrors(dataDir, () => rewriteDatabase(file));
      } finally {
        lock.release();
      }
    }
    const { before, after } = sizes;
    const hint = lock === null && after > 0 ? ` "${formatCommand("compact")}" with the server stopped makes it as small as possible.` : "";
    print(invocation, { compact: { file, before, after } }, `${file}: ${before} bytes before, ${after} bytes now.${hint}`);
  },
};
