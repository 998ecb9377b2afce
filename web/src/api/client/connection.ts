import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

/** How often the connection is checked while the server is unreachable, in milliseconds. */
const POLL_INTERVAL_MS = 2_000;
/** A read without response headers after this time was sent over a dead connection; in milliseconds. */
const READ_TIMEOUT_MS = 20_000;

let checkTimer: ReturnType<typeof setTimeout> | undefined;
/** How many times the connection was lost. */
let disconnectCount = 0;
onlineManager.subscribe((isOnline) => {
  if (!isOnline) disconnectCount++;
});

/**
 * `fetch` that detects when the server is unreachable; queries and mutations then pause until it is back. Reads time out, writes do not.
 * Aborted requests do not count as failures.
 */
export const trackedFetch: typeof fetch = async (input, init) => {
  const onResponse = trackRequest();
  try {
    const response = await (isRead(init) ? fetchWithTimeout(input, init) : fetch(input, init));
    onResponse();
    return response;
  } catch (error) {
    if (error instanceof TypeError && init?.signal?.aborted !== true) markOffline();
    throw error;
  }
};

const isRead = (init: RequestInit | undefined): boolean => (init?.method ?? "GET").toUpperCase() === "GET";

/**
 * `fetch` for reads that rejects with a `TypeError` if no response starts within the time limit. The outcome does not change the
 * connection state, because the browser's cache may answer.
 */
export async function fetchWithTimeout(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new TypeError("The server did not respond in time.")), READ_TIMEOUT_MS);
  const signals = [timeout.signal, ...(init?.signal ? [init.signal] : [])];
  try {
    return await fetch(input, { ...init, signal: AbortSignal.any(signals) });
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the server was reachable at the last request. */
export const useIsConnected = (): boolean =>
  useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );

/** Checks the connection immediately instead of at the next interval. */
export function checkConnectionNow(): void {
  clearTimeout(checkTimer);
  checkTimer = undefined;
  void checkConnection();
}

/**
 * Registers the start of a request and returns a callback for its response. A response to a request from before the connection was lost
 * may have been in transit, so it only triggers a check.
 */
export function trackRequest(): () => void {
  const before = disconnectCount;
  return () => (before === disconnectCount ? markOnline() : checkConnectionNow());
}

/** Marks the server as unreachable: queries and mutations pause until a check succeeds. */
export function markOffline(): void {
  onlineManager.setOnline(false);
  checkTimer ??= setTimeout(() => void checkConnection(), POLL_INTERVAL_MS);
}

function markOnline(): void {
  if (checkTimer !== undefined) clearTimeout(checkTimer);
  checkTimer = undefined;
  onlineManager.setOnline(true);
}

async function checkConnection(): Promise<void> {
  checkTimer = undefined;
  try {
    await fetch("/health/live", { cache: "no-store", signal: AbortSignal.timeout(POLL_INTERVAL_MS * 2) });
    markOnline();
  } catch {
    markOffline();
  }
}
