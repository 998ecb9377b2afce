import type Database from "better-sqlite3";

type Work = {
  readonly run: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
};

/** Most units of work in one commit, so that one transaction never holds the thread for long. */
const BATCH = 512;

/**
 * Commits the work of many writers together: what is asked for within one turn of the event loop shares one
 * transaction and one fsync. Each unit stands alone: one that throws is undone without touching the others.
 */
export class Writer {
  readonly #db: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #save: Database.Statement;
  readonly #release: Database.Statement;
  readonly #undo: Database.Statement;
  #waiting: Work[] = [];
  #scheduled = false;
  /** Transactions committed so far. */
  commits = 0;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.#save = db.prepare("SAVEPOINT unit");
    this.#release = db.prepare("RELEASE unit");
    this.#undo = db.prepare("ROLLBACK TO unit");
  }

  write<T>(run: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: resolve as (value: never) => void, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#commitBatch(this.#waiting.splice(0, BATCH));
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  /** Commits everything that waits, now. */
  flush(): void {
    while (this.#waiting.length > 0) this.#commitBatch(this.#waiting.splice(0, BATCH));
  }

  #commitBatch(batch: readonly Work[]): void {
    if (batch.length === 0) return;
    const settled: (() => void)[] = [];
    try {
      this.#begin.run();
      for (const work of batch) settled.push(this.#runUnit(work));
      this.#commit.run();
      this.commits++;
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
      for (const work of batch) work.reject(error);
      return;
    }
    for (const settle of settled) settle();
  }

  /** Runs one unit inside its savepoint; answers how to settle it once the transaction is on disk. */
  #runUnit(work: Work): () => void {
    this.#save.run();
    try {
      const value = work.run();
      this.#release.run();
      return () => work.resolve(value as never);
    } catch (error) {
      // A full disk or a failed read ends the whole transaction by itself; then nobody's work stands.
      if (!this.#db.inTransaction) throw error;
      this.#undo.run();
      this.#release.run();
      return () => work.reject(error);
    }
  }
}
