import { StoredBytes } from "../../sql/checks/stored-bytes.ts";
import type { Dialect, Driver } from "../../sql/driver.ts";
import type { Unit } from "../../sql/unit.ts";
import type { Connection } from "./database.ts";
import { toStorageError } from "./failure.ts";

/** The writer runs units one after the other, so locks are not needed. */
export const SQLITE: Dialect = {
  indexKey: ["board_number"],
  locking: () => "",
  *lock() {},
  *lockQueue() {},
  dueNow: "@now",
  useIndex: (name) => ` INDEXED BY ${name}`,
  unindexed: (column) => `+${column}`,
  joinFirst: (table, alias, key, select) => `JOIN ${table} ${alias} ON ${alias}.${key} IN (SELECT ${alias}.${key} ${select})`,
  isAnyOf: (column, name) => `${column} IN (SELECT value FROM json_each(@${name}))`,
  // Two blobs make a text.
  concatBytes: (first, second) => `CAST(${first} || ${second} AS BLOB)`,
  rowsOfJson: (name, columns) =>
    `(SELECT ${Object.entries(columns)
      .map(([column, type]) => `${type === "bytes" ? `unhex(value ->> '${column}')` : `value ->> '${column}'`} AS ${column}`)
      .join(", ")} FROM json_each(@${name}))`,
};

/** Is called with the error of a failed statement. */
type OnFailure = (error: unknown, sql: string) => void;

/** Runs a unit of work synchronously, for reading or inside a transaction. Throws the errors of the unit. */
export function runUnit<T>(db: Connection, unit: Unit<T>, onFailure?: OnFailure, onBoardChange?: () => void): T {
  let step = unit.next();
  while (step.done !== true) {
    const command = step.value;
    let result: unknown;
    try {
      if (command.kind === "boardChange") onBoardChange?.();
      else result = db.execute(command);
    } catch (error) {
      if (command.kind !== "boardChange") onFailure?.(error, command.sql);
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

/** `onBoardChange` is called before a change of a board is committed. Commits follow in the same turn of the event loop. */
export function createDriver(db: Connection, guard: Guard = NO_GUARD, onBoardChange?: () => void): Driver {
  const runGuarded = <T>(unit: () => Unit<T>): T => runUnit(db, unit(), (error, sql) => guard.noteFailure(error, sql), onBoardChange);
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
