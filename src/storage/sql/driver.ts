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
  readonly index: IndexDialect;
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
  /** Turns the parameter `@name`, a JSON array of objects, into a table with these columns. Give it an alias. */
  rowsOfJson(name: string, columns: Readonly<Record<string, "text" | "bigint">>): string;
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

/** The differences between the tables of the search index. A board's rows are found by `@businessId` and `@number`. */
export type IndexDialect = {
  /** The columns that identify a board in every table of the index, and their parameters. */
  readonly boardColumns: string;
  readonly boardParams: string;
  /** Returns the condition that the row belongs to the board `@number` of `@businessId`. */
  isOfBoard(alias?: string): string;
  /** Returns the condition that the row belongs to the board `b`, a row of the table `board`. */
  isOfRow(alias: string): string;
  /** Conditions on chunks: the chunk is of one of the tiles `@tileIds` of `@businessId`; the chunk `c` is of the tile `t`. */
  readonly isOfTiles: string;
  readonly isOfTile: string;
  /** The columns with the offsets of a chunk in the text of its tile. */
  readonly start: string;
  readonly end: string;
  /** The table that counts a board's documents, and the condition that finds the row of the board `@number`. */
  readonly counters: string;
  readonly isCounter: string;
  /** Joins the counters as `i` to the board `b`. */
  readonly joinCounters: string;
  /** Serialises the writers of one board's index. */
  lock(board: { readonly businessId: string; readonly number: number }): Unit<void>;
  /** Returns the condition that the term begins with the parameter `@prefix`. */
  hasPrefix(column: string): string;
  /** Returns the bytes of a column of `rowsOfJson` that contains hexadecimal digits. */
  fromHex(column: string): string;
  /** The entries of a row of the table `posting` with the new ones appended. */
  readonly appendEntries: string;
  /** The version of the block `v` of vectors, and the assignment that changes it on each write. */
  readonly blockVersion: string;
  readonly setBlockVersion: string;
  /** The chunks of the tile `t`, as a JSON array of `[document, start, end]` in the order of their documents; null for none. */
  readonly chunksAsJson: string;
};

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
