import { onlineManager } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { downloadFiles, diagnoseFailure, type LoadFailure } from "./download.ts";

export type LazyModuleState<Value> =
  | { readonly status: "idle" | "loading" }
  | { readonly status: "ready"; readonly value: Value }
  | { readonly status: "failed"; readonly problem: LoadFailure; readonly isRetrying: boolean };

/** A module that is loaded when it is first needed, or earlier while the page is idle. */
export type LazyModule<Value> = {
  /** Loads the module, or retries after a failure. Never rejects: the outcome is in `state`. */
  readonly load: () => Promise<void>;
  readonly state: () => LazyModuleState<Value>;
  readonly subscribe: (listener: () => void) => () => void;
};

/** Delay before a retry when the connection seems to be back, in milliseconds. */
const RETRY_DELAY_MS = 1_000;

const preloadQueue = { soon: [] as LazyModule<unknown>[], late: [] as LazyModule<unknown>[] };

/**
 * Defines a lazy module. `module` is its path relative to `web`, `importModule` imports it and returns the value, and `preload` determines
 * when `preloadModules` loads it: `soon`, `late` (after all of those), or `never`.
 */
export function defineLazyModule<Value>(
  module: string,
  importModule: () => Promise<Value>,
  preload: "soon" | "late" | "never" = "soon",
): LazyModule<Value> {
  let state: LazyModuleState<Value> = { status: "idle" };
  let loading: Promise<void> | undefined;
  const listeners = new Set<() => void>();

  function setState(next: LazyModuleState<Value>): void {
    state = next;
    for (const listener of listeners) listener();
  }

  async function fetchModule(): Promise<void> {
    try {
      await downloadFiles(module);
      setState({ status: "ready", value: await importModule() });
    } catch {
      setState({ status: "failed", problem: await diagnoseFailure(), isRetrying: false });
    } finally {
      loading = undefined;
    }
  }

  function load(): Promise<void> {
    if (state.status === "ready") return Promise.resolve();
    if (loading === undefined) {
      loading = fetchModule();
      // Keep showing the last failure until this attempt ends.
      setState(state.status === "failed" ? { ...state, isRetrying: true } : { status: "loading" });
    }
    return loading;
  }

  const lazyModule: LazyModule<Value> = {
    load,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  if (preload !== "never") preloadQueue[preload].push(lazyModule);
  return lazyModule;
}

/** The state of a module. Starts loading it, and retries when the connection is back. A loaded module is available in the first render. */
export function useLazyModule<Value>(lazyModule: LazyModule<Value>): LazyModuleState<Value> {
  const state = useSyncExternalStore(lazyModule.subscribe, lazyModule.state);
  useEffect(() => void lazyModule.load(), [lazyModule]);
  useEffect(() => {
    if (state.status !== "failed" || state.isRetrying || state.problem === "newer") return undefined;
    const timer =
      state.problem === "offline" && onlineManager.isOnline() ? setTimeout(() => void lazyModule.load(), RETRY_DELAY_MS) : undefined;
    const stop = onlineManager.subscribe((isOnline) => isOnline && void lazyModule.load());
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [lazyModule, state]);
  return state;
}

let isPreloading = false;

/** Loads the remaining modules one after the other while the browser is idle. */
export async function preloadModules(): Promise<void> {
  if (isPreloading) return;
  isPreloading = true;
  for (const lazyModule of [...preloadQueue.soon, ...preloadQueue.late]) {
    if (lazyModule.state().status === "ready") continue;
    await nextIdle();
    await lazyModule.load();
    // Without a connection the others would fail as well.
    if (lazyModule.state().status !== "ready") break;
  }
  isPreloading = false;
}

/** Safari has no `requestIdleCallback`. */
const nextIdle = (): Promise<unknown> =>
  new Promise((resolve) => ("requestIdleCallback" in window ? requestIdleCallback(resolve, { timeout: 2_000 }) : setTimeout(resolve, 50)));
