import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

/** How often a lost server is looked for, in milliseconds. */
const LOOK_MS = 2_000;

let looking: ReturnType<typeof setTimeout> | undefined;

/**
 * `fetch` that notices when the server can't be reached: until it is back, whatever reads or writes waits. Calls that were ended on
 * purpose are not failures.
 */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init);
    found();
    return response;
  } catch (error) {
    if (error instanceof TypeError && init?.signal?.aborted !== true) lost();
    throw error;
  }
};

/** Whether the server can be reached, as far as the last call tells. */
export const useIsConnected = (): boolean =>
  useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );

/** Looks for the server at once. */
export function lookNow(): void {
  clearTimeout(looking);
  looking = undefined;
  void look();
}

function lost(): void {
  onlineManager.setOnline(false);
  looking ??= setTimeout(() => void look(), LOOK_MS);
}

function found(): void {
  if (looking !== undefined) clearTimeout(looking);
  looking = undefined;
  onlineManager.setOnline(true);
}

async function look(): Promise<void> {
  looking = undefined;
  try {
    await fetch("/health/live", { cache: "no-store", signal: AbortSignal.timeout(LOOK_MS * 2) });
    found();
  } catch {
    lost();
  }
}
