import type { Dialect } from "./driver.ts";
import { all, get, type Params, run, type SqlValue, type Unit } from "./unit.ts";

/** How a field is stored: in the column of its name in snake case, unless it names another one, and as it is, unless it is converted. */
export type Stored<Value> = { readonly column?: string; readonly convert?: (value: unknown) => Value };
type Fields<T> = { readonly [Name in keyof T]-?: Stored<T[Name]> };

export const plain: Stored<never> = {};
/** Defines several plain fields, which are stored without conversion in the columns of their names. */
export const plainFields = <Name extends string>(...names: readonly Name[]): Readonly<Record<Name, Stored<never>>> =>
  Object.fromEntries(names.map((name) => [name, plain])) as Record<Name, Stored<never>>;
/** Stored as 0 and 1 by SQLite. */
export const flag: Stored<boolean> = { convert: Boolean };
/** JSON text; null stays null. */
export const json: Stored<never> = { convert: (value) => (value === null ? null : JSON.parse(value as string)) as never };

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Reads objects of a type: the columns are selected under the names of the fields, so that most rows need no further work. */
export class Mapping<T extends object> {
  /** What is selected to read an object. */
  readonly columns: string;
  readonly #conversions: readonly (readonly [string, (value: unknown) => unknown])[];

  /** `alias` is how statements call the table, where they join others. */
  constructor(fields: Fields<T>, alias?: string) {
    const entries = Object.entries<Stored<unknown>>(fields);
    const prefix = alias === undefined ? "" : `${alias}.`;
    this.columns = entries.map(([name, { column = toSnakeCase(name) }]) => `${prefix}${column} AS "${name}"`).join(", ");
    this.#conversions = entries.flatMap(([name, { convert }]) => (convert === undefined ? [] : [[name, convert] as const]));
  }

  /** The row of these columns as an object; columns besides stay in it. */
  read<Row extends T>(row: Row): Row {
    const values = row as Record<string, unknown>;
    for (const [name, convert] of this.#conversions) values[name] = convert(values[name]);
    return row;
  }

  /** The first object of `from`, which is what follows FROM in a SELECT; null where there is none. */
  *find(from: string, params: Params = {}): Unit<T | null> {
    const row = yield* get<T>(`SELECT ${this.columns} FROM ${from}`, params);
    return row === undefined ? null : this.read(row);
  }

  /** As `find`, for what the unit changes afterwards; other units can't change it meanwhile. */
  findForChange({ forUpdate }: Dialect, from: string, params: Params): Unit<T | null> {
    return this.find(from + forUpdate, params);
  }

  *list(from: string, params: Params = {}): Unit<T[]> {
    return (yield* all<T>(`SELECT ${this.columns} FROM ${from}`, params)).map((row) => this.read(row));
  }
}

/** Inserts a row; columns are the names in snake case. */
export function* insert(table: string, values: Readonly<Record<string, SqlValue>>, onConflict = ""): Unit<number> {
  const names = Object.keys(values);
  return yield* run(
    `INSERT INTO ${table} (${names.map(toSnakeCase).join(", ")}) VALUES (${names.map((name) => `@${name}`).join(", ")})${onConflict}`,
    values,
  );
}
