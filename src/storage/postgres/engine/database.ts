import { Client, Pool, type QueryResult, types } from "pg";
import { AppError } from "#domain/core/error.ts";
import { runDetached } from "#runtime/work-context.ts";
import { retry } from "#runtime/retry.ts";
import { toAppError, isUnavailable, isRepeatable } from "./failure.ts";

export type Row = Record<string, unknown>;
export type Value = string | number | boolean | Buffer | null | readonly string[] | readonly number[] | readonly (string | null)[];

type Queryable = Pick<Pool, "query">;

/** Most statements that stay prepared on a connection; the rest, which are few and rare, are sent whole. */
const MAX_PREPARED = 500;
/** How often a unit of work that met another one is run again. */
const MAX_ATTEMPTS = 8;
const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;
/** A transaction whose node fell silent is ended, since others may wait for its locks. */
const SILENT_MS = 10_000;
/** How long an answer may be on its way beyond that, before the connection is taken for dead. */
const ANSWER_MS = 5_000;
const INT8 = 20;
/** How often the server's clock is read, and what difference to it counts for nothing, in milliseconds. */
const SERVER_TIME_MS = 30_000;
const SAME_TIME_MS = 1_000;

/** A text column takes no NUL, which only content from outside and addresses that match nothing can hold. */
const sendable = (value: Value): unknown => (typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value);

const names = new Map<string, string>();

function nameOf(sql: string): string | undefined {
  let name = names.get(sql);
  if (name === undefined && names.size < MAX_PREPARED) {
    name = `t${names.size}`;
    names.set(sql, name);
  }
  return name;
}

/** Reads with the statements given as SQL with `$1`, `$2` …; whole numbers come as numbers. */
export class Reader {
  protected readonly on: Queryable;

  constructor(on: Queryable) {
    this.on = on;
  }

  async all<T extends Row>(sql: string, ...values: Value[]): Promise<T[]> {
    return (await this.query(sql, values)).rows as T[];
  }

  async get<T extends Row>(sql: string, ...values: Value[]): Promise<T | undefined> {
    return (await this.query(sql, values)).rows[0] as T | undefined;
  }

  /** Rows as lists of their columns. */
  async arrays(sql: string, ...values: Value[]): Promise<unknown[][]> {
    return (await this.query(sql, values, "array")).rows as unknown as unknown[][];
  }

  protected query(text: string, values: readonly Value[], rowMode?: "array"): Promise<QueryResult<Row>> {
    const name = nameOf(text);
    const mode = rowMode === undefined ? {} : { rowMode };
    return this.on.query<Row>({ text, values: values.map(sendable), ...(name === undefined ? {} : { name }), ...mode });
  }
}

/** One unit of work: all of it is committed, or nothing. It may be run again, so it does nothing but read and write the database. */
export class Transaction extends Reader {
  /** Boards whose zones or tiles this unit changes; told to every node once it is committed. */
  readonly changedBoards = new Set<string>();
  /** What is gathered during the unit and written as one, right before it is committed. */
  readonly beforeCommit: (() => Promise<void>)[] = [];

  /** How many rows changed. */
  async run(sql: string, ...values: Value[]): Promise<number> {
    return (await this.query(sql, values)).rowCount ?? 0;
  }

  /** Runs a statement as another library wrote it. */
  async executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }> {
    const result: unknown = await this.on.query<Row>(text, values);
    return Array.isArray(result) ? (result.at(-1) as { rows: Row[] }) : (result as { rows: Row[] });
  }
}

export type DatabaseOptions = {
  /** `postgres://…` */
  readonly url: string;
  /** Most connections of this process at once. */
  readonly connections: number;
  /** For long work such as migrations: no statement is ended for its time. */
  readonly isPatient?: boolean;
};

/** A unit of work that may share its transaction with others. */
type Unit = {
  readonly work: (tx: Transaction) => Promise<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
};

/** Most units in one transaction. */
const MAX_TOGETHER = 64;

type OnConnect = ((error: Error) => void) | ((error: null, client: Client) => void);

/** A connection serves many jobs and calls, so what it does later belongs to none of them, nor to the first. */
class SharedClient extends Client {
  override connect(): Promise<Client>;
  override connect(callback: OnConnect): void;
  override connect(callback?: OnConnect): Promise<Client> | void {
    return runDetached(() => (callback === undefined ? super.connect() : super.connect(callback)));
  }
}

/** A pool of connections. Every method throws an `unavailable` refusal while the server can't be reached. */
export class Database extends Reader {
  readonly pool: Pool;
  readonly url: string;
  /** Statements that each connection begins with. */
  #sessionStatements: readonly string[] = [];
  readonly #groups = new Map<string, Unit[]>();
  /** What the server's clock showed, as an offset to `performance.now()`. */
  #server: { readonly readAt: number; readonly offset: number } | null = null;
  #onCommit: (boards: ReadonlySet<string>) => void = () => {};

  constructor({ url, connections, isPatient = false }: DatabaseOptions) {
    const pool = new Pool({
      Client: SharedClient,
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: 60_000,
      ...(isPatient
        ? {}
        : { statement_timeout: STATEMENT_MS, query_timeout: STATEMENT_MS + ANSWER_MS, idle_in_transaction_session_timeout: SILENT_MS }),
      application_name: "tessera",
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: { getTypeParser: parserOf as typeof types.getTypeParser },
    });
    super(pool);
    this.pool = pool;
    this.url = url;
    // A connection that ends is left out by the pool, and whoever asks it is told by its own call; unheard, the event would end the process.
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    const prepared = new WeakMap<object, readonly string[]>();
    pool.on("acquire", (client) => {
      if (prepared.get(client) === this.#sessionStatements || this.#sessionStatements.length === 0) return;
      prepared.set(client, this.#sessionStatements);
      // Queued before whatever the connection is taken for; a failure ends the connection, and its user is told.
      for (const statement of this.#sessionStatements) client.query(statement).catch(() => {});
    });
  }

  /** Called with the boards that a commit of this process changed. */
  onCommit(listener: (boards: ReadonlySet<string>) => void): void {
    this.#onCommit = listener;
  }

  /**
   * A time of this node's clock as the server's clock has it, so that nodes whose clocks differ, or are set, agree on leases. The
   * server's clock is read twice a minute and followed by monotonic time between.
   */
  async toServerTime(now: number): Promise<number> {
    const monotonic = performance.now();
    if (this.#server === null || monotonic - this.#server.readAt > SERVER_TIME_MS) {
      const row = await this.get<{ at: number }>("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at");
      // Half of the way there and back is taken for the way there.
      this.#server = { readAt: performance.now(), offset: (row?.at ?? Date.now()) - (monotonic + performance.now()) / 2 };
    }
    const difference = this.#server.offset + performance.now() - Date.now();
    return Math.abs(difference) < SAME_TIME_MS ? now : now + Math.round(difference);
  }

  /** Runs `work` in a transaction, again where it met another one; answers once it is committed. */
  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await retry(
        () => this.#attempt(work),
        (error, attempt) => (isRepeatable(error) && attempt < MAX_ATTEMPTS ? Math.random() * 10 * attempt : null),
      );
    } catch (error) {
      throw toAppError(error);
    }
  }

  /**
   * As `write`, for units that would wait for each other's locks, which `key` names: those that come while one transaction of theirs
   * is under way share the next one, and one flush. A unit that throws is run again alone, and the others without it.
   */
  writeTogether<T>(key: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const unit: Unit = { work, resolve, reject };
      const group = this.#groups.get(key);
      if (group !== undefined) group.push(unit);
      else {
        this.#groups.set(key, [unit]);
        void this.#runGroup(key);
      }
    });
  }

  async #runGroup(key: string): Promise<void> {
    for (;;) {
      const units = this.#groups.get(key)?.splice(0, MAX_TOGETHER) ?? [];
      if (units.length === 0) break;
      await this.#runTogether(units);
    }
    this.#groups.delete(key);
  }

  async #runTogether(units: readonly Unit[]): Promise<void> {
    const alone = ({ work, resolve, reject }: Unit): Promise<void> => this.write(work).then(resolve as (value: unknown) => void, reject);
    if (units.length === 1) return alone(units[0] as Unit);
    let reached = 0;
    try {
      const values = await this.write(async (tx) => {
        const made: unknown[] = [];
        for (reached = 0; reached < units.length; reached++) made.push(await (units[reached] as Unit).work(tx));
        return made;
      });
      units.forEach(({ resolve }, i) => resolve(values[i] as never));
    } catch (error) {
      // Where the connection was lost the commit may have happened, and a second run would do it twice.
      if (error instanceof AppError && error.code === "unavailable") {
        for (const { reject } of units) reject(error);
        return;
      }
      const culprit = units[reached];
      if (culprit !== undefined) await alone(culprit);
      const others = units.filter((unit) => unit !== culprit);
      // A commit that fails names nobody; then each is on its own.
      if (culprit !== undefined && others.length > 0) await this.#runTogether(others);
      else for (const unit of others) await alone(unit);
    }
  }

  async #attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    const tx = new Transaction(client);
    let fault: unknown;
    try {
      await client.query("BEGIN");
      const value = await work(tx);
      for (const write of tx.beforeCommit) await write();
      await client.query("COMMIT");
      this.#onCommit(tx.changedBoards);
      return value;
    } catch (error) {
      // A connection that was lost, timed out or leads to a server that takes no writes is not used again; the server undoes what it left open.
      if (isUnavailable(error)) fault = error;
      else await client.query("ROLLBACK").catch((failure: unknown) => (fault = failure));
      throw error;
    } finally {
      client.release(fault instanceof Error ? fault : fault !== undefined);
    }
  }

  protected override async query(text: string, values: readonly Value[], rowMode?: "array"): Promise<QueryResult<Row>> {
    try {
      return await super.query(text, values, rowMode);
    } catch (error) {
      throw toAppError(error);
    }
  }

  /** Runs statements as another library wrote them, outside of any transaction of ours. */
  async executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }> {
    const result: unknown = await this.pool.query<Row>(text, values);
    return Array.isArray(result) ? (result.at(-1) as { rows: Row[] }) : (result as { rows: Row[] });
  }

  /** Has every connection run these statements before anything else. */
  async setSessionStatements(statements: string[]): Promise<void> {
    this.#sessionStatements = statements;
  }

  async close(): Promise<void> {
    if (!this.pool.ending) await this.pool.end();
  }
}

/** Numbers of eight bytes come as text by default; none of ours is beyond what a number holds exactly. */
function parserOf(oid: number, format: "text" | "binary" = "text"): unknown {
  return oid === INT8 ? Number : types.getTypeParser(oid, format as "text");
}
