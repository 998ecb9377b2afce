import Database from "better-sqlite3";
import type { Statement } from "better-sqlite3";
import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { noDurability, WriteAheadLog } from "./write-ahead-log.ts";
import { Writer } from "./writer.ts";

export type Row = Record<string, unknown>;
type Value = string | number | Buffer | null;

/** How long a process waits for another one's lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/** One connection with its prepared statements, its group-committing writer and its change counters. */
export class Connection {
  readonly raw: Database.Database;
  readonly #writer: Writer;
  readonly #log: WriteAheadLog | undefined;
  readonly #statements = new Map<string, Statement<Value[], Row>>();
  readonly #dataVersion: Statement;
  #settingsCommits = 0;
  #version = 0;
  #isVersionFresh = false;

  /** `file` may be `:memory:`; the file and its folder are made readable by their owner alone. */
  constructor(file: string) {
    if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    this.raw = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    if (file !== ":memory:") chmodSync(file, 0o600);
    useWriteAheadLog(this.raw);
    // The writer flushes each commit in another thread; a flush by SQLite would block every reader.
    this.raw.pragma("synchronous = NORMAL");
    this.raw.pragma("foreign_keys = ON");
    this.raw.pragma("cache_size = -32768");
    this.raw.pragma("temp_store = MEMORY");
    this.#log = this.raw.memory ? undefined : new WriteAheadLog(this.raw);
    this.#writer = new Writer(this.raw, this.#log ?? noDurability);
    this.#dataVersion = this.raw.prepare("PRAGMA data_version").pluck();
  }

  /** The prepared statement for `sql`, compiled once. */
  sql(sql: string): Statement<Value[], Row> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.raw.prepare<Value[], Row>(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  get<T extends Row>(sql: string, ...values: Value[]): T | undefined {
    return this.sql(sql).get(...values) as T | undefined;
  }

  all<T extends Row>(sql: string, ...values: Value[]): T[] {
    return this.sql(sql).all(...values) as T[];
  }

  /** How many rows changed. */
  run(sql: string, ...values: Value[]): number {
    return this.sql(sql).run(...values).changes;
  }

  /** Runs `work` in the next group commit; the promise settles when it is on disk, or when it threw and was undone. */
  write<T>(work: () => T): Promise<T> {
    return this.#writer.write(work);
  }

  /** As `write`, for changes that end caches of settings: boards, keys, webhooks. */
  writeSettings<T>(work: () => T): Promise<T> {
    return this.#writer.write(() => {
      const value = work();
      this.#settingsCommits++;
      return value;
    });
  }

  /** Changes with every commit, by this process or another. */
  generation(): number {
    return this.#otherCommits() * 2 ** 32 + this.#writer.commits;
  }

  /** Changes when another process commits anything, or this one a setting. */
  settingsVersion(): number {
    return this.#otherCommits() * 2 ** 32 + this.#settingsCommits;
  }

  /**
   * Tuning (decision 5): reads the number of commits by other processes, once for all calls that one poll for input delivered, since
   * reading it takes file locks (3 µs, three times in every call before). Those calls arrived before it was read, and `setImmediate`
   * ends its validity right after the poll.
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

  /** Throws when the disk failed, so that nothing can be written. */
  check(): void {
    if (this.#writer.fault !== undefined) throw this.#writer.fault;
  }

  /** Commits what is queued, ends the threads and closes the file, which then holds the whole log, unless another process has it open. */
  async end(): Promise<void> {
    this.#writer.close();
    await this.#log?.stop();
    this.close();
  }

  /** As `end`, without waiting for a thread. */
  close(): void {
    if (!this.raw.open) return;
    this.#writer.close();
    void this.#log?.stop();
    this.#log?.close();
    this.raw.close();
  }
}

/** Switching to the log needs exclusive access; where several processes try it at once, SQLite refuses without waiting. */
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
