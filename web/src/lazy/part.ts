import { onlineManager } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { downloadFiles, findProblem, type LoadProblem } from "./files.ts";

export type PartState<Value> =
  | { readonly status: "idle" | "loading" }
  | { readonly status: "ready"; readonly value: Value }
  | { readonly status: "failed"; readonly problem: LoadProblem; readonly isRetrying: boolean };

/** A module of the page that is loaded when it is first needed, or before that while the page is idle. */
export type Part<Value> = {
  /** Loads it, or tries again after a failure. Never rejects: the outcome is in `state`. */
  readonly load: () => Promise<void>;
  readonly state: () => PartState<Value>;
  readonly subscribe: (listener: () => void) => () => void;
};

/** How long after a failure by a connection that seems to be back it is tried again, in milliseconds. */
const RETRY_DELAY_MS = 1_000;

const preloaded = { soon: [] as Part<unknown>[], late: [] as Part<unknown>[] };

/**
 * Defines a lazily loaded part. `module` is its path from the folder `web`, `importValue` the import and what is taken from it, `preload`
 * when `preloadParts` loads it: soon, after all those, or never.
 */
export function definePart<Value>(
  module: string,
  importValue: () => Promise<Value>,
  preload: "soon" | "late" | "never" = "soon",
): Part<Value> {
  let state: PartState<Value> = { status: "idle" };
  let loading: Promise<void> | undefined;
  const listeners = new Set<() => void>();

  function setState(next: PartState<Value>): void {
    state = next;
    for (const listener of listeners) listener();
  }

  async function run(): Promise<void> {
    try {
      await downloadFiles(module);
      setState({ status: "ready", value: await importValue() });
    } catch {
      setState({ status: "failed", problem: await findProblem(), isRetrying: false });
    } finally {
      loading = undefined;
    }
  }

  function load(): Promise<void> {
    if (state.status === "ready") return Promise.resolve();
    if (loading === undefined) {
      loading = run();
      // What is shown about the last failure stays until this attempt ends.
      setState(state.status === "failed" ? { ...state, isRetrying: true } : { status: "loading" });
    }
    return loading;
  }

  const part: Part<Value> = {
    load,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  if (preload !== "never") preloaded[preload].push(part);
  return part;
}

/** The state of a part. Starts loading it, and tries again when the connection is back. A part that is loaded is there at once. */
export function usePart<Value>(part: Part<Value>): PartState<Value> {
  const state = useSyncExternalStore(part.subscribe, part.state);
  useEffect(() => void part.load(), [part]);
  useEffect(() => {
    if (state.status !== "failed" || state.isRetrying || state.problem === "newer") return undefined;
    const timer = state.problem === "offline" && onlineManager.isOnline() ? setTimeout(() => void part.load(), RETRY_DELAY_MS) : undefined;
    const stop = onlineManager.subscribe((isOnline) => isOnline && void part.load());
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [part, state]);
  return state;
}

let isPreloading = false;

/** Loads what may be needed soon, one part after the other, each when the browser is idle, so that nothing waits for it. */
export async function preloadParts(): Promise<void> {
  if (isPreloading) return;
  isPreloading = true;
  for (const part of [...preloaded.soon, ...preloaded.late]) {
    if (part.state().status === "ready") continue;
    await nextIdle();
    await part.load();
    // Without a connection each of the others would fail as well.
    if (part.state().status !== "ready") break;
  }
  isPreloading = false;
}

/** Safari has no idle callbacks. */
const nextIdle = (): Promise<unknown> =>
  new Promise((resolve) => ("requestIdleCallback" in window ? requestIdleCallback(resolve, { timeout: 2_000 }) : setTimeout(resolve, 50)));
