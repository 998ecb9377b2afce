import { onlineManager } from "@tanstack/react-query";
import { useEffect } from "react";
import { preloadModules } from "./lazy-module.ts";

/** Delay between mounting and preloading, in milliseconds. */
const PRELOAD_DELAY_MS = 1_000;

/** Preloads the remaining modules after a delay, or at the first interaction. */
export function usePreload(): void {
  useEffect(() => {
    const controller = new AbortController();
    const start = (): void => {
      controller.abort();
      clearTimeout(timer);
      void preloadModules();
    };
    const timer = setTimeout(start, PRELOAD_DELAY_MS);
    const options = { signal: controller.signal, passive: true, capture: true };
    for (const name of ["pointermove", "focusin", "keydown"]) window.addEventListener(name, start, options);
    const stop = onlineManager.subscribe((isOnline) => isOnline && void preloadModules());
    return () => {
      stop();
      controller.abort();
      clearTimeout(timer);
    };
  }, []);
}
