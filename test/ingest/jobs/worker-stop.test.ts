import { expect, it } from "vitest";
import type { Ingested } from "#domain/content/job.ts";
import { fakeQueue, makeJob } from "../fixtures/queue.ts";
import { createLog, hang, result, start, until } from "../fixtures/worker.ts";

it("a worker that is stopped waits for running jobs and claims no more", async () => {
  const { queue, events, add } = fakeQueue([makeJob("a")]);
  const gate = Promise.withResolvers<Ingested>();
  const { log, lines } = createLog();
  const worker = start(queue, () => gate.promise, { log });
  await until(() => expect(lines.length + events.length).toBe(0));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const stopped = worker.stop(10_000);
  add(makeJob("b"));
  gate.resolve(result);
  await stopped;
  expect(events).toMatchObject([{ did: "complete", id: "a" }]);
});

it("a worker that is stopped aborts and releases jobs that do not end in time, and can be stopped twice", async () => {
  const { queue, events, state } = fakeQueue([makeJob("a"), makeJob("b")]);
  const signals: AbortSignal[] = [];
  const worker = start(queue, (_job, signal) => {
    signals.push(signal);
    return hang();
  });
  await until(() => expect(signals.length).toBe(2));
  await Promise.all([worker.stop(10), worker.stop(10)]);
  expect(events).toEqual([
    { did: "release", id: "a" },
    { did: "release", id: "b" },
  ]);
  expect(signals.every((signal) => signal.aborted)).toBe(true);
  const claims = state.claims;
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(state.claims).toBe(claims);
});

it("a worker that is stopped releases the jobs of a running claim", async () => {
  const { queue, events, state } = fakeQueue([makeJob("a")]);
  const gate = Promise.withResolvers<void>();
  state.beforeClaim = () => gate.promise;
  const worker = start(queue, async () => result);
  const stopped = worker.stop(1_000);
  gate.resolve();
  await stopped;
  expect(events).toEqual([{ did: "release", id: "a" }]);
});

it("a worker that is stopped neither loses nor duplicates a job that is being stored at the end of the time", async () => {
  const { queue, events, state } = fakeQueue([makeJob("a")]);
  const storing = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  state.beforeComplete = () => {
    reached.resolve();
    return storing.promise;
  };
  const worker = start(queue, async () => result);
  await reached.promise;
  const stopped = worker.stop(10);
  setTimeout(storing.resolve, 50);
  await stopped;
  expect(events).toMatchObject([{ did: "complete", id: "a" }]);
});
