import { readConfig } from "#config";
import { backup } from "#storage/sqlite/engine/backup.ts";
import { databaseFile } from "#storage/sqlite/store.ts";
import { type Command, print } from "../../command.ts";
import { requireAbsent, withFileErrors } from "../../file-errors.ts";
import { requireInstallation } from "../../with-data.ts";
import { withConnectionErrors } from "./migrate.ts";
import { recordBackup } from "./record-backup.ts";
import { RESTORE } from "./restore.ts";

/** Loads the backup of PostgreSQL only when needed, as everywhere for its driver. */
const loadPostgres = () => import("#storage/transfer/backup.ts");

export const BACKUP_COMMANDS: readonly Command[] = [
  {
    name: "backup",
    parameters: [{ name: "FILE", meaning: "The file to write. It must not exist.", isFile: true }],
    summary: "Writes a consistent copy of the database; the server may run.",
    details:
      "The secret key is not in it: keep secret.key of the data directory, or SECRET_KEY, too. The backup is listed with the scheduled ones, and never removed.",
    examples: ["backup tessera-backup.sqlite", "backup /mnt/backups/tessera.sqlite --json"],
    installation: "required",
    async run(invocation) {
      const [file = ""] = invocation.parameters;
      const config = readConfig(process.env);
      const { dataDir, databaseUrl } = config;
      const startedAt = Date.now();
      await requireInstallation(invocation, { dataDir, databaseUrl });
      requireAbsent(file);
      await withFileErrors("written", file, async () => {
        if (databaseUrl === "") await backup(databaseFile(dataDir), file);
        else await withConnectionErrors("DATABASE_URL", databaseUrl, async () => (await loadPostgres()).backup(databaseUrl, file));
      });
      await recordBackup(config, file, startedAt);
      const key = databaseUrl === "" ? "secret key (secret.key in the data directory, or SECRET_KEY)" : "SECRET_KEY";
      print(invocation, { backup: { file } }, `Wrote ${file}. The ${key} is not in it: keep it too.`);
    },
  },
  RESTORE,
];
