import { onlineManager } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { trackedFetch } from "../../web/src/api/client/connection.ts";

/** A server that never responds; requests end when they are aborted. */
const fetchWithoutResponse: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
  });
const describeOutcome = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "answered",
    (error: unknown) => error,
  );

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetchWithoutResponse);
  onlineManager.setOnline(true);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  onlineManager.setOnline(true);
});

it("a read without a response times out, and the server counts as unreachable until it responds", async () => {
  const outcome = describeOutcome(trackedFetch("/api/boards"));
  await vi.advanceTimersByTimeAsync(19_000);
  expect(onlineManager.isOnline()).toBe(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await outcome).toBeInstanceOf(TypeError);
  expect(onlineManager.isOnline()).toBe(false);
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}")));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(onlineManager.isOnline()).toBe(true);
});

it("a write has no time limit", async () => {
  const ended = vi.fn<() => void>();
  void describeOutcome(trackedFetch("/api/ask", { method: "POST" })).then(ended);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(ended).not.toHaveBeenCalled();
  expect(onlineManager.isOnline()).toBe(true);
});

it("an aborted read does not mark the server as unreachable", async () => {
  const controller = new AbortController();
  const outcome = describeOutcome(trackedFetch("/api/search", { signal: controller.signal }));
  controller.abort(new TypeError("typed on"));
  expect(await outcome).toBe(controller.signal.reason);
  const begun = new AbortController();
  let passed: AbortSignal | null | undefined;
  vi.stubGlobal("fetch", (_input: unknown, init: RequestInit) => {
    passed = init.signal;
    return Promise.resolve(new Response("{}"));
  });
  await trackedFetch("/api/search", { signal: begun.signal });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(passed?.aborted).toBe(false);
  begun.abort();
  expect(passed?.aborted).toBe(true);
  expect(onlineManager.isOnline()).toBe(true);
});

it("a response to a request from before the connection was lost does not restore it", async () => {
  const answer = Promise.withResolvers<Response>();
  const looks = vi.fn<typeof fetch>(() => Promise.reject(new TypeError("no route")));
  vi.stubGlobal("fetch", () => answer.promise);
  const call = trackedFetch("/api/boards");
  onlineManager.setOnline(false);
  vi.stubGlobal("fetch", looks);
  answer.resolve(new Response("{}"));
  expect((await call).ok).toBe(true);
  await vi.advanceTimersByTimeAsync(100);
  expect(looks).toHaveBeenCalledWith("/health/live", expect.anything());
  expect(onlineManager.isOnline()).toBe(false);
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}")));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(onlineManager.isOnline()).toBe(true);
});
