import { getEventListeners } from "node:events";
import { onlineManager } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { waitUntilOnline, delay } from "../../web/src/api/client/wait.ts";

afterEach(() => {
  vi.useRealTimers();
  onlineManager.setOnline(true);
});

/** Like a live board, which waits again and again on one signal. */
const REPEATS = 50;

it("a finished delay leaves no listener on the signal", async () => {
  vi.useFakeTimers();
  const { signal } = new AbortController();
  for (let n = 0; n < REPEATS; n++) {
    const paused = delay(10, signal);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10);
    await paused;
  }
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

it("waiting for the server leaves no listener once it is back", async () => {
  const { signal } = new AbortController();
  for (let n = 0; n < REPEATS; n++) {
    onlineManager.setOnline(false);
    const waited = waitUntilOnline(signal);
    onlineManager.setOnline(true);
    await waited;
  }
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

it("both waits end immediately when the signal is aborted, and leave no listener", async () => {
  vi.useFakeTimers();
  onlineManager.setOnline(false);
  const gone = new AbortController();
  const waits = [delay(60_000, gone.signal), waitUntilOnline(gone.signal)];
  gone.abort();
  await Promise.all(waits);
  await Promise.all([delay(60_000, gone.signal), waitUntilOnline(gone.signal)]);
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(gone.signal, "abort")).toHaveLength(0);
  expect(onlineManager.hasListeners()).toBe(false);
});
