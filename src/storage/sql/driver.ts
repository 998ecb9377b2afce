import type { StoredBytes } from "./idempotency-bytes.ts";
import { get, type Params, type Unit } from "./unit.ts";

/** The differences between the SQL of the two engines. */
export type Dialect = {
  readonly engine: "sqlite" | "postgres";
  /** Appended to a SELECT whose rows the unit is going to change. */
  readonly forUpdate: string;
  /** Appended to a SELECT. Keeps other units from changing the rows of the aliased table until this one is committed. */
  forShareOf(alias: string): string;
  /** Appended to a SELECT, after its limit. Locks the rows of the aliased table, and skips rows that another unit has locked. */
  skipLockedOf(alias: string): string;
  /** The function that returns the greatest of its arguments. */
  readonly greatest: string;
  /** The column that orders deliveries and jobs by their insertion. */
  readonly insertionOrder: string;
  /** Columns of tiles that the engines name differently. */
  readonly tile: {
    /** True if the tile is in the search index, or does not belong there. */
    readonly indexed: string;
    /** Whether the passages of the tile have vectors. */
    readonly embedded: string;
    /** Whether the event `tile.ready` was recorded. */
    readonly announced: string;
  };
  /**
   * The columns that identify a board in the tables of the search index. Numbers of boards are unique in a SQLite file, and within a
   * business on PostgreSQL.
   */
  readonly indexKey: readonly ("business_id" | "board_number")[];
  /** Returns a condition on a boolean column, in the form that partial indexes use. */
  is(column: string, value: boolean): string;
  /** As `is`, negated; true also for null. */
  isNot(column: string, value: boolean): string;
  /** Appended to a table. Makes SQLite use this index instead of a slower one; empty on PostgreSQL. */
  useIndex(name: string): string;
  /** Returns the column in a form that keeps SQLite from using its index; the column itself on PostgreSQL. */
  unindexed(column: string): string;
  /**
   * Joins, to each row before it, only the rows that `select` returns: the FROM part of a query on the aliased table, with an order and a
   * limit. It may refer to the row before.
   */
  joinFirst(table: string, alias: string, select: string): string;
  /** Returns the condition that the column is one of the values of the list parameter `@name`. */
  isAnyOf(column: string, name: string): string;
  /** Returns the condition that the text column is a JSON array of strings that contains the parameter `@name`. */
  jsonArrayHas(column: string, name: string): string;
  /** Returns the bytes of two columns, one after the other. */
  concatBytes(first: string, second: string): string;
  /** Turns the parameter `@name`, a JSON array of objects, into a table with these columns. Give it an alias. Bytes are hexadecimal in JSON. */
  rowsOfJson(name: string, columns: JsonColumns): string;
  /** Notifies the processes that watch the board once the unit is committed. */
  boardChanged(boardId: string): Unit<void>;
  /**
   * Keeps other units from changing these rows until this one is committed. Rows are locked in the order of their ids, to avoid
   * deadlocks.
   */
  lockRows(table: "board" | "tile", businessId: string, ids: readonly string[]): Unit<void>;
  /** Serialises units that change the members or the boards of a business. */
  lockBusiness(businessId: string): Unit<void>;
  /**
   * The time at which a job that the unit creates at `@now` is due: at once, also if the clock of this process is ahead of the shared one.
   */
  readonly dueNow: string;
  /** Serialises the claims of all processes, so that together they respect the limits, and prepares the unit for searching a backlog. */
  lockClaims(): Unit<void>;
  /** Waits until no other unit holds the lock of this name, and holds it until this unit is committed. */
  lock(kind: LockKind, name: string): Unit<void>;
};

/** The columns of a table made of JSON. */
export type JsonColumns = Readonly<Record<string, "text" | "bigint" | "bytes">>;

/** The purpose of an advisory lock. Equal names of different kinds are different locks. */
export type LockKind = "email" | "backups" | "log-in" | "businesses";

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
export const readForChange = <Row extends object>({ forUpdate }: Dialect, sql: string, params: Params): Unit<Row | undefined> =>
  get<Row>(sql + forUpdate, params);
