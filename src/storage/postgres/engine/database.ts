import { Pool, type QueryResult, types } from "pg";
import { createBusyError } from "#domain/core/errors/storage-error.ts";
import { retry } from "#runtime/retry.ts";
import { createSemaphore, type Semaphore } from "#runtime/turns/semaphore.ts";
import { getCurrentOwner } from "#runtime/turns/current-owner.ts";
import type { Params } from "../../sql/unit.ts";
import { toAppError, isConnectionProblem, isRepeatable } from "./failure.ts";
import { GroupCommit } from "./group-commit.ts";
import { ServerClock } from "./server-clock.ts";
import { Reader, type Row, Transaction } from "./transaction.ts";

/** How often a unit of work is tried when it conflicts with another one. */
const MAX_ATTEMPTS = 8;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** This share of the connections is kept for businesses that use none, one each: those of a business can all wait for one lock. */
const RESERVED_SHARE = 1 / 4;
/** The server ends an idle transaction after this time, since other nodes may wait for its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;
/** How long to wait for a response beyond the statement timeout, before the connection counts as lost. */
const RESPONSE_TIMEOUT_MS = 5_000;
/** The OID of the type `bigint`. */
const INT8 = 20;

export type DatabaseOptions = {
  /** `postgres://…` */
  readonly url: string;
  /** Maximum number of connections of this process. */
  readonly connections: number;
  /** Turns statement timeouts off, for long work such as migrations. */
  readonly noTimeouts?: boolean;
};

/** A pool of connections. Every method throws an `AppError` with the code `unavailable` while the server is unreachable. */
export class Database extends Reader {
  readonly pool: Pool;
  readonly url: string;
  readonly #connections: Semaphore;
  readonly #maxConnections: number;
  /** Statements and transactions that have a connection, or wait for one. */
  #pending = 0;
  readonly #clock = new ServerClock(async () => {
    const row = await this.get<{ at: number }>("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at");
    return row?.at;
  });
  readonly #groupCommit = new GroupCommit((work) => this.write(work));
  #onCommit: (boards: ReadonlySet<string>) => void = () => {};

  constructor({ url, connections, noTimeouts = false }: DatabaseOptions) {
    const timeouts = {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS + RESPONSE_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    };
    const pool = new Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      ...(noTimeouts ? {} : timeouts),
      application_name: "tessera",
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: { getTypeParser: getTypeParser as typeof types.getTypeParser },
    });
    super(pool);
    this.pool = pool;
    this.url = url;
    const reserved = Math.floor(connections * RESERVED_SHARE);
    this.#maxConnections = connections - reserved;
    this.#connections = createSemaphore({ slots: connections - reserved, reserved });
    // The pool removes failed connections, and calls on them fail by themselves. Without listeners, these events would end the process.
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
  }

  /** Sets the listener that is called with the boards that a commit of this process changed. */
  onCommit(listener: (boards: ReadonlySet<string>) => void): void {
    this.#onCommit = listener;
  }

  /** Converts a time of this node to the clock of the server; see `ServerClock`. */
  toServerTime(now: number): Promise<number> {
    return this.#clock.toServerTime(now);
  }

  /** Runs `work` in a transaction and resolves after the commit. Runs it again after a conflict with another transaction. */
  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await retry(
        () => this.#inTurn(() => this.#attempt(work)),
        (error, attempt) => (isRepeatable(error) && attempt < MAX_ATTEMPTS ? Math.random() * 10 * attempt : null),
      );
    } catch (error) {
      throw toAppError(error);
    }
  }

  /** As `write`, but units with the same `key` may share a transaction; see `GroupCommit`. */
  writeTogether<T>(key: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#groupCommit.write(key, work);
  }

  async #attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    const tx = new Transaction(client);
    let connectionError: unknown;
    try {
      await client.query("BEGIN");
      const value = await work(tx);
      await client.query("COMMIT");
      this.#onCommit(tx.changedBoards);
      return value;
    } catch (error) {
      // A connection that was lost, timed out or is read-only is closed. The server rolls back its transaction.
      if (isConnectionProblem(error)) connectionError = error;
      else await client.query("ROLLBACK").catch((rollbackError: unknown) => (connectionError = rollbackError));
      throw error;
    } finally {
      client.release(connectionError instanceof Error ? connectionError : connectionError !== undefined);
    }
  }

  protected override async query(sql: string, params: Params, rowMode?: "array"): Promise<QueryResult<Row>> {
    try {
      return await this.#inTurn(() => super.query(sql, params, rowMode));
    } catch (error) {
      throw toAppError(error);
    }
  }

  /**
   * Runs work that takes a connection when it is the turn of its caller: businesses take turns, then the keys and members of each, and
   * background work is one of them. Throws `unavailable` if there is no turn for it in time.
   */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const owner = getCurrentOwner();
    // A timer for each statement would cost more than its turn, and those that find a connection need none.
    const signal = this.#pending < this.#maxConnections ? undefined : AbortSignal.timeout(CONNECT_TIMEOUT_MS);
    let isWaiting = true;
    this.#pending++;
    try {
      return await this.#connections.run(() => ((isWaiting = false), work()), { signal, ...(owner === undefined ? {} : { owner }) });
    } catch (error) {
      throw isWaiting ? createBusyError(error) : error;
    } finally {
      this.#pending--;
    }
  }

  async close(): Promise<void> {
    if (!this.pool.ending) await this.pool.end();
  }
}

/** Parses `bigint` as a number. pg returns text by default, but all our values are safe integers. */
function getTypeParser(oid: number, format: "text" | "binary" = "text"): unknown {
  return oid === INT8 ? Number : types.getTypeParser(oid, format as "text");
}
