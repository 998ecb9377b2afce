import type { Dialect, Driver, LockKind } from "../../sql/driver.ts";
import { get, type Command, type Unit } from "../../sql/unit.ts";
import type { Database, Reader, Transaction } from "./database.ts";
import type { Feed } from "./feed.ts";

/** The second key of each kind's advisory locks, so that equal names of two kinds don't meet. */
const LOCK_SEEDS: Readonly<Record<LockKind, number>> = { email: 0, backups: 1, "log-in": 2, businesses: 3 };

export const POSTGRES: Dialect = {
  engine: "postgres",
  forUpdate: " FOR UPDATE",
  forShareOf: (alias) => ` FOR SHARE OF ${alias}`,
  greatest: "greatest",
  insertionOrder: "number",
  unindexed: (column) => column,
  isAnyOf: (column, name) => `${column} = ANY(@${name})`,
  jsonArrayHas: (column, name) => `${column}::jsonb ? @${name}`,
  rowsOfJson: (name, columns) =>
    `(SELECT * FROM json_to_recordset(@${name}::json) AS json (${Object.entries(columns)
      .map(([column, type]) => `${column} ${type}`)
      .join(", ")}))`,
  *boardChanged(boardId) {
    yield* native((tx) => void tx.changedBoards.add(boardId));
  },
  *lock(kind, name) {
    yield* get(`SELECT pg_advisory_xact_lock(hashtextextended(@name, ${LOCK_SEEDS[kind]}))`, { name });
  },
};

/** A step of a unit of work that is no statement. */
export function* native<T>(run: (tx: Transaction) => T | Promise<T>): Unit<T> {
  return (yield { kind: "native", run }) as T;
}

type Positional = { readonly text: string; readonly names: readonly string[] };

/** Statements that were translated; there are as many as the source has. */
const translations = new Map<string, Positional>();

/** A statement with `$1`, `$2` … in the place of `@name`; a name that occurs twice is one parameter. */
function toPositional(sql: string): Positional {
  let translation = translations.get(sql);
  if (translation === undefined) {
    const names: string[] = [];
    const text = sql.replace(/@([a-zA-Z]\w*)/g, (_all, name: string) => {
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    });
    translation = { text, names };
    translations.set(sql, translation);
  }
  return translation;
}

function execute(on: Reader | Transaction, command: Command): unknown {
  if (command.kind === "native") return command.run(on as never);
  const { kind, sql, params } = command;
  const { text, names } = toPositional(sql);
  const values = names.map((name) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The parameter @${name} is missing.`);
    return value;
  });
  if (kind === "get") return on.get(text, ...values);
  if (kind === "all") return on.all(text, ...values);
  if (!("run" in on)) throw new Error("Only a transaction can change rows.");
  return on.run(text, ...values);
}

/** Runs a unit of work, statement by statement. Throws what the unit throws. */
export async function runUnit<T>(on: Reader | Transaction, unit: Unit<T>): Promise<T> {
  let step = unit.next();
  while (step.done !== true) {
    let result: unknown;
    try {
      result = await execute(on, step.value);
    } catch (error) {
      step = unit.throw(error);
      continue;
    }
    step = unit.next(result);
  }
  return step.value;
}

export function createDriver(db: Database, feed: Feed): Driver {
  const write = <T>(unit: () => Unit<T>): Promise<T> => db.write((tx) => runUnit(tx, unit()));
  return {
    dialect: POSTGRES,
    toSharedTime: (now) => db.toServerTime(now),
    read: (unit) => runUnit(db, unit()),
    write,
    async writeSettings(settings, unit) {
      const value = await write(unit);
      // The other settings are read anew for each call.
      if (settings === "keys") feed.tell("keys");
      return value;
    },
  };
}
