import type { Unit } from "./unit.ts";

/** What the SQL of the two engines differs in. */
export type Dialect = {
  readonly engine: "sqlite" | "postgres";
  /** Appended to a SELECT whose rows the unit changes afterwards. */
  readonly forUpdate: string;
  /** Appended to a SELECT whose rows of the aliased table must stay as they are until the unit is committed. */
  forShareOf(alias: string): string;
  /** The function that returns the greatest of its arguments. */
  readonly greatest: string;
  /** The column that tells in which order deliveries were inserted. */
  readonly insertionOrder: string;
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
  /** Waits for other units that lock the same name, until this one is committed. */
  lock(kind: LockKind, name: string): Unit<void>;
};

/** What a lock is about; names of different kinds don't meet. */
export type LockKind = "email" | "backups" | "log-in" | "businesses";

/** Settings that are cached in memory: a change of them is announced to every process. */
export type CachedSettings = "keys" | "webhooks" | "boards";

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
};
