import type Database from "better-sqlite3";
import { close, fdatasync, fdatasyncSync, openSync } from "node:fs";
import { describeShortage, findShortage } from "#domain/core/errors/shortage.ts";
import { createBusyError } from "#domain/core/errors/storage-error.ts";
import { Checkpointer } from "./checkpointer.ts";
import type { Durability } from "./writer.ts";

/**
 * The write-ahead log of one connection: flushes commits to disk and limits its length. With `synchronous = NORMAL`, SQLite does not flush
 * after a commit, but still before and after a checkpoint and when the log restarts (https://www.sqlite.org/pragma.html#pragma_synchronous).
 */
export class WriteAheadLog implements Durability {
  readonly #db: Database.Database;
  readonly #checkpointer: Checkpointer;
  #descriptor: number | undefined;
  #flushes = 0;
  #isClosed = false;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#checkpointer = new Checkpointer(db);
  }

  async flush(): Promise<void> {
    const descriptor = this.#open();
    this.#flushes++;
    await new Promise<void>((resolve, reject) => {
      fdatasync(descriptor, (error) => {
        this.#flushes--;
        this.#closeWhenDone();
        if (error === null) resolve();
        else reject(error);
      });
    });
  }

  flushNow(): void {
    fdatasyncSync(this.#open());
  }

  maybeCheckpoint(): Promise<void> | undefined {
    return this.#isClosed ? undefined : this.#checkpointer.maybeCheckpoint();
  }

  pages(): number {
    return this.#checkpointer.pages();
  }

  checkpoint(): Promise<void> {
    return this.#isClosed ? Promise.resolve() : this.#checkpointer.checkpoint();
  }

  /** Ends the checkpoint thread, if there is one. */
  stop(): Promise<void> {
    return this.#checkpointer.stop();
  }

  close(): void {
    this.#isClosed = true;
    this.#closeWhenDone();
  }

  /** The log file exists after the first commit, until the connection closes. Throws an `AppError` for want of file handles. */
  #open(): number {
    try {
      return (this.#descriptor ??= openSync(`${this.#db.name}-wal`, "r+"));
    } catch (error) {
      const shortage = findShortage(error);
      throw shortage === null ? error : createBusyError(error, describeShortage(shortage));
    }
  }

  /** Waits for running flushes: another thread would use a closed descriptor, which may by then belong to another file. */
  #closeWhenDone(): void {
    if (!this.#isClosed || this.#flushes > 0 || this.#descriptor === undefined) return;
    close(this.#descriptor, () => undefined);
    this.#descriptor = undefined;
  }
}

/** For a database in memory, which has nothing to flush. */
export const noDurability: Durability = {
  flush: () => Promise.resolve(),
  flushNow: () => undefined,
  maybeCheckpoint: () => undefined,
};
