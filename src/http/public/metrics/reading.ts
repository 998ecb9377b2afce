import { waitAtMost } from "#runtime/wait.ts";

/** A reading that takes longer is reused, so that reading takes at most two percent of the time however often it is asked for. */
const SLOW_MS = 20;
const REUSE_FACTOR = 50;
/** How long a scrape waits for a reading. */
const MAX_WAIT_MS = 2_000;

export type ReadingOptions<T> = {
  readonly read: () => Promise<T>;
  /** For how long a slow reading is reused at least, in milliseconds. */
  readonly minReuseMs: number;
  readonly onError: (error: unknown) => void;
};

/**
 * Creates a function that returns a value of the store for a scrape. Scrapes share a running reading. A value that was read quickly is read
 * for each scrape; one that was read slowly is returned again, and refreshed in the background now and then. Returns null while there is no
 * value: after a failure, and before a long first reading is complete.
 */
export function createReading<T>({ read, minReuseMs, onError }: ReadingOptions<T>): () => Promise<T | null> {
  let value: T | null = null;
  let reuseUntil = 0;
  let running: Promise<void> | undefined;

  const refresh = async (): Promise<void> => {
    const since = performance.now();
    try {
      value = await read();
    } catch (error) {
      value = null;
      onError(error);
    }
    const ms = performance.now() - since;
    reuseUntil = ms < SLOW_MS ? 0 : performance.now() + Math.max(minReuseMs, ms * REUSE_FACTOR);
    running = undefined;
  };

  return async () => {
    if (performance.now() < reuseUntil) return value;
    const isSlow = reuseUntil > 0 && value !== null;
    running ??= refresh();
    if (!isSlow) await waitAtMost(MAX_WAIT_MS, running);
    return value;
  };
}
