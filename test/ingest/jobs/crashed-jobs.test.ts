import { afterEach, describe, expect, it, vi } from "vitest";
import type { Ingested } from "#domain/content/job.ts";
import { type IngestWorker, startWorker, type WorkerDeps } from "#ingest/worker.ts";
import { currentContext, runInContext, type WorkContext } from "#runtime/work-context.ts";
import { type Event, fakeQueue, makeJob } from "../fixtures/queue.ts";

const result: Ingested = { type: "WEBSITE", title: "T", text: "words", metadata: {}, warnings: [] };
const workers: IngestWorker[] = [];
const log = { info: () => {}, warn: () => {}, error: () => {} };

function start(queue: WorkerDeps["queue"], run: WorkerDeps["run"]): IngestWorker {
  const bounds = { concurrency: 8, perHost: 8, timeoutMs: 10_000, renewMs: 20, pollMs: 20 };
  const worker = startWorker({ queue, run, clock: { now: () => 1_000_000 }, log, ...bounds });
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

describe("a job that may have caused a crash", { timeout: 300_000 }, () => {
  it("starts when nothing else runs, runs alone, and others start after it", async () => {
    const { queue, events, add, state } = fakeQueue([
      makeJob("plain"),
      makeJob("one", { crashes: 1, isSuspect: true }),
      makeJob("two", { crashes: 1, isSuspect: true }),
    ]);
    const jobs = holdJobs();
    start(queue, jobs.run);
    await until(() => expect(jobs.names()).toEqual(["plain"]));
    add(makeJob("late"));
    const { renewals } = state;
    // Their leases are renewed meanwhile.
    await until(() => expect(state.renewals).toBeGreaterThan(renewals + 1));
    expect(jobs.names()).toEqual(["plain"]);
    for (const [ended, next] of [
      ["plain", "one"],
      ["one", "two"],
      ["two", "late"],
    ]) {
      jobs.finish(ended ?? "");
      await until(() => expect(jobs.names()).toEqual([next]));
    }
    jobs.finish("late");
    await until(() => expect(events.map(({ id }) => id)).toEqual(["plain", "one", "two", "late"]));
  });

  it("is released without having started when the worker stops", async () => {
    const { queue, events } = fakeQueue([makeJob("plain"), makeJob("one", { crashes: 1, isSuspect: true })]);
    const jobs = holdJobs();
    const worker = start(queue, jobs.run);
    await until(() => expect(jobs.names()).toEqual(["plain"]));
    await worker.stop(0);
    expect(events.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { did: "release", id: "one" },
      { did: "release", id: "plain" },
    ]);
  });
});

describe("a worker whose process crashes", { timeout: 300_000 }, () => {
  it("counts the crash against running jobs if the cause is unknown, releases waiting ones, and then neither stores nor starts anything", async () => {
    const { queue, events, add } = fakeQueue([makeJob("a"), makeJob("b"), makeJob("waits", { crashes: 1, isSuspect: true })]);
    const jobs = holdJobs();
    const worker = start(queue, jobs.run);
    await until(() => expect(jobs.names()).toEqual(["a", "b"]));
    expect(await worker.recordCrash()).toEqual({ counted: ["a", "b"], failed: [] });
    add(makeJob("late"));
    jobs.finish("a");
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(jobs.names()).toEqual(["b"]);
    expect(events).toEqual([
      { did: "crash", id: "a", isTraced: false },
      { did: "crash", id: "b", isTraced: false },
      { did: "release", id: "waits" },
    ]);
  });

  const crashIn = async (context: WorkContext): Promise<readonly Event[]> => {
    const jobs = holdJobs();
    const { queue, events } = fakeQueue([makeJob("a"), makeJob("b")]);
    const worker = start(queue, jobs.run);
    await until(() => expect(jobs.names()).toEqual(["a", "b"]));
    await worker.recordCrash(context);
    return events;
  };

  it("counts the crash against the job that caused it, and releases the others", async () => {
    expect(await crashIn({ kind: "job", jobId: "b" })).toEqual([
      { did: "crash", id: "b", isTraced: true },
      { did: "release", id: "a" },
    ]);
  });

  it("counts the crash against no job if a request caused it", async () => {
    expect(await crashIn({ kind: "call" })).toEqual([
      { did: "release", id: "a" },
      { did: "release", id: "b" },
    ]);
  });

  it("counts the crash against running jobs if the job that caused it has ended", async () => {
    expect(await crashIn({ kind: "job", jobId: "ended" })).toEqual([
      { did: "crash", id: "a", isTraced: false },
      { did: "crash", id: "b", isTraced: false },
    ]);
  });

  it("runs each job in its own context, whatever woke the worker", async () => {
    const { queue, add } = fakeQueue([makeJob("a")]);
    const contexts: unknown[] = [];
    start(queue, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      contexts.push(currentContext());
      return result;
    });
    runInContext({ kind: "call" }, () => add(makeJob("b")));
    await until(() => expect(contexts).toHaveLength(2));
    expect(contexts).toEqual(["a", "b"].map((jobId) => ({ kind: "job", jobId })));
  });

  it("runs a job with an earlier crash of its own beside others", async () => {
    const { queue } = fakeQueue([makeJob("a"), makeJob("b", { crashes: 1 })]);
    const jobs = holdJobs();
    start(queue, jobs.run);
    await until(() => expect(jobs.names()).toEqual(["a", "b"]));
  });

  it("reports which job failed permanently, and throws errors of the store", async () => {
    const { queue, faults } = fakeQueue([makeJob("again", { crashes: 1, isSuspect: true })]);
    const jobs = holdJobs();
    const worker = start(queue, jobs.run);
    await until(() => expect(jobs.names()).toEqual(["again"]));
    faults.set("recordCrash", 1);
    await expect(worker.recordCrash()).rejects.toThrow("store fault");
  });
});
