import { afterEach, expect, it, vi } from "vitest";
import type { Ingested } from "#domain/content/job.ts";
import { type IngestWorker, startWorker, type WorkerDeps } from "#ingest/worker.ts";
import { fakeQueue, makeJob } from "../fixtures/queue.ts";

const result: Ingested = { type: "WEBSITE", title: "T", text: "words", metadata: {}, warnings: [] };
const workers: IngestWorker[] = [];
const log = { info: () => {}, warn: () => {}, error: () => {} };

const NOW = 1_000_000;

function start(queue: WorkerDeps["queue"], run: WorkerDeps["run"], random?: () => number): IngestWorker {
  const bounds = { concurrency: 8, perHost: 8, timeoutMs: 10_000, renewMs: 20, pollMs: 20 };
  const worker = startWorker({ queue, run, clock: { now: () => NOW }, log, ...bounds, ...(random && { random }) });
  workers.push(worker);
  return worker;
}
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 300_000, interval: 5 });

/** Jobs that run until they are released, and a record of those that run concurrently. */
function holdJobs() {
  const running = new Map<string, () => void>();
  const run: WorkerDeps["run"] = async (job) => {
    await new Promise<void>((resolve) => running.set(job.id, resolve));
    running.delete(job.id);
    return result;
  };
  return { run, names: () => [...running.keys()], finish: (id: string) => running.get(id)?.() };
}

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
});

it("a worker whose process crashes ends the attempt of every running job, and then neither stores nor starts anything", async () => {
  const { queue, events, add } = fakeQueue([makeJob("a"), makeJob("b", { attempt: 2 })]);
  const jobs = holdJobs();
  const worker = start(queue, jobs.run);
  await until(() => expect(jobs.names()).toEqual(["a", "b"]));
  expect(await worker.recordCrash()).toEqual({ counted: ["a", "b"], failed: [] });
  add(makeJob("late"));
  jobs.finish("a");
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(jobs.names()).toEqual(["b"]);
  const crashed = { code: "worker_crashed", stage: "worker", retryable: true, message: expect.stringMatching(/^[A-Z].*paste.*\.$/) };
  expect(events).toEqual([
    { did: "retry", id: "a", error: { ...crashed, attempts: 1 }, now: NOW, runAt: expect.any(Number) },
    { did: "retry", id: "b", error: { ...crashed, attempts: 2 }, now: NOW, runAt: expect.any(Number) },
  ]);
});

it("a worker whose process crashes runs its jobs again at times of their own, within 20 seconds", async () => {
  const { queue, events } = fakeQueue([makeJob("a"), makeJob("b"), makeJob("c")]);
  const jobs = holdJobs();
  const numbers = [0, 0.5, 0.999];
  const worker = start(queue, jobs.run, () => numbers.shift() ?? 0);
  await until(() => expect(jobs.names()).toHaveLength(3));
  await worker.recordCrash();
  expect(events.map((event) => event.did === "retry" && event.runAt - event.now)).toEqual([0, 10_000, 19_980]);
});

it("a worker whose process crashes fails jobs in their last attempt, and reports which", async () => {
  const { queue, events } = fakeQueue([makeJob("a"), makeJob("last", { attempt: 3 })]);
  const jobs = holdJobs();
  const worker = start(queue, jobs.run);
  await until(() => expect(jobs.names()).toEqual(["a", "last"]));
  expect(await worker.recordCrash()).toEqual({ counted: ["a", "last"], failed: ["last"] });
  expect(events.map(({ did, id }) => `${did} ${id}`)).toEqual(["retry a", "fail last"]);
});

it("a worker whose process crashes throws errors of the store", async () => {
  const { queue, faults } = fakeQueue([makeJob("a")]);
  const jobs = holdJobs();
  const worker = start(queue, jobs.run);
  await until(() => expect(jobs.names()).toEqual(["a"]));
  faults.set("retryLater", 1);
  await expect(worker.recordCrash()).rejects.toThrow("store fault");
});
