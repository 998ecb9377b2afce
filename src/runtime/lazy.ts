/** Something that is loaded at its first use: a library, a client, a model. */
export type Lazy<T> = {
  /** Returns the loaded value. Concurrent callers share one attempt. A failed attempt is not kept: the next call tries again. */
  get(): Promise<T>;
  /** Returns what was loaded, after a running attempt; undefined if there is nothing, for closing it. Never throws. */
  loaded(): Promise<T | undefined>;
};

/** Loads something once. Every lazy load uses this function, since a kept failure, as of a lack of file handles, would last until a restart. */
export function lazy<T>(load: () => Promise<T>): Lazy<T> {
  let attempt: Promise<T> | undefined;
  return {
    get() {
      if (attempt !== undefined) return attempt;
      const started = (async () => load())();
      attempt = started;
      started.catch(() => {
        if (attempt === started) attempt = undefined;
      });
      return started;
    },
    loaded: async () => attempt?.catch(() => undefined),
  };
}
