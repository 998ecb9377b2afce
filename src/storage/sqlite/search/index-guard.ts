import type { IndexRepair } from "#domain/answers/index-rebuild.ts";
import { packageUrl } from "#runtime/files/package.ts";
import { startThread } from "#runtime/process/thread.ts";
import type { Connection } from "../engine/database.ts";
import { isCorruption, isMissingIndex, readsIndex } from "./index-tables.ts";

/** After a check that found no damage in the index, the next one waits this long, since a check reads the whole index. */
const RECHECK_MS = 600_000;
/** After a repair that failed, such as on a full disk, the next one waits this long, since each holds up the writers. */
const RETRY_MS = 60_000;

/** Replaces a damaged search index by an empty one, so that searches and changes of tiles work on. */
export class IndexGuard {
  readonly #db: Connection;
  readonly #listeners = new Set<(repair: IndexRepair) => void>();
  #repairing: Promise<boolean> | null = null;
  #isSuspected = false;
  /** No check begins before this time of `performance.now()`. */
  #pausedUntil = Number.NEGATIVE_INFINITY;

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

  /** Runs the work. If it fails because the index is damaged or being replaced, runs the work again with the new index. */
  async protect<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // A table is also missing after a repair that failed.
      const isRepairable = (this.#isSuspected && isCorruption(error)) || isMissingIndex(error);
      if (!isRepairable || !(await this.#repair())) throw error;
      return await work();
    }
  }

  /** Returns false if the index is not damaged. Concurrent calls share one repair. */
  #repair(): Promise<boolean> {
    this.#repairing ??= this.#checkAndReplace().finally(() => {
      this.#isSuspected = false;
      this.#repairing = null;
    });
    return this.#repairing;
  }

  async #checkAndReplace(): Promise<boolean> {
    if (performance.now() < this.#pausedUntil) return false;
    let pauseMs = RETRY_MS;
    let tables: readonly string[];
    try {
      tables = await this.#replaceDamaged();
      pauseMs = tables.length === 0 ? RECHECK_MS : 0;
    } finally {
      this.#pausedUntil = performance.now() + pauseMs;
    }
    if (tables.length === 0) return false;
    for (const listener of this.#listeners) listener({ tables });
    return true;
  }

  /** Works in a thread: checking and rewriting take a second or two for each 100 MB. Writers wait while the file is rewritten. */
  #replaceDamaged(): Promise<readonly string[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    const replaced = Promise.withResolvers<void>();
    // A thread that fails before the writers are held rejects it while nothing waits for it. The error is passed on by `reject`.
    replaced.promise.catch(() => undefined);
    let damaged: readonly string[] | undefined;
    const thread = startThread(
      packageUrl("#storage/sqlite/search/repair-thread.ts"),
      { workerData: this.#db.raw.name },
      {
        onMessage: (tables) => {
          if (damaged !== undefined) return replaced.resolve();
          damaged = tables as readonly string[];
          if (damaged.length === 0) return resolve(damaged);
          const found = damaged;
          void this.#db
            .holdWriters(() => {
              thread.post("replace");
              return replaced.promise;
            })
            .then(() => resolve(found), reject);
        },
        onFailure: (error) => {
          replaced.reject(error);
          reject(error);
        },
      },
    );
    return promise.finally(() => thread.end());
  }
}
