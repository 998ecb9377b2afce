import type { IndexRepair } from "#domain/answers/index-rebuild.ts";
import { packageUrl } from "#runtime/files/package.ts";
import { startThread } from "#runtime/thread.ts";
import type { Connection } from "../engine/database.ts";
import { isCorruption, readsIndex, replaceIndex } from "./index-tables.ts";

/** After a check that found no damage in the index, the next one waits this long, since a check reads the whole index. */
const RECHECK_MS = 600_000;

/** Replaces a damaged search index by an empty one, so that searches and changes of tiles work on. */
export class IndexGuard {
  readonly #db: Connection;
  readonly #listeners = new Set<(repair: IndexRepair) => void>();
  #repairing: Promise<boolean> | null = null;
  #isSuspected = false;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Connection) {
    this.#db = db;
  }

  onRepair(listener: (repair: IndexRepair) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Remembers that a statement on the index has met a damaged page. */
  noteFailure(error: unknown, sql: string): void {
    if (isCorruption(error) && readsIndex(sql)) this.#isSuspected = true;
  }

  /** Runs the work. If it fails because the index is damaged, replaces the index and runs the work again. */
  async protect<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!this.#isSuspected || !isCorruption(error) || !(await this.#repair())) throw error;
      return await work();
    }
  }

  /** Returns false if the index is not damaged. Concurrent calls share one repair. */
  async #repair(): Promise<boolean> {
    this.#repairing ??= this.#checkAndReplace().finally(() => {
      this.#isSuspected = false;
      this.#repairing = null;
    });
    return this.#repairing;
  }

  async #checkAndReplace(): Promise<boolean> {
    if (performance.now() - this.#checkedAt < RECHECK_MS) return false;
    const tables = await findDamagedTables(this.#db.raw.name);
    if (tables.length === 0) {
      this.#checkedAt = performance.now();
      return false;
    }
    await this.#db.write(() => replaceIndex(this.#db, tables, Date.now()));
    for (const listener of this.#listeners) listener({ tables });
    return true;
  }
}

/** Checks the tables in a thread of its own, which takes about a second for each gigabyte. */
function findDamagedTables(file: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const thread = startThread(
      packageUrl("#storage/sqlite/search/check-thread.ts"),
      { workerData: file },
      {
        onMessage(tables) {
          resolve(tables as readonly string[]);
          void thread.end();
        },
        onFailure: reject,
      },
    );
  });
}
