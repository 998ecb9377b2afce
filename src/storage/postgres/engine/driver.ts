import { StoredBytes } from "../../sql/idempotency-bytes.ts";
import type { Dialect, Driver, LockKind } from "../../sql/driver.ts";
import { get, type UnitCommand, type Unit } from "../../sql/unit.ts";
import type { Database } from "./database.ts";
import type { Reader, Transaction } from "./transaction.ts";
import type { NotificationBus } from "./notification-bus.ts";

/** Hash seeds of advisory locks, so that equal names of different kinds do not conflict. */
const LOCK_SEEDS: Readonly<Record<LockKind, number>> = { email: 0, backups: 1, "log-in": 2, businesses: 3 };

/** The advisory lock that serialises the claims of all nodes: an arbitrary unique number. */
const CLAIM_LOCK = 8_264_017_353;
/** The queue is empty most of the time. A statement that was planned then would read all of a later backlog instead of an index. */
const AVOIDED_PLANS = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin"];

export const POSTGRES: Dialect = {
  engine: "postgres",
  forUpdate: " FOR UPDATE",
  forShareOf: (alias) => ` FOR SHARE OF ${alias}`,
  skipLockedOf: (alias) => ` FOR UPDATE OF ${alias} SKIP LOCKED`,
  greatest: "greatest",
  insertionOrder: "number",
  tile: { indexed: "is_indexed", embedded: "is_embedded", announced: "is_announced" },
  indexKey: ["business_id", "board_number"],
  is: (column, value) => (value ? column : `NOT ${column}`),
  isNot: (column, value) => `${column} IS NOT ${value ? "TRUE" : "FALSE"}`,
  useIndex: () => "",
  unindexed: (column) => column,
  joinFirst: (_table, alias, select) => `CROSS JOIN LATERAL (SELECT ${alias}.* ${select}) AS ${alias}`,
  isAnyOf: (column, name) => `${column} = ANY(@${name})`,
  jsonArrayHas: (column, name) => `${column}::jsonb ? @${name}`,
  concatBytes: (first, second) => `${first} || ${second}`,
  rowsOfJson(name, columns) {
    const record = Object.entries(columns).map(([column, type]) => `${column} ${type === "bytes" ? "text" : type}`);
    const values = Object.entries(columns).map(([column, type]) => (type === "bytes" ? `decode(${column}, 'hex') AS ${column}` : column));
    return `(SELECT ${values.join(", ")} FROM json_to_recordset(@${name}::json) AS json (${record.join(", ")}))`;
  },
  *boardChanged(boardId) {
    yield { kind: "boardChange", boardId };
  },
  *lockRows(table, businessId, ids) {
    // The key of a board does not change, so rows that refer to it can still be written.
    const strength = table === "board" ? "NO KEY UPDATE" : "UPDATE";
    yield* get(`SELECT 1 FROM ${table} WHERE business_id = @businessId AND id = ANY(@ids) ORDER BY id FOR ${strength}`, {
      businessId,
      ids,
    });
  },
  *lockBusiness(businessId) {
    yield* get("SELECT 1 FROM business WHERE id = @businessId FOR UPDATE", { businessId });
  },
  dueNow: "least(CAST(@now AS BIGINT), floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)",
  *lockClaims() {
    const settings = AVOIDED_PLANS.map((name) => `set_config('${name}', 'off', TRUE)`);
    yield* get(`SELECT pg_advisory_xact_lock(${CLAIM_LOCK}), ${settings.join(", ")}`);
  },
  *lock(kind, name) {
    yield* get(`SELECT pg_advisory_xact_lock(hashtextextended(@name, ${LOCK_SEEDS[kind]}))`, { name });
  },
};

type Positional = { readonly text: string; readonly names: readonly string[] };

/** Replaces `@name` with `$1`, `$2` …. A name that occurs twice becomes one parameter. */
function toPositional(sql: string): Positional {
  const names: string[] = [];
  const text = sql.replace(/@([a-zA-Z]\w*)/g, (_all, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, names };
}

function execute(on: Reader | Transaction, command: UnitCommand): unknown {
  if (command.kind === "boardChange") return void ("changedBoards" in on && on.changedBoards.add(command.boardId));
  const { kind, sql, params } = command;
  const { text, names } = toPositional(sql);
  const values = names.map((name) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The parameter @${name} is missing.`);
    return value;
  });
  if (kind === "get") return on.get(text, ...values);
  if (kind === "all") return on.all(text, ...values);
  if (kind === "arrays") return on.arrays(text, ...values);
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

export function createDriver(db: Database, bus: NotificationBus): Driver {
  const write = <T>(unit: () => Unit<T>): Promise<T> => db.write((tx) => runUnit(tx, unit()));
  return {
    dialect: POSTGRES,
    isShared: true,
    storedBytes: new StoredBytes(),
    toSharedTime: (now) => db.toServerTime(now),
    read: (unit) => runUnit(db, unit()),
    write,
    writeTogether: (boardId, unit) => db.writeTogether(boardId, (tx) => runUnit(tx, unit())),
    async writeSettings(settings, unit) {
      const value = await write(unit);
      // Other settings are not cached.
      if (settings === "keys") bus.publish("keys");
      return value;
    },
  };
}
