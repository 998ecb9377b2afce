/** A value with subscribers, so that only components that use the changed part render again. */
export type Store<T> = {
  readonly get: () => T;
  readonly set: (next: T | ((value: T) => T)) => void;
  /** Returns the function that unsubscribes. */
  readonly subscribe: (onChange: () => void) => () => void;
};

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const changed = typeof next === "function" ? (next as (value: T) => T)(value) : next;
      if (Object.is(changed, value)) return;
      value = changed;
      for (const listener of listeners) listener();
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}
