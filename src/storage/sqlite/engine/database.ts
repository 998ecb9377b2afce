import Database from "better-sqlite3";
import type { Statement } from "better-sqlite3";
import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "#runtime/files/make-folder.ts";
import type { Params, Statement as SqlStatement } from "../../sql/unit.ts";
import { setIncremental } from "../opening/free-pages.ts";
import { toStorageError, withStorageErrors } from "./failure.ts";
import { noDurability, WriteAheadLog } from "./write-ahead-log.ts";
import { Writer, type WriterOptions } from "./writer.ts";

export type Row = Record<string, unknown>;
type SqliteParams = Record<string, string | number | Buffer | null>;

/** How long to wait for a lock of another process, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/** A connection with its prepared statements, group commit and change counters. */
export class Connection {
  readonly raw: Database.Database;
  readonly #writer: Writer;
  readonly #log: WriteAheadLog | undefined;
  readonly #statements = new Map<string, Statement<[SqliteParams], Row>>();
  readonly #dataVersion: Statement;
  #settingsCommits = 0;
  #version = 0;
  #isVersionFresh = false;

  /** `file` may be `:memory:`. A file and its folder are readable by their owner only. */
  constructor(file: string, options: WriterOptions = {}) {
    if (file !== ":memory:") makeFolder(dirname(file));
    this.raw = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    if (file !== ":memory:") chmodSync(file, 0o600);
    setIncremental(this.raw);
    useWriteAheadLog(this.raw);
    // The writer flushes commits in another thread. A flush by SQLite would block all readers.
    this.raw.pragma("synchronous = NORMAL");
    this.raw.pragma("foreign_keys = ON");
    this.raw.pragma("cache_size = -16384");
    this.raw.pragma("temp_store = MEMORY");
    this.#log = this.raw.memory ? undefined : new WriteAheadLog(this.raw);
    this.#writer = new Writer(this.raw, this.#log ?? noDurability, options);
    this.#dataVersion = this.raw.prepare("PRAGMA data_version").pluck();
  }

  /** Returns the prepared statement for `sql`, which is compiled once. */
  #prepare(sql: string): Statement<[SqliteParams], Row> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.raw.prepare<[SqliteParams], Row>(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs a statement. Throws the errors of SQLite. */
  execute({ kind, sql, params }: SqlStatement): unknown {
    const statement = this.#prepare(sql);
    const values = toSqlite(params);
    if (kind === "get") return statement.get(values);
    if (kind === "all") return statement.all(values);
    if (kind === "run") return statement.run(values).changes;
    const rows = statement.raw(true).all(values);
    // The statement is cached, and may be used for objects next.
    statement.raw(false);
    return rows;
  }

  get<T extends Row>(sql: string, params: Params = {}): T | undefined {
    return withStorageErrors(() => this.execute({ kind: "get", sql, params })) as T | undefined;
  }

  all<T extends Row>(sql: string, params: Params = {}): T[] {
    return withStorageErrors(() => this.execute({ kind: "all", sql, params })) as T[];
  }

  /** Returns the number of changed rows. */
  run(sql: string, params: Params = {}): number {
    return withStorageErrors(() => this.execute({ kind: "run", sql, params })) as number;
  }

  /** Runs `work` in the next group commit. The promise resolves after the flush, and rejects if `work` throws. */
  async write<T>(work: () => T): Promise<T> {
    try {
      return await this.#writer.write(work);
    } catch (error) {
      throw toStorageError(error);
    }
  }

  /** Runs the work while nothing of this process is committed. */
  holdWriters(work: () => Promise<void>): Promise<void> {
    return this.#writer.hold(work);
  }

  /** As `write`, for changes that invalidate caches of settings: boards, keys, webhooks. */
  writeSettings<T>(work: () => T): Promise<T> {
    return this.write(() => {
      const value = work();
      this.#settingsCommits++;
      return value;
    });
  }

  /** Returns a number that changes with every commit of any process. */
  generation(): number {
    return this.#otherCommits() * 2 ** 32 + this.#writer.commits;
  }

  /** Returns a number that changes when another process commits, or when this process changes a setting. */
  settingsVersion(): number {
    return this.#otherCommits() * 2 ** 32 + this.#settingsCommits;
  }

  /**
   * Tuning (decision 5): reads the commit counter of other processes once for all requests of one event-loop poll, since each read takes
   * file locks (3 µs, formerly three times in each call). These requests arrived before the read. `setImmediate` invalidates the value
   * right after the poll.
   */
  refreshSnapshot(): void {
    if (this.#isVersionFresh) return;
    this.#version = this.#dataVersion.get() as number;
    this.#isVersionFresh = true;
    setImmediate(this.#forgetVersion);
  }

  #otherCommits(): number {
    return this.#isVersionFresh ? this.#version : (this.#dataVersion.get() as number);
  }

  readonly #forgetVersion = (): void => {
    this.#isVersionFresh = false;
  };

  /** Returns the length of the write-ahead log in pages. */
  logPages(): number {
    return this.#log?.pages() ?? 0;
  }

  /** Moves the write-ahead log into the database file, as far as other connections permit, in another thread. */
  async checkpoint(): Promise<void> {
    await this.#log?.checkpoint();
  }

  /** Whether a write reached the disk within this time, and none has failed since. */
  hasWrittenWithin(ms: number): boolean {
    return performance.now() - this.#writer.writtenAt < ms;
  }

  /** Throws when writing to disk has failed. */
  check(): void {
    if (this.#writer.fault !== undefined) throw this.#writer.fault;
  }

  /** Commits queued units, ends the threads and closes the file. SQLite then checkpoints the log unless another process uses the file. */
  async shutDown(): Promise<void> {
    this.#writer.close();
    await this.#log?.stop();
    this.close();
  }

  /** As `shutDown`, without waiting for the threads to end. */
  close(): void {
    if (!this.raw.open) return;
    this.#writer.close();
    void this.#log?.stop();
    this.#log?.close();
    this.raw.close();
  }
}

/** The switch needs exclusive access. When several processes try it at the same time, SQLite fails without waiting, so it is retried. */
function useWriteAheadLog(db: Database.Database): void {
  const until = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      db.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      const isBusy = error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
      if (!isBusy || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Converts booleans to 0 and 1, and lists to JSON. */
function toSqlite(params: Params): SqliteParams {
  let translated: SqliteParams | undefined;
  for (const name in params) {
    const value = params[name];
    if (value === undefined) throw new Error(`The parameter @${name} is missing.`);
    if (typeof value === "boolean") (translated ??= { ...params } as SqliteParams)[name] = value ? 1 : 0;
    else if (Array.isArray(value)) (translated ??= { ...params } as SqliteParams)[name] = JSON.stringify(value);
  }
  return translated ?? (params as SqliteParams);
}
