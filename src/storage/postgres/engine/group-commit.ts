import { isUnavailable } from "#domain/core/errors/error.ts";
import type { Transaction } from "./transaction.ts";

type Work = (tx: Transaction) => Promise<unknown>;
type Unit = { readonly work: Work; readonly resolve: (value: never) => void; readonly reject: (error: unknown) => void };

/** Maximum number of units in one transaction. */
const MAX_GROUP_SIZE = 64;

/**
 * Group commit: units with the same key would wait for each other's locks. Those that arrive while a transaction of this key runs share
 * the next one, with a single flush to disk.
 */
export class GroupCommit {
  readonly #write: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  readonly #waiting = new Map<string, Unit[]>();

  constructor(write: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>) {
    this.#write = write;
  }

  write<T>(key: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const unit: Unit = { work, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting !== undefined) waiting.push(unit);
      else {
        this.#waiting.set(key, [unit]);
        void this.#drain(key);
      }
    });
  }

  async #drain(key: string): Promise<void> {
    for (;;) {
      const units = this.#waiting.get(key)?.splice(0, MAX_GROUP_SIZE) ?? [];
      if (units.length === 0) break;
      await this.#commit(units);
    }
    this.#waiting.delete(key);
  }

  /** Commits units together. If one throws, it is run again alone, and the others without it. */
  async #commit(units: readonly Unit[]): Promise<void> {
    if (units.length === 1) return this.#commitAlone(units[0] as Unit);
    let current = 0;
    try {
      const results = await this.#write(async (tx) => {
        const values: unknown[] = [];
        for (current = 0; current < units.length; current++) values.push(await (units[current] as Unit).work(tx));
        return values;
      });
      units.forEach(({ resolve }, i) => resolve(results[i] as never));
    } catch (error) {
      // The commit may have succeeded when the connection was lost, so running the units again could write twice.
      if (isUnavailable(error)) {
        for (const { reject } of units) reject(error);
        return;
      }
      const failed = units[current];
      if (failed !== undefined) await this.#commitAlone(failed);
      const others = units.filter((unit) => unit !== failed);
      // If the commit itself failed, no unit is to blame, and each one runs alone.
      if (failed !== undefined && others.length > 0) await this.#commit(others);
      else for (const unit of others) await this.#commitAlone(unit);
    }
  }

  #commitAlone({ work, resolve, reject }: Unit): Promise<void> {
    return this.#write(work).then(resolve as (value: unknown) => void, reject);
  }
}
