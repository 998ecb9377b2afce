import type Database from "better-sqlite3";
import { Pace } from "./pace.ts";

/** What makes commits last; the writer knows nothing of files. */
export type Durability = {
  /** Settles when everything committed before the call is on disk. */
  flush(): Promise<void>;
  /** The same, while the caller waits. */
  flushNow(): void;
  /** Looks after the log between two commits; writers wait for the promise, where there is one. */
  tend(): Promise<void> | undefined;
};

type Work = {
  readonly run: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
};

/** Tells a writer how its unit ended: with `fault` when it could not be made to last. */
type Settle = (fault?: Error) => void;

/** Most units of work in one commit, so that one transaction never holds the thread for long. */
const BATCH = 512;

/**
 * Commits the work of many writers together: what is asked for within one turn of the event loop (or three milliseconds of a busy
 * one), or while the last commit is on its way to the disk, shares one transaction and one flush. Each unit stands alone: one that throws is undone without touching
 * the others, which run again then, so a unit must do nothing but read and write the database. The flush runs in another thread, so that readers never wait for the disk; nobody is answered before it is done.
 */
export class Writer {
  readonly #db: Database.Database;
  readonly #durability: Durability;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #save: Database.Statement;
  readonly #release: Database.Statement;
  readonly #undo: Database.Statement;
  #waiting: Work[] = [];
  /** Committed, and on their way to the disk. */
  #flushing: Settle[] = [];
  readonly #pace: Pick<Pace, "wait" | "noteCommit">;
  #isUnderWay = false;
  #fault: Error | undefined;
  /** Transactions committed so far. */
  commits = 0;

  constructor(db: Database.Database, durability: Durability, pace: Pick<Pace, "wait" | "noteCommit"> = new Pace()) {
    this.#db = db;
    this.#pace = pace;
    this.#durability = durability;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.#save = db.prepare("SAVEPOINT unit");
    this.#release = db.prepare("RELEASE unit");
    this.#undo = db.prepare("ROLLBACK TO unit");
  }

  /** Why nothing can be written any more, if that is so. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  write<T>(run: () => T): Promise<T> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: resolve as (value: never) => void, reject });
      this.#schedule();
    });
  }

  /** Commits everything that waits and sees it to the disk, now. */
  close(): void {
    const settles = this.#flushing;
    this.#flushing = [];
    while (this.#waiting.length > 0) settles.push(...this.#commitBatch());
    if (settles.length === 0) return;
    try {
      this.#durability.flushNow();
    } catch (error) {
      this.#fail(error);
    }
    for (const settle of settles) settle(this.#fault);
  }

  #schedule(): void {
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    const wait = this.#pace.wait();
    if (wait === 0) setImmediate(() => void this.#turn());
    else setTimeout(() => void this.#turn(), wait);
  }

  async #turn(): Promise<void> {
    const settles = this.#commitBatch();
    this.#flushing = settles;
    this.#pace.noteCommit();
    try {
      if (settles.length > 0) await this.#durability.flush();
    } catch (error) {
      this.#fail(error);
    }
    // Closing meanwhile has flushed and settled them already.
    if (this.#flushing === settles) {
      this.#flushing = [];
      for (const settle of settles) settle(this.#fault);
    }
    try {
      await this.#durability.tend();
    } catch {
      // Everything is committed and on disk; SQLite moves the log by itself once it has become long.
    }
    this.#isUnderWay = false;
    if (this.#waiting.length > 0) this.#schedule();
  }

  /**
   * After a failed flush the operating system may take for written what was lost, and another flush would succeed without
   * writing it. So nothing is accepted any more; a restart reads what the disk really holds.
   */
  #fail(error: unknown): void {
    this.#fault = new Error("Writing to disk failed. Nothing more is stored. Check the disk, then restart Tessera.", {
      cause: error,
    });
    for (const { reject } of this.#waiting.splice(0)) reject(this.#fault);
  }

  /** Commits one batch of what waits; answers how to settle its units once they are on disk. */
  #commitBatch(): Settle[] {
    const batch = this.#waiting.splice(0, BATCH);
    if (batch.length === 0) return [];
    try {
      return this.#commitPlainly(batch) ?? this.#commitApart(batch);
    } catch (error) {
      this.#rollBack();
      for (const work of batch) work.reject(error);
      return [];
    }
  }

  /**
   * Without savepoints, which cost a fifth of a commit and are needed by few; null when a unit threw, and all are undone.
   * An error of the commit itself would come again, so it is let through.
   */
  #commitPlainly(batch: readonly Work[]): Settle[] | null {
    this.#begin.run();
    const settles: Settle[] = [];
    try {
      for (const work of batch) {
        settles.push(succeed(work, work.run()));
        // A unit that ended the transaction would leave the next ones on their own.
        if (!this.#db.inTransaction) return null;
      }
    } catch {
      // Nothing is forgotten: the unit runs again, apart from the others, and its error is told then.
      this.#rollBack();
      return null;
    }
    this.#commit.run();
    this.commits++;
    return settles;
  }

  /** Each unit inside its savepoint. */
  #commitApart(batch: readonly Work[]): Settle[] {
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
      // A full disk or a failed read ends the whole transaction by itself; then nobody's work stands.
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
