import { expect, it, onTestFinished, vi } from "vitest";
import { type ClaimedJob, IngestError, type Ingested } from "#domain/content/job.ts";
import { computeRetryDelayMs } from "#ingest/jobs/attempt.ts";
import { startWorker, type WorkerDeps } from "#ingest/worker.ts";
import { fakeQueue, makeJob } from "../fixtures/queue.ts";
import { createLog, hang, NOW, result, start, until } from "../fixtures/worker.ts";

const fails = (error: unknown) => async (): Promise<Ingested> => {
  throw error;
};

it("the worker completes waiting jobs and later ones", async () => {
  const { queue, events, add } = fakeQueue([makeJob("a")]);
  start(queue, async () => result, { pollMs: 60_000 });
  await until(() => expect(events).toEqual([{ did: "complete", id: "a", result }]));
  add(makeJob("b"));
  await until(() => expect(events.at(-1)).toMatchObject({ did: "complete", id: "b" }));
});

it("the worker runs at most as many jobs as it has slots", async () => {
  const { queue, events } = fakeQueue(["a", "b", "c", "d", "e"].map((id) => makeJob(id)));
  const seen = { now: 0, most: 0 };
  start(queue, async () => {
    seen.most = Math.max(seen.most, ++seen.now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    seen.now--;
    return result;
  });
  await until(() => expect(events.length).toBe(5));
  expect(seen.most).toBe(2);
});

it("the worker retries with a delay that grows by four", async () => {
  const { queue, events } = fakeQueue([makeJob("a"), makeJob("b", { attempt: 2 })]);
  start(queue, fails(new IngestError("server_error", "m", { stage: "fetch", retryable: true })));
  await until(() => expect(events.length).toBe(2));
  expect(events).toContainEqual(
    expect.objectContaining({
      did: "retry",
      id: "a",
      runAt: NOW + 1_000,
      error: { code: "server_error", message: "m", stage: "fetch", retryable: true, attempts: 1 },
    }),
  );
  expect(events).toContainEqual(expect.objectContaining({ did: "retry", id: "b", runAt: NOW + 4_000 }));
  expect([computeRetryDelayMs(3, () => 0), computeRetryDelayMs(3, () => 1)]).toEqual([12_800, 19_200]);
});

it("the worker renews its leases before it claims after the clock was set", async () => {
  const { queue, state, add } = fakeQueue([makeJob("a")]);
  const shown = { now: NOW, skew: 0 };
  const order: string[] = [];
  const watched: WorkerDeps["queue"] = {
    ...queue,
    claim: (...args) => (order.push("claim"), queue.claim(...args)),
    renew: (...args) => (
      order.push(`renew at ${args[1] - Date.now() > 30 * 86_400_000 ? "the new time" : "the old time"}`),
      queue.renew(...args)
    ),
  };
  start(watched, hang, { clock: { now: () => Date.now() + shown.skew }, renewMs: 60_000, pollMs: 60_000 });
  await until(() => expect(order).toContain("claim"));
  expect(state.renewals).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  order.length = 0;
  shown.skew = 40 * 86_400_000;
  add(makeJob("b"));
  await until(() => expect(order.slice(0, 2)).toEqual(["renew at the new time", "claim"]));
});

it("the worker waits as long as the site asked, at most one day", async () => {
  const { queue, events } = fakeQueue([makeJob("a")]);
  start(queue, fails(new IngestError("rate_limited", "m", { stage: "fetch", retryable: true, retryAfterSeconds: 10_000_000 })));
  await until(() => expect(events[0]).toMatchObject({ did: "retry", runAt: NOW + 86_400_000 }));
});

it("the worker waits as long as the site asked", async () => {
  const { queue, events } = fakeQueue([makeJob("a")]);
  start(queue, fails(new IngestError("rate_limited", "m", { stage: "fetch", retryable: true, retryAfterSeconds: 90 })));
  await until(() => expect(events[0]).toMatchObject({ did: "retry", runAt: NOW + 90_000 }));
});

it("the worker fails permanent errors and the last attempt", async () => {
  const { queue, events } = fakeQueue([makeJob("a", { url: "x:final" }), makeJob("b", { attempt: 3 })]);
  start(queue, async (job: ClaimedJob) => {
    throw new IngestError("e", "m", { stage: "s", retryable: job.id === "b" });
  });
  await until(() => expect(events.length).toBe(2));
  expect(events).toContainEqual({ did: "fail", id: "a", error: { code: "e", message: "m", stage: "s", retryable: false, attempts: 1 } });
  expect(events).toContainEqual({ did: "fail", id: "b", error: { code: "e", message: "m", stage: "s", retryable: true, attempts: 3 } });
});

it("the worker hides the message of an unknown error, and logs it", async () => {
  const { queue, events } = fakeQueue([makeJob("a", { attempt: 3 })]);
  const { log, lines } = createLog();
  start(queue, fails(new Error("password at /etc/secret")), { log });
  await until(() => expect(events[0]).toMatchObject({ did: "fail", error: { code: "internal", retryable: true } }));
  expect(JSON.stringify(events)).not.toContain("secret");
  expect(lines.join()).toContain("unexpected error");
});

it("the worker ends a hanging attempt that ignores its signal", async () => {
  const { queue, events } = fakeQueue([makeJob("a", { attempt: 3 })]);
  start(queue, hang, { timeoutMs: 50 });
  await until(() => expect(events[0]).toMatchObject({ did: "fail", error: { code: "timeout", stage: "timeout", retryable: true } }));
});

it("the worker renews the leases of running jobs, and abandons lost ones", async () => {
  const { queue, events, lost, state } = fakeQueue([makeJob("a")]);
  const signals: AbortSignal[] = [];
  start(queue, (_job, signal) => {
    signals.push(signal);
    return hang();
  });
  await until(() => expect(state.renewals).toBeGreaterThan(1));
  expect(signals[0]?.aborted).toBe(false);
  lost.add("a");
  await until(() => expect(signals[0]?.aborted).toBe(true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(events).toEqual([]);
});

it("the worker continues after the store failed to claim, renew or store a job", async () => {
  const { queue, events, faults, add } = fakeQueue([makeJob("a")]);
  faults.set("claim", 2).set("renew", 1).set("complete", 1);
  const { log, lines } = createLog();
  const run = async (): Promise<Ingested> => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return result;
  };
  start(queue, run, { log });
  await until(() => expect(lines.join()).toContain("Storing a job's result failed"));
  expect(events).toEqual([]);
  add(makeJob("b"));
  await until(() => expect(events).toMatchObject([{ did: "complete", id: "b" }]));
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
    clock: { now: () => NOW },
    concurrency: 2,
    perHost: 2,
    timeoutMs: 50,
    log,
  });
  onTestFinished(() => worker.stop(0));
  await vi.waitFor(() => expect(ended.toSorted()).toEqual(["a after 1", "b after 1"]), { timeout: 300_000 });
});
