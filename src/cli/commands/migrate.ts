import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describeStartFailure } from "#storage/postgres/engine/failure.ts";
import type { Moved, Progress } from "#storage/transfer/migrate.ts";
import { type Command, type Invocation, UsageError, print, textOption, withData } from "../command.ts";

const SQLITE = /^sqlite:(?:\/\/)?(.+)$/;
/** Time between two lines of progress about one step with one table, in milliseconds. */
const MIN_INTERVAL_MS = 1_000;

export const MIGRATE: Command = {
  name: "migrate",
  summary: "Brings the database to this version, as a start does. With --from sqlite:FILE --to postgres://… it moves everything there.",
  options: { from: "text", to: "text" },
  async run(invocation) {
    const [from, to] = [textOption(invocation, "from"), textOption(invocation, "to")];
    if (from !== undefined && to !== undefined) return move(invocation, from, to);
    if (from !== undefined || to !== undefined)
      throw new UsageError("A move needs both ends: --from sqlite:FILE --to postgres://user:password@host:5432/database.");
    return withData(invocation, async () => {
      print(invocation, { migrated: true }, "The database is up to date.");
    });
  },
};

const isPostgres = (address: string): boolean => /^postgres(ql)?:$/.test(URL.parse(address)?.protocol ?? "");

/** A PostgreSQL address without its user and password. */
const placeOf = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`;

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
  // Loaded where it is used, as the driver is everywhere: it takes 0.2 s that other commands do without.
  const { moveToPostgres } = await import("#storage/transfer/migrate.ts");
  const moved = await reach("--to", to, () => moveToPostgres({ file, url: to, onProgress: createPrinter() }));
  report(invocation, moved, file, placeOf(url));
}

/** Runs `work` on a PostgreSQL database; where that can't be reached or entered, says so in terms of the setting that names it. */
export async function reach<T>(setting: string, url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = describeStartFailure(error, new URL(url));
    throw reason === null ? error : new Error(`${setting} ${reason}.`, { cause: error });
  }
}

/** Prints how far the move is: each step with each table once it ends, and in between from time to time. */
function createPrinter(): (progress: Progress) => void {
  let last = { about: "", at: 0 };
  return ({ step, table, rows, total }) => {
    const about = `${step} ${table}`;
    const isOver = total !== null && rows >= total;
    if (!isOver && about === last.about && Date.now() - last.at < MIN_INTERVAL_MS) return;
    last = { about, at: Date.now() };
    const part = total === null || total === 0 ? "" : ` of ${total} (${Math.floor((100 * rows) / total)} %)`;
    process.stderr.write(`${about}: ${rows}${part} rows\n`);
  };
}

function report(invocation: Invocation, { tables, copied }: Moved, file: string, place: string): void {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const keyFile = join(dirname(file), "secret.key");
  const key = existsSync(keyFile)
    ? `what stands in ${keyFile}, unless its server was given another`
    : "the one that its server was started with";
  const advice = `Start every node with the SECRET_KEY of the source (${key}): with another one the webhook secrets can't be opened.`;
  const schedule =
    'The schedule of backups does not move along: set it again, under Settings on the page or with "tessera backups set --every day --hour 3".';
  const done = copied === 0 && rows > 0 ? "There was nothing left to copy" : `Copied ${copied} rows`;
  print(invocation, { migrate: { from: `sqlite:${file}`, to: place, rows, copied, tables, verified: true } }, [
    `${done}; ${place} holds all ${rows} rows of ${file}, compared by count and hash.`,
    advice,
    schedule,
  ]);
  if (invocation.isJson) process.stderr.write(`${advice}\n${schedule}\n`);
}
