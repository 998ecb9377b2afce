/** How a value stands in a row: text without NUL, a whole number, true or false, bytes as base64. Every kind may be null. */
export type Kind = "text" | "number" | "flag" | "bytes";

/** Columns with their kinds, sorted by their names, so that a row is always written in the same way. */
export type Columns = Readonly<Record<string, Kind>>;

/** Where one storage reads a table from, with the columns that it calls or counts differently. */
type Place = { readonly from: string; readonly as: Readonly<Record<string, string>> };

/** One table in the form that both storages share; names are PostgreSQL's. */
export type Table = {
  readonly name: string;
  readonly columns: Columns;
  /** The columns that SQLite reads its rows in the order of, so that a copy goes on after the last row that arrived. */
  readonly key: readonly string[];
  readonly sqlite: Place;
  readonly postgres: Place;
  /** Where PostgreSQL writes it to, a target's columns by their expressions; a table of its name with its columns where it is left out. */
  readonly into?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Columns of that table besides those, by their expressions. */
  readonly besides?: Readonly<Record<string, string>>;
  /** The column that PostgreSQL numbers by itself. */
  readonly numbered?: string;
  /** Most rows read from PostgreSQL at once, so that the largest of them fit into memory. */
  readonly page: number;
};

type Details = Partial<Omit<Table, "name" | "columns" | "sqlite" | "postgres">> & {
  readonly sqlite?: Partial<Place>;
  readonly postgres?: Partial<Place>;
};

const LARGE_PAGE = 500;
/** For tables whose rows may have several megabytes. */
export const SMALL_PAGE = 20;

/** Describes a table; what is left out is as most tables have it. */
export function table(name: string, columns: Columns, { sqlite, postgres, ...details }: Details = {}): Table {
  return {
    name,
    columns: Object.fromEntries(Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1))),
    key: ["business_id", "id"],
    page: LARGE_PAGE,
    sqlite: { from: name, as: {}, ...sqlite },
    postgres: { from: name, as: {}, ...postgres },
    ...details,
  };
}

const columnsOf = (kind: Kind, names: readonly string[]): Columns => Object.fromEntries(names.map((name) => [name, kind]));
export const text = (...names: readonly string[]): Columns => columnsOf("text", names);
export const number = (...names: readonly string[]): Columns => columnsOf("number", names);
export const flag = (...names: readonly string[]): Columns => columnsOf("flag", names);
export const bytes = (...names: readonly string[]): Columns => columnsOf("bytes", names);

/** Each column by its own name, as an expression. */
export const itself = (names: readonly string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, `"${name}"`]));
