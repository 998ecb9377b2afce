import { StoredBytes } from "../../sql/checks/stored-bytes.ts";
import type { Dialect, Driver, LockKind } from "../../sql/driver.ts";
import { get, type UnitCommand, type Unit } from "../../sql/unit.ts";
import type { Database } from "./database.ts";
import type { Reader, Transaction } from "./transaction.ts";
import type { NotificationBus } from "./notification-bus.ts";

/** Hash seeds of advisory locks, so that equal names of different kinds do not conflict. */
const LOCK_SEEDS: Readonly<Record<LockKind, number>> = { email: 0, backups: 1, "log-in": 2, businesses: 3, deliveries: 4 };

/** The advisory lock that serialises the claims of all nodes: an arbitrary unique number. */
const CLAIM_LOCK = 8_264_017_353;
/** The queue is empty most of the time. A statement that was planned then would read all of a later backlog instead of an index. */
const AVOIDED_PLANS = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin"];

export const POSTGRES: Dialect = {
  indexKey: ["business_id", "board_number"],
  locking: (clause) => ` ${clause}`,
  *lock(kind, name) {
    yield* get(`SELECT pg_advisory_xact_lock(hashtextextended(@name, ${LOCK_SEEDS[kind]}))`, { name });
  },
  *lockQueue() {
    const settings = AVOIDED_PLANS.map((name) => `set_config('${name}', 'off', TRUE)`);
    yield* get(`SELECT pg_advisory_xact_lock(${CLAIM_LOCK}), ${settings.join(", ")}`);
  },
  dueNow: "least(CAST(@now AS BIGINT), floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)",
  useIndex: () => "",
  unindexed: (column) => column,
  joinFirst: (_table, alias, _key, select) => `CROSS JOIN LATERAL (SELECT ${alias}.* ${select}) AS ${alias}`,
  isAnyOf: (column, name) => `${column} = ANY(@${name})`,
  concatBytes: (first, second) => `${first} || ${second}`,
  rowsOfJson(name, columns) {
    const record = Object.entries(columns).map(([column, type]) => `${column} ${type === "bytes" ? "text" : type}`);
    const values = Object.entries(columns).map(([column, type]) => (type === "bytes" ? `decode(${column}, 'hex') AS ${column}` : column));
    return `(SELECT ${values.join(", ")} FROM json_to_recordset(@${name}::json) AS json (${record.join(", ")}))`;
  },
};

function execute(on: Reader | Transaction, command: UnitCommand): unknown {
  if (command.kind === "boardChange") return void ("changedBoards" in on && on.changedBoards.add(command.boardId));
  const { kind, sql, params } = command;
  if (kind === "get") return on.get(sql, params);
  if (kind === "all") return on.all(sql, params);
  if (kind === "arrays") return on.arrays(sql, params);
  if (!("run" in on)) throw new Error("Only a transaction can change rows.");
  return on.run(sql, params);
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
