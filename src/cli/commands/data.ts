import { readConfig } from "#config";
import type { Sums } from "#storage/transfer/rows.ts";
import { backup, restore } from "#storage/sqlite/engine/backup.ts";
import { databaseFile } from "#storage/sqlite/store.ts";
import { type Command, print } from "../command.ts";
import { MIGRATE, withConnectionErrors } from "./migrate.ts";

const rowsOf = (sums: Sums): number => Object.values(sums).reduce((sum, { rows }) => sum + rows, 0);

/** Loads backup and restore for PostgreSQL only when needed, as everywhere for its driver. */
const loadPostgres = () => import("#storage/transfer/backup.ts");

export const DATA_COMMANDS: readonly Command[] = [
  MIGRATE,
  {
    name: "backup",
    parameters: ["FILE"],
    summary: "Writes a consistent copy of the database, while a server runs too.",
    async run(invocation) {
      const [file = ""] = invocation.parameters;
      const { dataDir, databaseUrl } = readConfig(process.env);
      if (databaseUrl === "") await backup(databaseFile(dataDir), file);
      else await withConnectionErrors("DATABASE_URL", databaseUrl, async () => (await loadPostgres()).backup(databaseUrl, file));
      const key = databaseUrl === "" ? "secret key (secret.key in the data directory, or SECRET_KEY)" : "SECRET_KEY";
      print(invocation, { backup: { file } }, `Wrote ${file}. The ${key} is not in it: keep it too.`);
    },
  },
  {
    name: "restore",
    parameters: ["FILE"],
    summary:
      "Puts a backup in the database's place; the one that was there is kept. On PostgreSQL it fills an empty database. Refused while a server runs.",
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
      const { kept } = restore(dataDir, databaseFile(dataDir), file);
      print(invocation, { restore: { file, kept } }, `Restored ${file}.${kept === null ? "" : ` What was there before is ${kept}.`}`);
    },
  },
];
