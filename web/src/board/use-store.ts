import { useSyncExternalStore } from "react";
import type { Store } from "./model/store.ts";

/** A selected part of a store's value. `select` must return the same reference for the same value. */
export const useStore = <T, S>(store: Store<T>, select: (value: T) => S): S =>
  useSyncExternalStore(store.subscribe, () => select(store.get()));
