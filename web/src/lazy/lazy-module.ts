import { onlineManager } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { downloadFiles, diagnoseFailure, type LoadFailure } from "./download.ts";

export type LazyModuleState<Value> =
  | { readonly status: "idle" | "loading" }
  | { readonly status: "ready"; readonly value: Value }
  | { readonly status: "failed"; readonly problem: LoadFailure; readonly isRetrying: boolean };

/** A module of the page that is loaded when it is first needed, or before that while the page is idle. */
export type LazyModule<Value> = {
  /** Loads it, or tries again after a failure. Never rejects: the outcome is in `state`. */
  readonly load: () => Promise<void>;
  readonly state: () => LazyModuleState<Value>;
  readonly subscribe: (listener: () => void) => () => void;
};

/** How long after a failure by a connection that seems to be back it is tried again, in milliseconds. */
const RETRY_DELAY_MS = 1_000;

const preloadQueue = { soon: [] as LazyModule<unknown>[], late: [] as LazyModule<unknown>[] };

/**
 * Defines a lazily loaded part. `module` is its path from the folder `web`, `importModule` the import and what is taken from it, `preload`
 * when `preloadModules` loads it: soon, after all those, or never.
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
      // What is shown about the last failure stays until this attempt ends.
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

/** The state of a part. Starts loading it, and tries again when the connection is back. A part that is loaded is there at once. */
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

/** Loads what may be needed soon, one part after the other, each when the browser is idle, so that nothing waits for it. */
export async function preloadModules(): Promise<void> {
  if (isPreloading) return;
  isPreloading = true;
  for (const lazyModule of [...preloadQueue.soon, ...preloadQueue.late]) {
    if (lazyModule.state().status === "ready") continue;
    await nextIdle();
    await lazyModule.load();
    // Without a connection each of the others would fail as well.
    if (lazyModule.state().status !== "ready") break;
  }
  isPreloading = false;
}

/** Safari has no idle callbacks. */
const nextIdle = (): Promise<unknown> =>
  new Promise((resolve) => ("requestIdleCallback" in window ? requestIdleCallback(resolve, { timeout: 2_000 }) : setTimeout(resolve, 50)));
