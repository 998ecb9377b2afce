import { useSyncExternalStore } from "react";

/** A value with subscribers, so that only components that use the changed part render again. */
export type ValueStore<T> = {
  readonly get: () => T;
  readonly set: (next: T | ((value: T) => T)) => void;
  /** Returns the function that unsubscribes. */
  readonly subscribe: (onChange: () => void) => () => void;
};

export function createStore<T>(initial: T): ValueStore<T> {
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

/** A selected part of a store's value. `select` must return the same reference for the same value. */
export const useStore = <T, S>(store: ValueStore<T>, select: (value: T) => S): S =>
  useSyncExternalStore(store.subscribe, () => select(store.get()));
