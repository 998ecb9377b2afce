import type { Pool, QueryResult } from "pg";

export type Row = Record<string, unknown>;
export type Value = string | number | boolean | Buffer | null | readonly string[] | readonly number[] | readonly (string | null)[];

type Queryable = Pick<Pool, "query">;

/** Maximum number of prepared statements per connection. Further statements, which are few and rare, are sent as text. */
const MAX_PREPARED = 500;

const statementNames = new Map<string, string>();

function getStatementName(sql: string): string | undefined {
  let name = statementNames.get(sql);
  if (name === undefined && statementNames.size < MAX_PREPARED) {
    name = `t${statementNames.size}`;
    statementNames.set(sql, name);
  }
  return name;
}

/** PostgreSQL text can't contain NUL, which occurs only in untrusted content and in addresses that match nothing. */
const replaceNul = (value: Value): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;

/** Runs statements with positional parameters (`$1`, `$2` …). */
export class Reader {
  protected readonly connection: Queryable;

  constructor(connection: Queryable) {
    this.connection = connection;
  }

  async all<T extends Row>(sql: string, ...values: Value[]): Promise<T[]> {
    return (await this.query(sql, values)).rows as T[];
  }

  async get<T extends Row>(sql: string, ...values: Value[]): Promise<T | undefined> {
    return (await this.query(sql, values)).rows[0] as T | undefined;
  }

  /** Returns each row as an array of its columns. */
  async arrays(sql: string, ...values: Value[]): Promise<unknown[][]> {
    return (await this.query(sql, values, "array")).rows as unknown as unknown[][];
  }

  /** Runs SQL without parameters, which may contain several statements. Returns the result of the last one. */
  async executeSql(text: string): Promise<{ rows: Row[] }> {
    const result: unknown = await this.connection.query<Row>(text);
    return Array.isArray(result) ? (result.at(-1) as { rows: Row[] }) : (result as { rows: Row[] });
  }

  protected query(text: string, values: readonly Value[], rowMode?: "array"): Promise<QueryResult<Row>> {
    const name = getStatementName(text);
    const mode = rowMode === undefined ? {} : { rowMode };
    return this.connection.query<Row>({ text, values: values.map(replaceNul), ...(name === undefined ? {} : { name }), ...mode });
  }
}

/** One unit of work. After a conflict it runs again, so it must do nothing but read and write the database. */
export class Transaction extends Reader {
  /** Boards whose zones or tiles this unit changes. They are announced to every node after the commit. */
  readonly changedBoards = new Set<string>();

  /** Returns the number of changed rows. */
  async run(sql: string, ...values: Value[]): Promise<number> {
    return (await this.query(sql, values)).rowCount ?? 0;
  }
}
