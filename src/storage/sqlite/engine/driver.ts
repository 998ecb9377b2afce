import type { Statement } from "better-sqlite3";
import { StoredBytes } from "../../sql/idempotency-bytes.ts";
import type { Dialect, Driver } from "../../sql/driver.ts";
import type { UnitCommand, Params, Unit } from "../../sql/unit.ts";
import type { Connection } from "./database.ts";
import { toStorageError } from "./failure.ts";

/** The writer runs units one after the other, so locks are not needed. */
export const SQLITE: Dialect = {
  engine: "sqlite",
  forUpdate: "",
  forShareOf: () => "",
  skipLockedOf: () => "",
  greatest: "max",
  insertionOrder: "rowid",
  tile: { indexed: "indexed", embedded: "embedded", announced: "announced" },
  indexKey: ["board_number"],
  is: (column, value) => `${column} = ${value ? 1 : 0}`,
  isNot: (column, value) => `${column} IS NOT ${value ? 1 : 0}`,
  useIndex: (name) => ` INDEXED BY ${name}`,
  unindexed: (column) => `+${column}`,
  joinFirst: (table, alias, select) => `JOIN ${table} ${alias} ON ${alias}.rowid IN (SELECT ${alias}.rowid ${select})`,
  isAnyOf: (column, name) => `${column} IN (SELECT value FROM json_each(@${name}))`,
  jsonArrayHas: (column, name) => `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = @${name})`,
  // Two blobs make a text.
  concatBytes: (first, second) => `CAST(${first} || ${second} AS BLOB)`,
  rowsOfJson: (name, columns) =>
    `(SELECT ${Object.entries(columns)
      .map(([column, type]) => `${type === "bytes" ? `unhex(value ->> '${column}')` : `value ->> '${column}'`} AS ${column}`)
      .join(", ")} FROM json_each(@${name}))`,
  // Watchers of a board poll a number that changes with each commit.
  *boardChanged() {},
  *lockRows() {},
  *lockBusiness() {},
  dueNow: "@now",
  *lockClaims() {},
  *lock() {},
};

type SqliteParams = Record<string, string | number | Buffer | null>;

/** Converts booleans to 0 and 1, and lists to JSON. */
function toSqlite(params: Params): SqliteParams {
  let translated: SqliteParams | undefined;
  for (const name in params) {
    const value = params[name];
    if (value === undefined) throw new Error(`The parameter @${name} is missing.`);
    if (typeof value === "boolean") (translated ??= { ...params } as SqliteParams)[name] = value ? 1 : 0;
    else if (Array.isArray(value)) (translated ??= { ...params } as SqliteParams)[name] = JSON.stringify(value);
  }
  return translated ?? (params as SqliteParams);
}

function execute(db: Connection, command: UnitCommand): unknown {
  if (command.kind === "boardChange") return undefined;
  const { kind, sql, params } = command;
  const statement = db.sql(sql) as unknown as Statement<[SqliteParams]>;
  const values = toSqlite(params);
  if (kind === "get") return statement.get(values);
  if (kind === "all") return statement.all(values);
  if (kind === "run") return statement.run(values).changes;
  const rows = statement.raw(true).all(values);
  // The statement is cached, and may be used for objects next.
  statement.raw(false);
  return rows;
}

/** Is called with the error of a failed statement. */
type OnFailure = (error: unknown, sql: string) => void;

/** Runs a unit of work synchronously, for reading or inside a transaction. Throws the errors of the unit. */
export function runUnit<T>(db: Connection, unit: Unit<T>, onFailure?: OnFailure): T {
  let step = unit.next();
  while (step.done !== true) {
    let result: unknown;
    try {
      result = execute(db, step.value);
    } catch (error) {
      if (step.value.kind !== "boardChange") onFailure?.(error, step.value.sql);
      step = unit.throw(toStorageError(error));
      continue;
    }
    step = unit.next(result);
  }
  return step.value;
}

/** What protects the units of a driver from a damaged search index. */
type Guard = { noteFailure: OnFailure; protect<T>(work: () => T | Promise<T>): Promise<T> };

const NO_GUARD: Guard = { noteFailure: () => undefined, protect: async (work) => work() };

export function createDriver(db: Connection, guard: Guard = NO_GUARD): Driver {
  const runGuarded = <T>(unit: () => Unit<T>): T => runUnit(db, unit(), (error, sql) => guard.noteFailure(error, sql));
  const write = <T>(unit: () => Unit<T>): Promise<T> => guard.protect(() => db.write(() => runGuarded(unit)));
  return {
    dialect: SQLITE,
    isShared: false,
    storedBytes: new StoredBytes(),
    toSharedTime: async (now) => now,
    read: (unit) => guard.protect(() => runGuarded(unit)),
    write,
    writeSettings: (_settings, unit) => db.writeSettings(() => runUnit(db, unit())),
    writeTogether: (_boardId, unit) => write(unit),
  };
}
