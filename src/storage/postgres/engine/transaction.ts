import type { Pool, QueryResult } from "pg";
import type { Params, SqlValue } from "../../sql/unit.ts";

export type Row = Record<string, unknown>;
type Queryable = Pick<Pool, "query">;

/** Maximum number of prepared statements per connection. Further statements, which are few and rare, are sent as text. */
const MAX_PREPARED = 500;

/** A statement with positional parameters, and the names of their values. `name` is that of the prepared statement. */
type Positional = { readonly text: string; readonly names: readonly string[]; readonly name?: string };

const prepared = new Map<string, Positional>();

function toPositional(sql: string): Positional {
  const known = prepared.get(sql);
  if (known !== undefined) return known;
  const names: string[] = [];
  const text = sql.replace(/@([a-zA-Z]\w*)/g, (_all, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  if (prepared.size >= MAX_PREPARED) return { text, names };
  const positional = { text, names, name: `t${prepared.size}` };
  prepared.set(sql, positional);
  return positional;
}

/** Returns the value of a parameter. PostgreSQL text can't contain NUL, which occurs only in untrusted content and in addresses that match nothing. */
function toPostgres(name: string, value: SqlValue | undefined): unknown {
  if (value === undefined) throw new Error(`The parameter @${name} is missing.`);
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}

/** Runs statements with named parameters (`@name`). */
export class Reader {
  protected readonly connection: Queryable;

  constructor(connection: Queryable) {
    this.connection = connection;
  }

  async all<T extends Row>(sql: string, params: Params = {}): Promise<T[]> {
    return (await this.query(sql, params)).rows as T[];
  }

  async get<T extends Row>(sql: string, params: Params = {}): Promise<T | undefined> {
    return (await this.query(sql, params)).rows[0] as T | undefined;
  }

  /** Returns each row as an array of its columns. */
  async arrays(sql: string, params: Params = {}): Promise<unknown[][]> {
    return (await this.query(sql, params, "array")).rows as unknown as unknown[][];
  }

  /** Runs SQL without parameters, which may contain several statements. Returns the result of the last one. */
  async executeSql(text: string): Promise<{ rows: Row[] }> {
    const result: unknown = await this.connection.query<Row>(text);
    return Array.isArray(result) ? (result.at(-1) as { rows: Row[] }) : (result as { rows: Row[] });
  }

  protected query(sql: string, params: Params, rowMode?: "array"): Promise<QueryResult<Row>> {
    const { names, ...statement } = toPositional(sql);
    const values = names.map((name) => toPostgres(name, params[name]));
    return this.connection.query<Row>({ ...statement, values, ...(rowMode === undefined ? {} : { rowMode }) });
  }
}

/** One unit of work. After a conflict it runs again, so it must do nothing but read and write the database. */
export class Transaction extends Reader {
  /** Boards whose zones or tiles this unit changes. They are announced to every node after the commit. */
  readonly changedBoards = new Set<string>();

  /** Returns the number of changed rows. */
  async run(sql: string, params: Params = {}): Promise<number> {
    return (await this.query(sql, params)).rowCount ?? 0;
  }
}
