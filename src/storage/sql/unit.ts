/** A value of a parameter. Booleans and lists are converted for SQLite, which has neither. */
export type SqlValue = string | number | boolean | Buffer | null | readonly string[] | readonly number[];
/** Values by name. A statement refers to them as `@name`. */
export type Params = Readonly<Record<string, SqlValue>>;

/** One SQL statement with its parameters, and what it returns: the first row, all rows, all rows as arrays, or the number of changed rows. */
export type Statement = { readonly kind: "get" | "all" | "arrays" | "run"; readonly sql: string; readonly params: Params };

/** The unit changes this board, which the processes that watch it learn after the commit. */
export type BoardChange = { readonly kind: "boardChange"; readonly boardId: string };

export type UnitCommand = Statement | BoardChange;

/**
 * A unit of work, or a part of one: it yields commands and receives their results. SQLite runs it synchronously inside a group commit,
 * PostgreSQL asynchronously in a transaction, so it is written once for both. It may be run again after a conflict, so it must do nothing
 * but read and write the database.
 */
export type Unit<T> = Generator<UnitCommand, T, unknown>;

/** Returns the first row; undefined if there is none. */
export function* get<Row extends object>(sql: string, params: Params = {}): Unit<Row | undefined> {
  return (yield { kind: "get", sql, params }) as Row | undefined;
}

/** Returns the first row, converted; null if there is none. */
export function* find<Row extends object, Value>(sql: string, params: Params, convert: (row: Row) => Value): Unit<Value | null> {
  const row = yield* get<Row>(sql, params);
  return row === undefined ? null : convert(row);
}

export function* all<Row extends object>(sql: string, params: Params = {}): Unit<Row[]> {
  return (yield { kind: "all", sql, params }) as Row[];
}

/** Returns all rows as arrays of their columns. Objects would take a third of the time of a listing. */
export function* arrays<Row extends readonly unknown[]>(sql: string, params: Params = {}): Unit<Row[]> {
  return (yield { kind: "arrays", sql, params }) as Row[];
}

/** Returns the number of changed rows. */
export function* run(sql: string, params: Params = {}): Unit<number> {
  return (yield { kind: "run", sql, params }) as number;
}

/** Whether the statement returns any row. */
export function* exists(sql: string, params: Params = {}): Unit<boolean> {
  return (yield* get(sql, params)) !== undefined;
}

/** Notifies the processes that watch the board once the unit is committed. On SQLite, they poll a number that changes with each commit. */
export function* boardChanged(boardId: string): Unit<void> {
  yield { kind: "boardChange", boardId };
}
