import type { StoredBytes } from "./checks/stored-bytes.ts";
import { get, type Params, type Unit } from "./unit.ts";

/** The differences between the SQL of the two engines. */
export type Dialect = {
  /**
   * The columns that identify a board in the tables of the search index. Numbers of boards are unique in a SQLite file, and within a
   * business on PostgreSQL.
   */
  readonly indexKey: readonly ("business_id" | "board_number")[];
  /**
   * Returns a locking clause for the end of a SELECT, such as `FOR UPDATE OF t SKIP LOCKED`. Empty on SQLite, whose writer runs one unit at
   * a time.
   */
  locking(clause: string): string;
  /** Waits until no other unit holds the lock of this name, and holds it until this unit is committed. */
  lock(kind: LockKind, name: string): Unit<void>;
  /** Serialises the claims of all processes, so that together they respect the limits, and prepares the unit for searching a backlog. */
  lockQueue(): Unit<void>;
  /**
   * The time at which a job that the unit creates at `@now` is due: at once, also if the clock of this process is ahead of the shared one.
   */
  readonly dueNow: string;
  /** Appended to a table. Makes SQLite use this index instead of a slower one; empty on PostgreSQL. */
  useIndex(name: string): string;
  /** Returns the column in a form that keeps SQLite from using its index; the column itself on PostgreSQL. */
  unindexed(column: string): string;
  /**
   * Joins, to each row before it, only the rows that `select` returns: the FROM part of a query on the aliased table, with an order and a
   * limit. It may refer to the row before. SQLite finds the rows by `key`, a unique column of numbers.
   */
  joinFirst(table: string, alias: string, key: string, select: string): string;
  /** Returns the condition that the column is one of the values of the list parameter `@name`. */
  isAnyOf(column: string, name: string): string;
  /** Returns the bytes of two columns, one after the other. */
  concatBytes(first: string, second: string): string;
  /** Turns the parameter `@name`, a JSON array of objects, into a table with these columns. Give it an alias. */
  rowsOfJson(name: string, columns: JsonColumns): string;
};

/** The columns of a table made of JSON. Bytes are hexadecimal digits in JSON. */
export type JsonColumns = Readonly<Record<string, "text" | "bigint" | "bytes">>;

/** The purpose of an advisory lock. Equal names of different kinds are different locks. */
export type LockKind = "email" | "backups" | "log-in" | "businesses" | "deliveries";

/** Settings that every process caches in memory, so their changes are published. */
export type CachedSettings = "keys" | "webhooks" | "boards";

/** Identifies a board. A board itself fits as well. */
export type BoardKey = { readonly businessId: string; readonly id: string };

/** Runs units of work on one engine. */
export type Driver = {
  readonly dialect: Dialect;
  /** Whether several processes may do the work of the store. */
  readonly isShared: boolean;
  /** The responses to calls with an idempotency key that this store has committed. */
  readonly storedBytes: StoredBytes;
  /** Converts a time of this process to the clock that all processes share, in milliseconds since 1970. Leases use it. */
  toSharedTime(now: number): Promise<number>;
  /** Runs a unit that only reads; its statements may see different commits. */
  read<T>(unit: () => Unit<T>): Promise<T>;
  /** Runs the unit in a transaction. Resolves once it is durable. Runs the unit again after a conflict. */
  write<T>(unit: () => Unit<T>): Promise<T>;
  /** As `write`, for settings that are cached. */
  writeSettings<T>(settings: CachedSettings, unit: () => Unit<T>): Promise<T>;
  /** As `write`. Concurrent units of one board may share a transaction. */
  writeTogether<T>(boardId: string, unit: () => Unit<T>): Promise<T>;
};

/** Reads and locks a row that the unit is going to change. */
export const readForChange = <Row extends object>({ locking }: Dialect, sql: string, params: Params): Unit<Row | undefined> =>
  get<Row>(sql + locking("FOR UPDATE"), params);

/**
 * Keeps other units from changing these rows until this one is committed. Rows are locked in the order of their ids, to avoid deadlocks.
 */
export function* lockRows(
  { locking, isAnyOf }: Dialect,
  table: "board" | "tile" | "subscription",
  businessId: string,
  ids: readonly string[],
): Unit<void> {
  // The key of a board does not change, so rows that refer to it can still be written.
  const clause = locking(table === "board" ? "FOR NO KEY UPDATE" : "FOR UPDATE");
  if (clause === "") return;
  yield* get(`SELECT 1 FROM ${table} WHERE business_id = @businessId AND ${isAnyOf("id", "ids")} ORDER BY id${clause}`, {
    businessId,
    ids,
  });
}

/** Serialises units that change the members, the boards or the webhook of a business. */
export function* lockBusiness({ locking }: Dialect, businessId: string): Unit<void> {
  // A unit that changes a board twice shares the key of its business, and may hold the webhook that this unit waits for.
  const clause = locking("FOR NO KEY UPDATE");
  if (clause !== "") yield* get(`SELECT 1 FROM business WHERE id = @businessId${clause}`, { businessId });
}
