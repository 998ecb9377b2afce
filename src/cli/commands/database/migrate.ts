import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readConfig } from "#config";
import { upgradeDatabase } from "#composition/start/upgrade.ts";
import { describeStartFailure } from "#storage/postgres/engine/failure.ts";
import type { MigrationResult, MigrationProgress } from "#storage/transfer/migrate.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import { type Command, type Invocation, UsageError, print } from "../../command.ts";
import { textOption } from "../../options.ts";
import { withData } from "../../with-data.ts";

const SQLITE = /^sqlite:(?:\/\/)?(.+)$/;
/** Minimum time between two progress lines of one step and table. */
const PROGRESS_INTERVAL_MS = 1_000;

export const MIGRATE: Command = {
  name: "migrate",
  summary: "Brings the database to this version, or moves it to PostgreSQL.",
  details:
    "Without options it does what each start does first. With both it copies everything, compares the copy, and leaves the source as it is; stop the server before.",
  options: {
    from: { value: "sqlite:FILE", meaning: "The database file to move." },
    to: { value: "postgres://…", meaning: "The address of an empty PostgreSQL database." },
  },
  examples: ["migrate", 'migrate --from sqlite:data/tessera.sqlite --to "$DATABASE_URL"'],
  installation: "created",
  async run(invocation) {
    const [from, to] = [textOption(invocation, "from"), textOption(invocation, "to")];
    if (from !== undefined && to !== undefined) return move(invocation, from, to);
    if (from !== undefined || to !== undefined)
      throw new UsageError("A move needs both ends: --from sqlite:FILE --to postgres://user:password@host:5432/database.");
    const upgraded = await upgradeDatabase(readConfig(process.env));
    if (upgraded !== null) process.stderr.write(`${upgraded}\n`);
    return withData(invocation, async () => {
      print(invocation, { migrated: true }, "The database is up to date.");
    });
  },
};

const isPostgres = (address: string): boolean => /^postgres(ql)?:$/.test(URL.parse(address)?.protocol ?? "");

/** Formats a PostgreSQL URL without user and password. */
const withoutCredentials = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`;

async function move(invocation: Invocation, from: string, to: string): Promise<void> {
  const [, path] = SQLITE.exec(from) ?? [];
  if (isPostgres(from))
    throw new Error(
      'A move from PostgreSQL is not supported. "backup" and "restore" take everything to another PostgreSQL database, "export" and "import" a board to any storage.',
    );
  if (path === undefined) throw new Error("--from must name a SQLite file, such as sqlite:./data/tessera.sqlite.");
  if (!isPostgres(to))
    throw new Error("--to must be the address of a PostgreSQL database, such as postgres://user:password@host:5432/database.");
  const url = new URL(to);
  const file = resolve(path);
  // Load the driver only when needed: it takes 0.2 s.
  const { moveToPostgres } = await import("#storage/transfer/migrate.ts");
  const moved = await withConnectionErrors("--to", to, () => moveToPostgres({ file, url: to, onProgress: createPrinter() }));
  report(invocation, moved, file, withoutCredentials(url));
}

/** Runs `work` on a PostgreSQL database. A connection error is rethrown with the name of the setting that contains the URL. */
export async function withConnectionErrors<T>(setting: string, url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = describeStartFailure(error, new URL(url));
    throw reason === null ? error : new Error(`${setting} ${reason}.`, { cause: error });
  }
}

/** Creates a function that prints progress: when a step of a table ends, and at intervals in between. */
function createPrinter(): (progress: MigrationProgress) => void {
  let last = { task: "", at: 0 };
  return ({ step, table, rows, total }) => {
    const task = `${step} ${table}`;
    const isOver = total !== null && rows >= total;
    if (!isOver && task === last.task && Date.now() - last.at < PROGRESS_INTERVAL_MS) return;
    last = { task, at: Date.now() };
    const part = total === null || total === 0 ? "" : ` of ${total} (${Math.floor((100 * rows) / total)} %)`;
    process.stderr.write(`${task}: ${rows}${part} rows\n`);
  };
}

function report(invocation: Invocation, { tables, copied }: MigrationResult, file: string, place: string): void {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const keyFile = join(dirname(file), "secret.key");
  const key = existsSync(keyFile)
    ? `the content of ${keyFile}, unless its server was configured with another`
    : "the one that its server was started with";
  const advice = `Start every node with the SECRET_KEY of the source (${key}): with another one the webhook secrets can't be opened.`;
  const schedule = `The schedule of backups does not move along: set it again, under Settings on the page or with "${formatCommand("backups set --every day --hour 3")}".`;
  const done = copied === 0 && rows > 0 ? "There was nothing left to copy" : `Copied ${copied} rows`;
  print(invocation, { migrate: { from: `sqlite:${file}`, to: place, rows, copied, tables, verified: true } }, [
    `${done}; ${place} holds all ${rows} rows of ${file}, compared by count and hash.`,
    advice,
    schedule,
  ]);
  if (invocation.isJson) process.stderr.write(`${advice}\n${schedule}\n`);
}
