import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Loop, type LoopOptions, startLoop } from "#runtime/loop.ts";
import { getCurrentOwner, runFor } from "#runtime/turns/current-owner.ts";

const loops: Loop[] = [];
const start = (options: Partial<LoopOptions> & Pick<LoopOptions, "run">): Loop => {
  const loop = startLoop({ intervalMs: 1_000, onError: () => undefined, ...options });
  loops.push(loop);
  return loop;
};
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers());

afterEach(async () => {
  const stopped = Promise.all(loops.splice(0).map((loop) => loop.stop()));
  await advance(60_000);
  await stopped;
  vi.useRealTimers();
});

it("a loop runs at once and then at intervals", async () => {
  const run = vi.fn(async () => undefined);
  start({ run });
  await advance(0);
  expect(run).toHaveBeenCalledTimes(1);
  await advance(999);
  expect(run).toHaveBeenCalledTimes(1);
  await advance(1);
  expect(run).toHaveBeenCalledTimes(2);
});

it("a loop delays its first run by firstMs, unless it is woken", async () => {
  const run = vi.fn(async () => undefined);
  const loop = start({ run, firstMs: 500 });
  await advance(499);
  expect(run).not.toHaveBeenCalled();
  loop.wake();
  await advance(0);
  expect(run).toHaveBeenCalledTimes(1);
});

it("a loop never overlaps runs, and counts the interval from the end of a run", async () => {
  const run = vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 5_000)));
  start({ run });
  await advance(5_999);
  expect(run).toHaveBeenCalledTimes(1);
  await advance(1);
  expect(run).toHaveBeenCalledTimes(2);
});

it("a loop runs when its caller or its subscription wakes it", async () => {
  let notify = (): void => undefined;
  const run = vi.fn(async () => undefined);
  const loop = start({
    run,
    wake: (wake) => {
      notify = wake;
      return () => undefined;
    },
  });
  await advance(10);
  loop.wake();
  await advance(0);
  expect(run).toHaveBeenCalledTimes(2);
  notify();
  await advance(0);
  expect(run).toHaveBeenCalledTimes(3);
});

it("a loop runs again at once when woken during a run, and once for several wake-ups", async () => {
  const run = vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 100)));
  const loop = start({ run });
  await advance(50);
  loop.wake();
  loop.wake();
  await advance(50);
  expect(run).toHaveBeenCalledTimes(2);
  await advance(1_000);
  expect(run).toHaveBeenCalledTimes(2);
});

it("a loop without an interval runs only when woken", async () => {
  const run = vi.fn(async () => undefined);
  const loop = startLoop({ run, onError: () => undefined });
  loops.push(loop);
  await advance(86_400_000);
  expect(run).toHaveBeenCalledTimes(1);
  loop.wake();
  await advance(0);
  expect(run).toHaveBeenCalledTimes(2);
});

it("a loop runs earlier if a run or a wake-up says so", async () => {
  const run = vi
    .fn(async (): Promise<number | void> => undefined)
    .mockResolvedValueOnce(300)
    .mockResolvedValueOnce(9_000);
  const loop = start({ run });
  await advance(299);
  expect(run).toHaveBeenCalledTimes(1);
  await advance(1);
  expect(run).toHaveBeenCalledTimes(2);
  await advance(999);
  expect(run).toHaveBeenCalledTimes(2);
  await advance(1);
  expect(run).toHaveBeenCalledTimes(3);
  loop.wake(10);
  await advance(5);
  loop.wake(10);
  expect(run).toHaveBeenCalledTimes(3);
  await advance(5);
  expect(run).toHaveBeenCalledTimes(4);
  await advance(500);
  expect(run).toHaveBeenCalledTimes(4);
});

it("a loop collects wake-ups for debounceMs, and delays them for minIntervalMs after a run", async () => {
  const debounced = vi.fn(async () => undefined);
  const spaced = vi.fn(async () => undefined);
  const loop = start({ run: debounced, debounceMs: 50 });
  const other = start({ run: spaced, minIntervalMs: 250 });
  await advance(300);
  loop.wake();
  other.wake();
  await advance(0);
  expect(debounced).toHaveBeenCalledTimes(1);
  expect(spaced).toHaveBeenCalledTimes(2);
  other.wake();
  await advance(49);
  loop.wake();
  await advance(1);
  expect(debounced).toHaveBeenCalledTimes(2);
  await advance(199);
  expect(spaced).toHaveBeenCalledTimes(2);
  await advance(1);
  expect(spaced).toHaveBeenCalledTimes(3);
});

it("a loop reports a run that throws, and continues", async () => {
  const onError = vi.fn();
  const error = new Error("failed");
  const run = vi.fn(async (): Promise<void> => undefined).mockRejectedValueOnce(error);
  start({ run, onError });
  await advance(0);
  expect(onError).toHaveBeenCalledExactlyOnceWith(error, 1);
  await advance(1_000);
  expect(run).toHaveBeenCalledTimes(2);
  expect(onError).toHaveBeenCalledTimes(1);
});

it("a loop doubles its pause after failures in a row up to maxBackOffMs, which wake-ups do not shorten", async () => {
  const failures: number[] = [];
  const run = vi.fn(async (): Promise<void> => {
    if (run.mock.calls.length <= 4) throw new Error("failed");
  });
  const loop = start({ run, maxBackOffMs: 3_000, onError: (_error, count) => failures.push(count) });
  for (const [ms, runs] of [
    [1_000, 2],
    [2_000, 3],
    [3_000, 4],
    [3_000, 5],
  ] as const) {
    loop.wake();
    await advance(ms - 1);
    expect(run).toHaveBeenCalledTimes(runs - 1);
    await advance(1);
    expect(run).toHaveBeenCalledTimes(runs);
  }
  expect(failures).toEqual([1, 2, 3, 4]);
});

it("a stopped loop aborts its signal, waits for the running call, and starts no other", async () => {
  const unsubscribe = vi.fn();
  let signal: AbortSignal | undefined;
  const run = vi.fn((given: AbortSignal) => {
    signal = given;
    return new Promise<void>((resolve) => setTimeout(resolve, 100));
  });
  const loop = start({ run, wake: () => unsubscribe });
  await advance(50);
  loop.wake();
  let isStopped = false;
  const stopping = loop.stop().then(() => (isStopped = true));
  await advance(49);
  expect([signal?.aborted, isStopped]).toEqual([true, false]);
  await advance(1);
  await stopping;
  await advance(10_000);
  expect(run).toHaveBeenCalledTimes(1);
  expect(unsubscribe).toHaveBeenCalled();
});

it("a loop stops at once while it waits, also after a failure", async () => {
  const loop = start({ run: async () => Promise.reject(new Error("failed")), maxBackOffMs: 100_000, intervalMs: 100_000 });
  await advance(10);
  await loop.stop();
  await start({ run: async () => undefined, firstMs: 100_000 }).stop();
});

it("a loop runs for no caller, whoever started or woke it", async () => {
  const owners: unknown[] = [];
  const loop = runFor("one", () => start({ run: async () => void owners.push(getCurrentOwner()) }));
  await advance(0);
  runFor("two", () => loop.wake());
  await advance(0);
  expect(owners).toEqual([undefined, undefined]);
});
