/** Keeps the callers that wait until a background loop has no more work. */
export class IdleWaiters {
  readonly #waiters = new Set<() => void>();

  wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.add(resolve);
    return promise;
  }

  /** Returns a function that resolves the callers that wait now. Later callers may wait for content that the current read does not include. */
  snapshot(): () => void {
    const waiters = [...this.#waiters];
    return () => {
      for (const resolve of waiters) {
        this.#waiters.delete(resolve);
        resolve();
      }
    };
  }

  resolveAll(): void {
    this.snapshot()();
  }
}
