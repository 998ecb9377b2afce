import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { Progress, ProgressStore } from "#domain/content/progress.ts";
import { createJobStages, type JobTools } from "#ingest/jobs/stages.ts";
import { startWorker } from "#ingest/worker.ts";
import { fakeQueue, makeJob } from "../fixtures/queue.ts";

const T0 = 1_000_000;
const SIGNAL = new AbortController().signal;
const REQUEST = { url: "https://one.example/", maxBytes: 1, signal: SIGNAL };
const MEDIA = { bytes: new Uint8Array(), mediaType: "audio/mpeg", name: "a.mp3" };

/** A store that records each call, and fails on request. */
function createRecordingStore() {
  const calls: string[] = [];
  const state = { isUnavailable: false, hold: null as Promise<void> | null };
  const formatEntries = (entries: readonly Progress[]) =>
    entries.map(({ tileId, stage, attempt }) => `${tileId} ${stage} ${attempt}`).join(", ");
  const call = async (what: string): Promise<void> => {
    calls.push(what);
    await state.hold;
    if (state.isUnavailable) throw new Error("away");
  };
  const progress: ProgressStore = {
    report: (entries) => call(`report ${formatEntries(entries)}`),
    end: (entries) => call(`end ${formatEntries(entries)}`),
    running: async () => [],
  };
  return { progress, calls, state };
}

function setUp() {
  const { progress, calls, state } = createRecordingStore();
  const warnings: string[] = [];
  const warn = (_fields: object, message: string): void => void warnings.push(message);
  const stages = createJobStages({ progress, clock: { now: () => Date.now() }, log: { info: warn, warn, error: warn } });
  return { stages, calls, state, warnings };
}

/** Tools whose calls take as long as the test wants; `finish` ends the oldest running one. */
function createControlledTools() {
  const calls: PromiseWithResolvers<never>[] = [];
  const held = (): Promise<never> => {
    const call = Promise.withResolvers<never>();
    calls.push(call);
    return call.promise;
  };
  const tools: JobTools = {
    fetcher: { fetch: held },
    reader: { page: held, plainText: held, clean: held, head: held, feed: held, document: held },
    media: { pictures: { read: held }, speech: { read: held } },
  };
  const finish = async (): Promise<void> => {
    calls.shift()!.resolve(undefined as never);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { tools, finish };
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers({ now: T0, toFake: ["setInterval", "clearInterval", "setTimeout", "Date", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("job stages are reported after half a second, at each later change, and removed when the job ends", async () => {
  const { stages, calls } = setUp();
  const { tools, finish } = createControlledTools();
  const job = makeJob("a", { attempt: 2 });
  const { fetcher, reader, media } = stages.watch(job, tools);
  void fetcher.fetch(REQUEST);
  await pass(450);
  expect(calls).toEqual([]);
  await pass(150);
  expect(calls).toEqual(["report til_a fetch 2"]);
  await finish();
  void reader.document(new Uint8Array(), "pdf", SIGNAL);
  await pass(300);
  expect(calls).toHaveLength(1);
  await pass(300);
  expect(calls.at(-1)).toBe("report til_a read 2");
  await finish();
  void media.speech!.read(MEDIA, SIGNAL);
  await pass(600);
  await finish();
  void media.pictures!.read(MEDIA, SIGNAL);
  await pass(600);
  expect(calls.slice(2)).toEqual(["report til_a transcribe 2", "report til_a recognise 2"]);
  stages.end(job);
  await pass(200);
  expect(calls.at(-1)).toBe("end til_a recognise 2");
  await pass(60_000);
  expect(calls).toHaveLength(5);
  expect(vi.getTimerCount()).toBe(0);
});

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

it("job stages are named after the latest running call, and stay between two calls", async () => {
  const { stages, calls } = setUp();
  const { tools, finish } = createControlledTools();
  const { fetcher, media } = stages.watch(makeJob("a"), tools);
  void media.speech!.read(MEDIA, SIGNAL);
  void fetcher.fetch(REQUEST);
  await pass(600);
  expect(calls).toEqual(["report til_a fetch 1"]);
  await finish();
  await pass(600);
  expect(calls).toHaveLength(1);
  await finish();
  await pass(1_000);
  expect(calls).toHaveLength(1);
  void media.pictures!.read(MEDIA, SIGNAL);
  await pass(200);
  expect(calls.at(-1)).toBe("report til_a recognise 1");
});

it("job stages end when a tool throws, and pass on the error", async () => {
  const { stages, calls } = setUp();
  const { tools } = createControlledTools();
  const fails = async (): Promise<never> => {
    throw new Error("refused");
  };
  const { fetcher, reader } = stages.watch(makeJob("a"), { ...tools, fetcher: { fetch: fails } });
  await expect(fetcher.fetch(REQUEST)).rejects.toThrow("refused");
  void reader.feed("", SIGNAL);
  await pass(600);
  expect(calls).toEqual(["report til_a read 1"]);
});

it("job stages exclude readers that are missing", () => {
  const { stages } = setUp();
  expect(stages.watch(makeJob("a"), { ...createControlledTools().tools, media: { pictures: null, speech: null } }).media).toEqual({
    pictures: null,
    speech: null,
  });
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

it("the worker reports the end of each job after it is stored, even if the job ignores its signal", async () => {
  const { queue, events } = fakeQueue([makeJob("a"), makeJob("b", { attempt: 3 })]);
  const ended: string[] = [];
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const worker = startWorker({
    queue,
    run: (job) =>
      job.id === "a"
        ? Promise.resolve({ type: "WEBSITE", title: null, text: "words", metadata: {}, warnings: [] })
        : new Promise(() => undefined),
    onEnd: ({ id }) => ended.push(`${id} after ${events.filter((event) => event.id === id).length}`),
    clock: { now: () => T0 },
    concurrency: 2,
    perHost: 2,
    timeoutMs: 50,
    log,
  });
  onTestFinished(() => worker.stop(0));
  await vi.waitFor(() => expect(ended.toSorted()).toEqual(["a after 1", "b after 1"]), { timeout: 300_000 });
});
