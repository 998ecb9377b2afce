import { readConfig } from "#config";
import { backup, restore } from "#storage/sqlite/engine/backup.ts";
import { databaseFile } from "#storage/sqlite/store.ts";
import { type Command, print, withData } from "../command.ts";

export const DATA_COMMANDS: readonly Command[] = [
  {
    name: "migrate",
    summary: "Brings the database to this version; a start does so by itself.",
    run: (invocation) =>
      withData(invocation, async () => {
        print(invocation, { migrated: true }, "The database is up to date.");
      }),
  },
  {
    name: "backup",
    parameters: ["FILE"],
    summary: "Writes a consistent copy of the database, while a server runs too.",
    async run(invocation) {
      const [file = ""] = invocation.parameters;
      await backup(databaseFile(readConfig(process.env).dataDir), file);
      print(
        invocation,
        { backup: { file } },
        `Wrote ${file}. The secret key (secret.key in the data directory, or SECRET_KEY) is not in it: keep it too.`,
      );
    },
  },
  {
    name: "restore",
    parameters: ["FILE"],
    summary: "Puts a backup in the database's place; the one that was there is kept. Refused while a server runs.",
    async run(invocation) {
      const [file = ""] = invocation.parameters;
      const { dataDir } = readConfig(process.env);
      const { kept } = restore(dataDir, databaseFile(dataDir), file);
      print(invocation, { restore: { file, kept } }, `Restored ${file}.${kept === null ? "" : ` What was there before is ${kept}.`}`);
    },
  },
];
