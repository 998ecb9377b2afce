import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeJob } from "../fixtures/queue.ts";
import { createControlledTools, pass, REQUEST, setUp, SIGNAL, T0 } from "../fixtures/stages.ts";

beforeEach(() => void vi.useFakeTimers({ now: T0, toFake: ["setInterval", "clearInterval", "setTimeout", "Date", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("stages of several jobs are written together, and renewed while a stage lasts", async () => {
  const { stages, calls } = setUp();
  const jobs = ["a", "b", "c"].map((id) => makeJob(id));
  for (const job of jobs) void stages.watch(job, createControlledTools().tools).fetcher.fetch(REQUEST);
  await pass(700);
  expect(calls).toEqual(["report til_a fetch 1, til_b fetch 1, til_c fetch 1"]);
  await pass(5_000);
  expect(calls).toHaveLength(2);
  expect(calls[1]).toBe(calls[0]);
  for (const job of jobs) stages.end(job);
  await pass(200);
  expect(calls.slice(2)).toEqual(["end til_a fetch 1, til_b fetch 1, til_c fetch 1"]);
});

it("stages of quick jobs are never written", async () => {
  const { stages, calls } = setUp();
  for (let n = 0; n < 100; n++) {
    const { tools, finish } = createControlledTools();
    const job = makeJob(`quick-${n}`);
    const { fetcher, reader } = stages.watch(job, tools);
    void fetcher.fetch(REQUEST);
    await pass(100);
    await finish();
    void reader.head({ html: "", url: "" } as never, SIGNAL);
    await pass(100);
    await finish();
    stages.end(job);
  }
  await pass(10_000);
  expect(calls).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it("stages of a long job with short stages are reported at most twice a second", async () => {
  const { stages, calls } = setUp();
  const { tools, finish } = createControlledTools();
  const { fetcher, reader } = stages.watch(makeJob("a"), tools);
  for (let n = 0; n < 20; n++) {
    void (n % 2 === 0 ? fetcher.fetch(REQUEST) : reader.feed("", SIGNAL));
    await pass(200);
    await finish();
    if (n === 9) expect(calls.length).toBeLessThanOrEqual(1);
  }
  expect(calls.length).toBeGreaterThanOrEqual(2);
  expect(calls.length).toBeLessThanOrEqual(5);
});

it("job stages are written again after a failed write, which is logged once until a write succeeds", async () => {
  const { stages, calls, state, warnings } = setUp();
  const job = makeJob("a");
  void stages.watch(job, createControlledTools().tools).fetcher.fetch(REQUEST);
  state.isUnavailable = true;
  await pass(3_000);
  expect(calls.length).toBeGreaterThan(2);
  expect(warnings).toHaveLength(1);
  state.isUnavailable = false;
  await pass(600);
  const before = calls.length;
  await pass(3_000);
  expect(calls).toHaveLength(before);
  state.isUnavailable = true;
  stages.end(job);
  await pass(3_000);
  expect(calls.at(-1)).toBe("end til_a fetch 1");
  expect([calls.length, warnings.length]).toEqual([before + 1, 2]);
});

it("job stages wait for a running write, and end when stopped", async () => {
  const { stages, calls, state } = setUp();
  void stages.watch(makeJob("a"), createControlledTools().tools).fetcher.fetch(REQUEST);
  const storing = Promise.withResolvers<void>();
  state.hold = storing.promise;
  await pass(700);
  void stages.watch(makeJob("b"), createControlledTools().tools).fetcher.fetch(REQUEST);
  await pass(700);
  expect(calls).toEqual(["report til_a fetch 1"]);
  const stopped = stages.stop();
  await pass(10);
  expect(calls).toHaveLength(1);
  storing.resolve();
  await stopped;
  expect(calls).toEqual(["report til_a fetch 1", "end til_a fetch 1"]);
});
