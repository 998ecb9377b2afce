/** Callers that wait until background work has nothing left to do. */
export class IdleWaiters {
  readonly #waiters = new Set<() => void>();

  wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.add(resolve);
    return promise;
  }

  /** Returns a function that resolves the callers that wait now. Later ones may mean content that a read under way does not include. */
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
