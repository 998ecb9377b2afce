import type Database from "better-sqlite3";
import { CommitThrottle } from "./commit-throttle.ts";

/** What makes commits durable; the writer itself touches no files. */
export type Durability = {
  /** Resolves once everything committed before the call is on disk. */
  flush(): Promise<void>;
  /** As `flush`, synchronously. */
  flushNow(): void;
  /** Moves the log into the database file when it has become long; writers wait for the promise, where there is one. */
  maybeCheckpoint(): Promise<void> | undefined;
};

type Work = {
  readonly run: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
};

/** Settles the promise of a unit of work: rejected with `fault` where it could not be written to disk. */
type Settle = (fault?: Error) => void;

/** The most units of work in one commit, so that one transaction never blocks the thread for long. */
const MAX_BATCH_UNITS = 512;

/**
 * Group commit: units of work that arrive within one turn of the event loop (or three milliseconds of a busy one), or during the last
 * flush, share one transaction and one flush. A unit that throws is undone alone and the others run again, so a unit must do nothing but
 * read and write the database. The flush runs in another thread, so readers never wait for the disk; promises settle after it.
 */
export class Writer {
  readonly #db: Database.Database;
  readonly #durability: Durability;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #save: Database.Statement;
  readonly #release: Database.Statement;
  readonly #undo: Database.Statement;
  #queued: Work[] = [];
  /** Units that are committed and not flushed yet. */
  #flushing: Settle[] = [];
  readonly #throttle: Pick<CommitThrottle, "delay" | "noteCommit">;
  #isScheduled = false;
  #fault: Error | undefined;
  /** Transactions committed so far. */
  commits = 0;

  constructor(
    db: Database.Database,
    durability: Durability,
    throttle: Pick<CommitThrottle, "delay" | "noteCommit"> = new CommitThrottle(),
  ) {
    this.#db = db;
    this.#throttle = throttle;
    this.#durability = durability;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.#save = db.prepare("SAVEPOINT unit");
    this.#release = db.prepare("RELEASE unit");
    this.#undo = db.prepare("ROLLBACK TO unit");
  }

  /** Why nothing can be written any more; undefined while writing works. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  write<T>(run: () => T): Promise<T> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    return new Promise<T>((resolve, reject) => {
      this.#queued.push({ run, resolve: resolve as (value: never) => void, reject });
      this.#schedule();
    });
  }

  /** Commits and flushes everything that is queued, synchronously. */
  close(): void {
    const settles = this.#flushing;
    this.#flushing = [];
    while (this.#queued.length > 0) settles.push(...this.#commitBatch());
    if (settles.length === 0) return;
    try {
      this.#durability.flushNow();
    } catch (error) {
      this.#fail(error);
    }
    for (const settle of settles) settle(this.#fault);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const delay = this.#throttle.delay();
    if (delay === 0) setImmediate(() => void this.#commitAndFlush());
    else setTimeout(() => void this.#commitAndFlush(), delay);
  }

  async #commitAndFlush(): Promise<void> {
    const settles = this.#commitBatch();
    this.#flushing = settles;
    this.#throttle.noteCommit();
    try {
      if (settles.length > 0) await this.#durability.flush();
    } catch (error) {
      this.#fail(error);
    }
    // A call of close() has flushed and settled them already.
    if (this.#flushing === settles) {
      this.#flushing = [];
      for (const settle of settles) settle(this.#fault);
    }
    try {
      await this.#durability.maybeCheckpoint();
    } catch {
      // Everything is committed and on disk; SQLite itself moves a log that has become too long.
    }
    this.#isScheduled = false;
    if (this.#queued.length > 0) this.#schedule();
  }

  /**
   * After a failed flush the operating system may count lost pages as written, and another flush would succeed without writing them.
   * So nothing is accepted any more; a restart reads what is on disk.
   */
  #fail(error: unknown): void {
    this.#fault = new Error("Writing to disk failed. Nothing more is stored. Check the disk, then restart Tessera.", {
      cause: error,
    });
    for (const { reject } of this.#queued.splice(0)) reject(this.#fault);
  }

  /** Commits one batch; returns what settles its units once they are on disk. */
  #commitBatch(): Settle[] {
    const batch = this.#queued.splice(0, MAX_BATCH_UNITS);
    if (batch.length === 0) return [];
    try {
      return this.#commitTogether(batch) ?? this.#commitWithSavepoints(batch);
    } catch (error) {
      this.#rollBack();
      for (const work of batch) work.reject(error);
      return [];
    }
  }

  /**
   * Without savepoints, which cost 4.5 of 27 µs a tile (decision 6) and are rarely needed. Returns null where a unit threw; all are
   * undone then. An error of the commit itself would be repeated, so it is thrown.
   */
  #commitTogether(batch: readonly Work[]): Settle[] | null {
    this.#begin.run();
    const settles: Settle[] = [];
    try {
      for (const work of batch) {
        settles.push(succeed(work, work.run()));
        // After an error that ended the transaction, the next units would run outside of it.
        if (!this.#db.inTransaction) return null;
      }
    } catch {
      // The units run again with a savepoint each, and the error is thrown again then.
      this.#rollBack();
      return null;
    }
    this.#commit.run();
    this.commits++;
    return settles;
  }

  /** Each unit inside its savepoint. */
  #commitWithSavepoints(batch: readonly Work[]): Settle[] {
    this.#begin.run();
    const settles = batch.map((work) => this.#runUnit(work));
    this.#commit.run();
    this.commits++;
    return settles;
  }

  #runUnit(work: Work): Settle {
    this.#save.run();
    try {
      const value = work.run();
      this.#release.run();
      return succeed(work, value);
    } catch (error) {
      // A full disk or a failed read ends the whole transaction, and undoes every unit.
      if (!this.#db.inTransaction) throw error;
      this.#undo.run();
      this.#release.run();
      return () => work.reject(error);
    }
  }

  #rollBack(): void {
    if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
  }
}

const succeed =
  (work: Work, value: unknown): Settle =>
  (fault) =>
    fault === undefined ? work.resolve(value as never) : work.reject(fault);
