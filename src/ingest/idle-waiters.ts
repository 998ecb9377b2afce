/** Callers that wait until a background stage has nothing left to do. */
export class IdleWaiters {
  readonly #resolvers = new Set<() => void>();

  wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resolvers.add(resolve);
    return promise;
  }

  /**
   * Returns a function that releases those that wait now. It is created before the store is read, because later callers may wait for
   * work that this read does not see.
   */
  prepareRelease(): () => void {
    const resolvers = [...this.#resolvers];
    return () => {
      for (const resolve of resolvers) {
        this.#resolvers.delete(resolve);
        resolve();
      }
    };
  }
}
