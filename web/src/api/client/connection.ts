import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

/** How often a lost server is looked for, in milliseconds. */
const POLL_INTERVAL_MS = 2_000;
/** A read that the server has not begun to answer by then was sent over a connection that is dead without knowing it; in milliseconds. */
const READ_TIMEOUT_MS = 20_000;

let checkTimer: ReturnType<typeof setTimeout> | undefined;
/** How often the connection was lost, as the browser or a failed call told. */
let disconnectCount = 0;
onlineManager.subscribe((isOnline) => {
  if (!isOnline) disconnectCount++;
});

/**
 * `fetch` that notices when the server can't be reached: until it is back, whatever reads or writes waits. A read that is not answered
 * in time fails as one that got nowhere does; a write may take as long as it needs. Calls that were ended on purpose are not failures.
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
 * Reads by `fetch`; fails with a `TypeError` where no answer begins in time. What it finds says nothing about the connection, so it is for
 * files that the browser's cache may answer for.
 */
export async function fetchWithTimeout(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new TypeError("The server did not answer in time.")), READ_TIMEOUT_MS);
  const signals = [timeout.signal, ...(init?.signal ? [init.signal] : [])];
  try {
    return await fetch(input, { ...init, signal: AbortSignal.any(signals) });
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the server can be reached, as far as the last call tells. */
export const useIsConnected = (): boolean =>
  useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );

/** Looks for the server at once. */
export function checkConnectionNow(): void {
  clearTimeout(checkTimer);
  checkTimer = undefined;
  void checkConnection();
}

/**
 * Notes the beginning of a call; what it returns is called when the call is answered. An answer to a call from before the connection was
 * lost may have been on its way already, so it is no proof that the server is back: that is looked for.
 */
export function trackRequest(): () => void {
  const before = disconnectCount;
  return () => (before === disconnectCount ? markOnline() : checkConnectionNow());
}

/** Takes in that a call got nowhere: until the server is found again, whatever reads or writes waits. */
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
