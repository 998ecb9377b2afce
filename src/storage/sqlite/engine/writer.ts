import type Database from "better-sqlite3";
import { AppError } from "#domain/core/errors/error.ts";
import { StorageError } from "#domain/core/errors/storage-error.ts";

/** What makes commits durable; the writer itself touches no files. */
export type Durability = {
  /** Resolves once everything committed before the call is on disk. Throws an `AppError` if it could not begin. */
  flush(): Promise<void>;
  /** As `flush`, synchronously. */
  flushNow(): void;
  /** Checkpoints a long log. If it returns a promise, writers must wait for it. */
  maybeCheckpoint(): Promise<void> | undefined;
};

type Work = {
  readonly run: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
};

/** Settles the promise of a unit of work. With `fault`, it was not written to disk, and the promise is rejected. */
type Settle = (fault?: Error) => void;

export type WriterOptions = {
  /** The time after which a commit takes no further unit, in milliseconds. */
  readonly maxBatchMs?: number;
};

/** Maximum units of work in one commit, and its time: a longer transaction would block the thread. Small units take 15 ms in all. */
const MAX_BATCH_UNITS = 512;
const MAX_BATCH_MS = 20;

/**
 * Group commit: units of work that arrive within one turn of the event loop, or during the previous flush, share a transaction and a
 * flush. If a unit throws, only this unit is rolled back, and the others run again. So a unit must do nothing but
 * read and write the database. Promises settle after the flush, which runs in another thread and never blocks readers.
 */
export class Writer {
  readonly #db: Database.Database;
  readonly #durability: Durability;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #save: Database.Statement;
  readonly #release: Database.Statement;
  readonly #undo: Database.Statement;
  readonly #countChanges: Database.Statement;
  #queued: Work[] = [];
  /** Units that are committed but not flushed yet. */
  #flushing: Settle[] = [];
  readonly #maxBatchMs: number;
  #isScheduled = false;
  /** Work that writers wait for. */
  #held: Promise<void> | undefined;
  #fault: Error | undefined;
  #changes = 0;
  /** The number of committed transactions. */
  commits = 0;
  /** When rows were last changed and flushed, by `performance.now`; -Infinity after a failure. A commit without changes writes nothing. */
  writtenAt = -Infinity;

  constructor(db: Database.Database, durability: Durability, { maxBatchMs = MAX_BATCH_MS }: WriterOptions = {}) {
    this.#db = db;
    this.#maxBatchMs = maxBatchMs;
    this.#durability = durability;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.#save = db.prepare("SAVEPOINT unit");
    this.#release = db.prepare("RELEASE unit");
    this.#undo = db.prepare("ROLLBACK TO unit");
    this.#countChanges = db.prepare("SELECT total_changes()").pluck();
  }

  /** The error of a failed flush, after which nothing is written; undefined while writing works. */
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

  /** Runs the work while nothing is committed, one after another; units that arrive meanwhile wait. Throws the errors of the work. */
  async hold(work: () => Promise<void>): Promise<void> {
    // Of several that waited for the same hold, the first holds anew.
    while (this.#held !== undefined) await this.#held;
    const held = work();
    this.#held = held.catch(() => undefined);
    try {
      await held;
    } finally {
      this.#held = undefined;
    }
  }

  /** Commits and flushes everything that is queued, synchronously. */
  close(): void {
    const settles = this.#flushing;
    this.#flushing = [];
    while (this.#queued.length > 0) settles.push(...this.#commitBatch());
    if (settles.length === 0) return;
    let failure: Error | undefined;
    try {
      this.#durability.flushNow();
    } catch (error) {
      failure = this.#fail(error);
    }
    for (const settle of settles) settle(failure);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => void this.#commitAndFlush());
  }

  async #commitAndFlush(): Promise<void> {
    while (this.#held !== undefined) await this.#held;
    const settles = this.#commitBatch();
    this.#flushing = settles;
    let failure: Error | undefined;
    try {
      if (settles.length > 0) await this.#flush();
    } catch (error) {
      failure = this.#fail(error);
    }
    // If close() was called, it has already flushed and settled them.
    if (this.#flushing === settles) {
      this.#flushing = [];
      for (const settle of settles) settle(failure);
    }
    try {
      await this.#durability.maybeCheckpoint();
    } catch {
      // Everything is on disk, and SQLite checkpoints a log that becomes too long.
    }
    this.#isScheduled = false;
    if (this.#queued.length > 0) this.#schedule();
  }

  async #flush(): Promise<void> {
    const changes = this.#countChanges.get() as number;
    await this.#durability.flush();
    if (changes > this.#changes) this.writtenAt = performance.now();
    this.#changes = changes;
  }

  /**
   * After a failed flush, the operating system may treat lost pages as written, so that the next flush succeeds without them. So all
   * further writes are rejected until a restart reads what is on disk. A flush that could not begin (`AppError`) loses nothing: the next
   * one includes its pages. Returns the error for the units of the flush.
   */
  #fail(error: unknown): Error {
    this.writtenAt = -Infinity;
    if (error instanceof AppError) return error;
    const fault = new StorageError("stopped", error);
    this.#fault = fault;
    for (const { reject } of this.#queued.splice(0)) reject(fault);
    return fault;
  }

  /** Commits the next units. Returns the functions that settle them after the flush. */
  #commitBatch(): Settle[] {
    if (this.#queued.length === 0) return [];
    const batch: Work[] = [];
    try {
      return this.#commitTogether(batch) ?? this.#commitWithSavepoints(batch);
    } catch (error) {
      this.writtenAt = -Infinity;
      this.#rollBack();
      // If the transaction could not begin, no unit was taken yet.
      for (const work of batch.length > 0 ? batch : this.#queued.splice(0, MAX_BATCH_UNITS)) work.reject(error);
      return [];
    }
  }

  /**
   * Moves units from the queue to `batch` and commits them without savepoints, which cost 4.5 of 27 µs per tile (decision 6) and are rarely
   * needed. Returns null if a unit threw, and rolls all units back. Throws an error of the commit itself, since it would occur again.
   */
  #commitTogether(batch: Work[]): Settle[] | null {
    this.#begin.run();
    const settles: Settle[] = [];
    try {
      for (const work of this.#takeUnits(batch)) {
        settles.push(succeed(work, work.run()));
        // A caught error may have ended the transaction. The next units would then run outside of it.
        if (!this.#db.inTransaction) return null;
      }
    } catch {
      // The units run again with savepoints, and the error occurs again.
      this.#rollBack();
      return null;
    }
    this.#commit.run();
    this.commits++;
    return settles;
  }

  /** Yields the units of a batch, and then moves further ones to it until it is full or its time is over. */
  *#takeUnits(batch: Work[]): Generator<Work> {
    yield* batch;
    const end = performance.now() + this.#maxBatchMs;
    while (batch.length === 0 || (batch.length < MAX_BATCH_UNITS && performance.now() < end)) {
      const work = this.#queued.shift();
      if (work === undefined) return;
      batch.push(work);
      yield work;
    }
  }

  /** Runs each unit in its own savepoint. */
  #commitWithSavepoints(batch: Work[]): Settle[] {
    this.#begin.run();
    const settles: Settle[] = [];
    for (const work of this.#takeUnits(batch)) settles.push(this.#runUnit(work));
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
      // A full disk or a failed read ends the whole transaction.
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
