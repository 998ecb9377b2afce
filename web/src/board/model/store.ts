/** A value that can be watched, so that only what shows a part of it is drawn anew. */
export type Store<T> = {
  readonly get: () => T;
  readonly set: (next: T | ((value: T) => T)) => void;
  /** Answers what ends the watch. */
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
