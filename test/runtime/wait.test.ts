import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { delay, waitAtMost, waitOrAbort } from "#runtime/wait.ts";

const never = new Promise<never>(() => undefined);
const watch = (promise: Promise<unknown>) => {
  const state = { isOver: false, error: undefined as unknown };
  promise.then(
    () => (state.isOver = true),
    (error: unknown) => Object.assign(state, { isOver: true, error }),
  );
  return state;
};

beforeEach(() => void vi.useFakeTimers());

afterEach(() => void vi.useRealTimers());

it("delay resolves after its time and leaves no listener", async () => {
  const { signal } = new AbortController();
  const remove = vi.spyOn(signal, "removeEventListener");
  const state = watch(delay(100, signal));
  await vi.advanceTimersByTimeAsync(99);
  expect(state.isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(state).toEqual({ isOver: true, error: undefined });
  expect(remove).toHaveBeenCalledTimes(1);
});

it("delay rejects with the signal's reason on an abort, before or while it waits, and leaves no timer", async () => {
  const controller = new AbortController();
  const reason = new Error("gone");
  const state = watch(delay(100, controller.signal));
  controller.abort(reason);
  await expect(delay(100, controller.signal)).rejects.toBe(reason);
  expect(state).toEqual({ isOver: true, error: reason });
  expect(vi.getTimerCount()).toBe(0);
});

it("waitOrAbort passes on the value and the error of the promise", async () => {
  const { signal } = new AbortController();
  expect(await waitOrAbort(Promise.resolve(1), signal)).toBe(1);
  await expect(waitOrAbort(Promise.reject(new Error("failed")), signal)).rejects.toThrow("failed");
});

it("waitOrAbort throws the signal's reason on an abort, also instead of an error that the abort caused", async () => {
  const controller = new AbortController();
  const reason = new Error("gone");
  const state = watch(waitOrAbort(never, controller.signal));
  const work = Promise.withResolvers<void>();
  const caused = watch(waitOrAbort(work.promise, controller.signal));
  controller.abort(reason);
  work.reject(new Error("aborted"));
  await expect(waitOrAbort(Promise.resolve(1), controller.signal)).rejects.toBe(reason);
  expect([state.error, caused.error]).toEqual([reason, reason]);
});

it("waitAtMost ends with the promise, with its error, with the time or with an abort, and never throws", async () => {
  await waitAtMost(100, Promise.resolve());
  await waitAtMost(100, Promise.reject(new Error("failed")));
  expect(vi.getTimerCount()).toBe(0);
  const inTime = watch(waitAtMost(100, never));
  await vi.advanceTimersByTimeAsync(100);
  expect(inTime).toEqual({ isOver: true, error: undefined });
  const controller = new AbortController();
  const aborted = watch(waitAtMost(100, never, controller.signal));
  controller.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(aborted).toEqual({ isOver: true, error: undefined });
  await waitAtMost(100, never, controller.signal);
});
