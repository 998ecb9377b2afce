/** The type of a column: text without NUL, a whole number, a boolean, or bytes as base64. Every column may be null. */
export type ColumnType = "text" | "number" | "flag" | "bytes";

/** Columns and their types, sorted by name, so that a row always serialises in the same way. */
export type Columns = Readonly<Record<string, ColumnType>>;

/** One table in the format shared by both databases. */
export type Table = {
  readonly name: string;
  readonly columns: Columns;
  /** The columns that SQLite rows are ordered by, so that a copy resumes after the last copied row. */
  readonly key: readonly string[];
  /** Expressions for the columns that the table does not have on SQLite. */
  readonly onSqlite: Readonly<Record<string, string>>;
  /** The column that PostgreSQL numbers with a sequence. */
  readonly sequence?: string;
  /** Rows read from PostgreSQL at once, limited so that large rows fit into memory. */
  readonly page: number;
};

const LARGE_PAGE = 500;
/** For tables whose rows may be several megabytes. */
export const SMALL_PAGE = 20;

/** Defines a table. Omitted details have defaults that fit most tables. */
export function table(name: string, columns: Columns, details: Partial<Omit<Table, "name" | "columns">> = {}): Table {
  return {
    name,
    columns: Object.fromEntries(Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1))),
    key: ["business_id", "id"],
    page: LARGE_PAGE,
    onSqlite: {},
    ...details,
  };
}

const toColumns = (kind: ColumnType, names: readonly string[]): Columns => Object.fromEntries(names.map((name) => [name, kind]));
export const textColumns = (...names: readonly string[]): Columns => toColumns("text", names);
export const numberColumns = (...names: readonly string[]): Columns => toColumns("number", names);
export const flagColumns = (...names: readonly string[]): Columns => toColumns("flag", names);
export const bytesColumns = (...names: readonly string[]): Columns => toColumns("bytes", names);
