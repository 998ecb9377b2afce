import { get, type Params, type Unit } from "./unit.ts";

/** What the SQL of the two engines differs in. */
export type Dialect = {
  readonly engine: "sqlite" | "postgres";
  /** Appended to a SELECT whose rows the unit changes afterwards. */
  readonly forUpdate: string;
  /** Appended to a SELECT whose rows of the aliased table must stay as they are until the unit is committed. */
  forShareOf(alias: string): string;
  /** Appended to a SELECT, after its limit: locks the rows of the aliased table, and passes over those that another unit has locked. */
  skipLockedOf(alias: string): string;
  /** The function that returns the greatest of its arguments. */
  readonly greatest: string;
  /** The column that orders deliveries by their insertion. */
  readonly insertionOrder: string;
  /** Columns of tiles that the engines name differently. */
  readonly tile: {
    /** Whether the tile's terms are in the search index, or have nothing to do there. */
    readonly indexed: string;
    /** Whether the tile's passages have their vectors. */
    readonly embedded: string;
    /** Whether `tile.ready` was recorded once. */
    readonly announced: string;
  };
  readonly index: IndexDialect;
  /** A condition on a column of flags, in the form in which partial indexes state it. */
  is(column: string, value: boolean): string;
  /** As `is`, negated; true also for null. */
  isNot(column: string, value: boolean): string;
  /** Written after a table: SQLite's planner must use this index, since it would choose another one; elsewhere nothing. */
  useIndex(name: string): string;
  /** The column in a form that keeps SQLite's planner from using its index; elsewhere the column itself. */
  unindexed(column: string): string;
  /** A condition: the column is one of the values of the list parameter `@name`. */
  isAnyOf(column: string, name: string): string;
  /** A condition: the text column, a JSON array of strings, holds the parameter `@name`. */
  jsonArrayHas(column: string, name: string): string;
  /** A table of the parameter `@name`, a JSON array of objects with these columns; it must be given an alias. */
  rowsOfJson(name: string, columns: Readonly<Record<string, "text" | "bigint">>): string;
  /** Announces to the processes that watch the board, once the unit is committed, that it changed. */
  boardChanged(boardId: string): Unit<void>;
  /**
   * Keeps other units from changing these rows until this one is committed. Several rows are locked in the order of their ids, so that
   * two units do not wait for each other in a circle.
   */
  lockRows(table: "board" | "tile", businessId: string, ids: readonly string[]): Unit<void>;
  /** Units that change what a business has once, such as its members or boards, run one after the other. */
  lockBusiness(businessId: string): Unit<void>;
  /** Waits for other units that lock the same name, until this one is committed. */
  lock(kind: LockKind, name: string): Unit<void>;
};

/** What the tables of the search index differ in. The rows of a board are found by `@businessId` and `@number`. */
export type IndexDialect = {
  /** The columns that name a board in every table of the index, and their parameters. */
  readonly boardColumns: string;
  readonly boardParams: string;
  /** A condition: the row is of the board `@number` of `@businessId`. */
  isOfBoard(alias?: string): string;
  /** A condition: the row is of the board `b`, a row of the table `board`. */
  isOfRow(alias: string): string;
  /** Conditions on chunks: the chunk is of one of the tiles `@tileIds` of `@businessId`; the chunk `c` is of the tile `t`. */
  readonly isOfTiles: string;
  readonly isOfTile: string;
  /** The columns of a chunk's place in its tile's text. */
  readonly start: string;
  readonly end: string;
  /** The table that counts a board's documents, and the condition that finds the row of the board `@number`. */
  readonly counters: string;
  readonly isCounter: string;
  /** Joins the counters as `i` to the board `b`. */
  readonly joinCounters: string;
  /** All writers of one board's index run one after the other; a reader sees each whole. */
  lock(board: { readonly businessId: string; readonly number: number }): Unit<void>;
  /** A condition: the term begins with the parameter `@prefix`. */
  hasPrefix(column: string): string;
  /** The bytes that the column of a `rowsOfJson` table holds as hexadecimal digits. */
  fromHex(column: string): string;
  /** Appends new entries to what the row of the table `posting` holds. */
  readonly appendEntries: string;
  /** The version of the block `v` of vectors, and what gives it a new one on each write. */
  readonly blockVersion: string;
  readonly setBlockVersion: string;
  /** The chunks of the tile `t`, as a JSON array of `[document, start, end]` in the order of their documents; null for none. */
  readonly chunksAsJson: string;
};

/** What an advisory lock is about; names of different kinds are different locks. */
export type LockKind = "email" | "backups" | "log-in" | "businesses";

/** Settings that are cached in memory: a change of them is announced to every process. */
export type CachedSettings = "keys" | "webhooks" | "boards";

/** A board by its key; boards themselves are accepted too. */
export type BoardKey = { readonly businessId: string; readonly id: string };

/** Runs units of work on one engine. */
export type Driver = {
  readonly dialect: Dialect;
  /** A time of this process, in milliseconds since 1970, by the clock that all processes share: leases are compared by it. */
  toSharedTime(now: number): Promise<number>;
  /** Runs a unit that only reads; its statements may see different commits. */
  read<T>(unit: () => Unit<T>): Promise<T>;
  /** Commits all of the unit or nothing; the promise settles once that is durable. Runs the unit again after a conflict. */
  write<T>(unit: () => Unit<T>): Promise<T>;
  /** As `write`, for settings that are cached. */
  writeSettings<T>(settings: CachedSettings, unit: () => Unit<T>): Promise<T>;
  /** As `write`; units on one board that come together may share a transaction. */
  writeTogether<T>(boardId: string, unit: () => Unit<T>): Promise<T>;
};

/** Reads a row that the unit changes afterwards, and keeps other units from changing it meanwhile. */
export const readForChange = <Row extends object>({ forUpdate }: Dialect, sql: string, params: Params): Unit<Row | undefined> =>
  get<Row>(sql + forUpdate, params);
