import type { Log } from "#domain/core/log.ts";
import { StorageError, type StorageProblem } from "#domain/core/errors/storage-error.ts";
import type { Store } from "#domain/store.ts";
import { startLoop } from "#runtime/loop.ts";

/** What is known about the storage: from the errors of all calls, and from probes. */
export type StorageWatch = {
  /** The last known problem; null while the storage works. */
  problem(): StorageError | null;
  /** Probes the storage unless that was done just now, and returns the problem. Concurrent callers share a probe. Never throws. */
  check(): Promise<StorageError | null>;
  /** Whether background work may run. While nothing can be stored it waits, so that no job fails. */
  mayWrite(): boolean;
  /** Calls the listener after each time in which nothing could be stored, before background work continues. */
  onRecovery(listener: () => Promise<void>): void;
  stop(): Promise<void>;
};

/** The minimum time between two probes, however often they are asked for. */
const MIN_PROBE_INTERVAL_MS = 2_000;
/** How often a storage with a problem is probed. */
const POLL_INTERVAL_MS = 5_000;
/** Problems during which nothing can be stored. While a database is away or damaged in part, each call finds out by itself. */
const UNWRITABLE: readonly StorageProblem[] = ["full", "read_only", "failed", "stopped"];

/** Watches the storage. A problem and its end are logged once. */
export function watchStorage(store: Pick<Store, "probe" | "onFailure">, log: Log, pollMs = POLL_INTERVAL_MS): StorageWatch {
  const watch = new Watch(store, log, pollMs);
  return {
    problem: () => watch.problem(),
    check: () => watch.check(),
    mayWrite: () => watch.mayWrite(),
    onRecovery: (listener) => watch.onRecovery(listener),
    stop: () => watch.stop(),
  };
}

class Watch implements StorageWatch {
  readonly #store: Pick<Store, "probe" | "onFailure">;
  readonly #log: Log;
  readonly #recoveries: (() => Promise<void>)[] = [];
  readonly #loop: { wake(): void; stop(): Promise<void> };
  readonly #unsubscribe: () => void;
  #problem: StorageError | null = null;
  /** Damage stays known until a restart: a probe reads a part of each table, and reading all of them to see its end would cost too much. */
  #damage: StorageError | null = null;
  #running: Promise<void> | null = null;
  #probedAt = -Infinity;

  constructor(store: Pick<Store, "probe" | "onFailure">, log: Log, pollMs: number) {
    this.#store = store;
    this.#log = log;
    this.#unsubscribe = store.onFailure((error) => this.#set(error));
    this.#loop = startLoop({
      intervalMs: pollMs,
      firstMs: pollMs,
      run: async () => void (this.#problem !== null && (await this.check())),
      onError: (error) => log.error({ err: error }, "Checking the storage failed; will retry."),
    });
  }

  problem(): StorageError | null {
    return this.#problem;
  }

  mayWrite(): boolean {
    return this.#problem === null || !UNWRITABLE.includes(this.#problem.problem);
  }

  async check(): Promise<StorageError | null> {
    if (this.#running === null && performance.now() - this.#probedAt >= MIN_PROBE_INTERVAL_MS) {
      this.#running = this.#probe().finally(() => {
        this.#running = null;
        this.#probedAt = performance.now();
      });
    }
    await this.#running;
    return this.#problem;
  }

  onRecovery(listener: () => Promise<void>): void {
    this.#recoveries.push(listener);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#loop.stop();
    await this.#running;
  }

  async #probe(): Promise<void> {
    try {
      await this.#store.probe(this.#problem?.problem ?? null);
      if (!this.mayWrite()) for (const recover of this.#recoveries) await recover();
      this.#set(this.#damage);
    } catch (error) {
      this.#set(error instanceof StorageError ? error : new StorageError("away", error));
    }
  }

  #set(problem: StorageError | null): void {
    const before = this.#problem?.problem;
    if (problem?.problem === "damaged") this.#damage = problem;
    this.#problem = problem;
    if (problem?.problem === before) return;
    if (problem === null) this.#log.info({}, "The storage works again. Background work continues.");
    else
      this.#log.error(
        { code: problem.code, cause: String(problem.cause) },
        `${problem.message}${this.mayWrite() ? "" : " Links, deliveries and other background work wait until then."}`,
      );
  }
}
