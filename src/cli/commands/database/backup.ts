import { readConfig } from "#config";
import type { Sums } from "#storage/transfer/rows.ts";
import { backup, restore } from "#storage/sqlite/engine/backup.ts";
import { databaseFile } from "#storage/sqlite/store.ts";
import { withDataDirErrors } from "#composition/start/installation.ts";
import { type Command, print } from "../../command.ts";
import { withFileErrors } from "../../file-errors.ts";
import { requireInstallation } from "../../with-data.ts";
import { withConnectionErrors } from "./migrate.ts";

const rowsOf = (sums: Sums): number => Object.values(sums).reduce((sum, { rows }) => sum + rows, 0);

/** Loads backup and restore for PostgreSQL only when needed, as everywhere for its driver. */
const loadPostgres = () => import("#storage/transfer/backup.ts");

export const BACKUP_COMMANDS: readonly Command[] = [
  {
    name: "backup",
    parameters: [{ name: "FILE", meaning: "The file to write. It must not exist.", isFile: true }],
    summary: "Writes a consistent copy of the database, also while a server runs.",
    details: "The secret key is not in it: keep secret.key of the data directory, or SECRET_KEY, too.",
    examples: ["backup tessera-backup.sqlite", "backup /mnt/backups/tessera.sqlite --json"],
    installation: "required",
    async run(invocation) {
      const [file = ""] = invocation.parameters;
      const { dataDir, databaseUrl } = readConfig(process.env);
      await requireInstallation(invocation, { dataDir, databaseUrl });
      await withFileErrors("written", file, async () => {
        if (databaseUrl === "") await backup(databaseFile(dataDir), file);
        else await withConnectionErrors("DATABASE_URL", databaseUrl, async () => (await loadPostgres()).backup(databaseUrl, file));
      });
      const key = databaseUrl === "" ? "secret key (secret.key in the data directory, or SECRET_KEY)" : "SECRET_KEY";
      print(invocation, { backup: { file } }, `Wrote ${file}. The ${key} is not in it: keep it too.`);
    },
  },
  {
    name: "restore",
    parameters: [{ name: "FILE", meaning: "A file that was written by backup, or by a scheduled backup.", isFile: true }],
    summary: "Replaces the database by a backup, with the server stopped.",
    details: "The database that was there is kept beside it. On PostgreSQL, it fills an empty database. Refused while a server runs.",
    examples: ["restore tessera-backup.sqlite", "restore data/backups/tessera-….sqlite --json"],
    installation: "created",
    async run(invocation) {
      const [file = ""] = invocation.parameters;
      const { dataDir, databaseUrl } = readConfig(process.env);
      if (databaseUrl !== "") {
        const rows = rowsOf(
          await withConnectionErrors("DATABASE_URL", databaseUrl, async () => (await loadPostgres()).restore(databaseUrl, file)),
        );
        print(invocation, { restore: { file, kept: null, rows } }, `Restored ${rows} rows from ${file}, compared by count and hash.`);
        return;
      }
      const { kept } = withDataDirErrors(dataDir, () => restore(dataDir, databaseFile(dataDir), file));
      if (kept === null) process.stderr.write(`Created a new Tessera installation in ${dataDir}.\n`);
      print(invocation, { restore: { file, kept } }, `Restored ${file}.${kept === null ? "" : ` What was there before is ${kept}.`}`);
    },
  },
];
