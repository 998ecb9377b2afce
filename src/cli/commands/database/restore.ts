import { type Config, readConfig } from "#config";
import { findSecretsProblem } from "#composition/secrets/secret-key.ts";
import { withDataDirErrors } from "#composition/start/installation.ts";
import type { AccountChange } from "#storage/restore/accounts.ts";
import type { AccountReport } from "#storage/restore/reconcile.ts";
import { databaseFile } from "#storage/sqlite/store.ts";
import type { Sums } from "#storage/transfer/rows.ts";
import { type Command, type Invocation, UsageError, print } from "../../command.ts";
import { requireReadable } from "../../file-errors.ts";
import { textOption } from "../../options.ts";
import { withConnectionErrors } from "./migrate.ts";

const countRows = (sums: Sums): number => Object.values(sums).reduce((sum, { rows }) => sum + rows, 0);

export const RESTORE: Command = {
  name: "restore",
  parameters: [{ name: "FILE", meaning: "A file that was written by backup, or by a scheduled backup.", isFile: true }],
  options: {
    "as-it-was": { meaning: "Brings revoked keys, old passwords, removed members, webhooks and sessions back as well." },
    replaces: { value: "postgres://…", meaning: "On PostgreSQL: the database that the restored one replaces. It is only read." },
  },
  summary: "Replaces the database by a backup, with the server stopped.",
  details:
    "The file is checked first. What was revoked, changed or removed since the backup stays so: keys, passwords, members, invitations and webhooks. All sessions end. The command lists both. The database that was there is kept beside it. On PostgreSQL, it fills an empty database. Refused while a server runs.",
  examples: ["restore tessera-backup.sqlite", "restore data/backups/tessera-….sqlite --as-it-was --json"],
  installation: "created",
  async run(invocation) {
    requireReadable(invocation.parameters[0] ?? "");
    return readConfig(process.env).databaseUrl === "" ? restoreSqlite(invocation) : restorePostgres(invocation);
  },
};

async function restoreSqlite(invocation: Invocation): Promise<void> {
  const [file = ""] = invocation.parameters;
  const config = readConfig(process.env);
  const { dataDir } = config;
  if (textOption(invocation, "replaces") !== undefined)
    throw new UsageError("--replaces is for PostgreSQL. With SQLite, the database in DATA_DIR is the one that is replaced.");
  const asItWas = invocation.options["as-it-was"] === true;
  const { restore } = await import("#storage/restore/sqlite.ts");
  const { kept, accounts } = await withDataDirErrors(dataDir, () => restore(dataDir, databaseFile(dataDir), file, { asItWas }));
  if (kept === null) process.stderr.write(`Created a new Tessera installation in ${dataDir}.\n`);
  print(invocation, { restore: { file, kept, ...present(accounts, asItWas) } }, [
    `Restored ${file}.${kept === null ? "" : ` What was there before is ${kept}.`}`,
    ...describe(accounts, asItWas, "There was no database before"),
    ...describeKey(config, accounts),
  ]);
}

async function restorePostgres(invocation: Invocation): Promise<void> {
  const [file = ""] = invocation.parameters;
  const config = readConfig(process.env);
  const { databaseUrl } = config;
  const replaces = textOption(invocation, "replaces") ?? null;
  if (replaces !== null && !/^postgres(ql)?:$/.test(URL.parse(replaces)?.protocol ?? ""))
    throw new UsageError("--replaces must be the address of a PostgreSQL database, such as postgres://user:password@host:5432/database.");
  if (replaces === databaseUrl)
    throw new UsageError("--replaces names the database of DATABASE_URL. Restore into an empty one, and name the previous one here.");
  const asItWas = invocation.options["as-it-was"] === true;
  // Loaded only when needed, as everywhere for the driver.
  const { restore } = await import("#storage/restore/postgres.ts");
  const { sums, accounts } = await withConnectionErrors("DATABASE_URL", databaseUrl, () =>
    restore(databaseUrl, file, { asItWas, replaces }),
  );
  const rows = countRows(sums);
  print(invocation, { restore: { file, kept: null, rows, ...present(accounts, asItWas) } }, [
    `Restored ${rows} rows from ${file}, compared by count and hash.`,
    ...describe(accounts, asItWas, "No replaced database was named with --replaces"),
    ...describeKey(config, accounts),
  ]);
}

const present = ({ replaced, reason, changes, sessions }: AccountReport, asItWas: boolean) => ({
  asItWas,
  replaced,
  reason,
  sessionsEnded: asItWas ? 0 : sessions,
  sessionsRevived: asItWas ? sessions : 0,
  /** `state`: whether the change of the time since the backup was kept or undone. */
  changes: changes.map((change) => ({ ...change, state: asItWas ? "undone" : "kept" })),
});

const CHANGES: Readonly<Record<AccountChange["change"], string>> = {
  revoked: "revoked",
  removed: "removed, used or revoked",
  changed: "changed",
  password: "a new password",
  role: "another role",
  kept: "an owner since then, as there would be none otherwise",
};

const countSessions = (count: number): string => `${count} ${count === 1 ? "session" : "sessions"}`;

/** Names the secret key only if the restored database has secrets that it does not open. */
function describeKey(config: Config, { sealed }: AccountReport): string[] {
  const problem = findSecretsProblem(config, sealed);
  return problem === null ? [] : [`${problem.found} ${problem.fix}`];
}

/** Describes what became of keys, members, invitations, webhooks and sessions. `none` says why there was nothing to compare with. */
function describe({ replaced, reason, changes, sessions }: AccountReport, asItWas: boolean, none: string): string[] {
  const lines = changes.map(({ kind, id, name, change }) => `  ${kind.replace("_", " ")} ${name} (${id}): ${CHANGES[change]}`);
  const unread = replaced === "none" ? none : `The database that was there can't be read (${reason})`;
  return [
    ...(replaced === "read"
      ? []
      : [`${unread}, so keys, members, passwords and webhooks are those of the backup. Revoke what should not come back.`]),
    ...(lines.length === 0
      ? []
      : [asItWas ? "Undone, as it was done after the backup:" : "Kept, as it was done after the backup:", ...lines]),
    ...(sessions === 0
      ? []
      : [
          asItWas
            ? `${countSessions(sessions)} of that time ${sessions === 1 ? "goes" : "go"} on.`
            : `Ended ${countSessions(sessions)}: everybody logs in again.`,
        ]),
  ];
}
